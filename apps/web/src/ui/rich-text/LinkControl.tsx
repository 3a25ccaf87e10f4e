import { RichTextEditor as Frame } from '@mantine/tiptap'
import { isSafeLink } from '@tallyroom/domain/rich-text'
import { IconLink } from '@tabler/icons-react'
import { useEditorState, type Editor } from '@tiptap/react'
import { TextPopover } from './TextPopover.tsx'

/** Makes a link of what is selected, or changes the one at the cursor. */
export function LinkControl({ editor }: { editor: Editor | null }) {
  const isActive = useEditorState({
    editor,
    selector: ({ editor: it }) => it?.isActive('link') ?? false,
  })
  const save = (typed: string): string | undefined => {
    if (!editor) return undefined
    const chain = editor.chain().focus().extendMarkRange('link')
    if (typed === '') return void chain.unsetLink().run()
    const href = withProtocol(typed)
    if (!isSafeLink(href)) return 'Links lead to web pages, mail addresses or telephone numbers.'
    const isBare = editor.state.selection.empty && !editor.isActive('link')
    if (isBare)
      chain
        .insertContent({ type: 'text', text: typed, marks: [{ type: 'link', attrs: { href } }] })
        .run()
    else chain.setLink({ href }).run()
    return undefined
  }
  return (
    <TextPopover
      label="Link to"
      placeholder="https://"
      initial={() => String(editor?.getAttributes('link')['href'] ?? '')}
      onSave={save}
      target={(open) => (
        <Frame.Control aria-label="Link" title="Link" active={isActive ?? false} onClick={open}>
          <IconLink size={16} stroke={1.5} />
        </Frame.Control>
      )}
    />
  )
}

/** `example.com/a` as people type it. Whatever names a protocol is taken at its word. */
function withProtocol(typed: string): string {
  if (/^[a-z][a-z\d+.-]*:|^\//i.test(typed)) return typed
  return /^[^\s@/]+@[^\s@/]+$/.test(typed) ? `mailto:${typed}` : `https://${typed}`
}
