import { RichTextEditor as Frame } from '@mantine/tiptap'
import { IconAlt } from '@tabler/icons-react'
import { useEditorState, type Editor } from '@tiptap/react'
import { TextPopover } from './TextPopover.tsx'

/** What the chosen picture shows, in words: for those who can't see it. */
export function DescriptionControl({ editor }: { editor: Editor | null }) {
  const isActive = useEditorState({
    editor,
    selector: ({ editor: it }) => it?.isActive('image') ?? false,
  })
  return (
    <TextPopover
      label="What the picture shows"
      placeholder="For those who can’t see it"
      initial={() => String(editor?.getAttributes('image')['alt'] ?? '')}
      onSave={(alt) => void editor?.chain().focus().updateAttributes('image', { alt }).run()}
      target={(open) => (
        <Frame.Control
          aria-label="Describe the picture"
          title="Describe the picture"
          disabled={!isActive}
          onClick={open}
        >
          <IconAlt size={16} stroke={1.5} />
        </Frame.Control>
      )}
    />
  )
}
