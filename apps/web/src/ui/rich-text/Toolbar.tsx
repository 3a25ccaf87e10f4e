import { FileButton } from '@mantine/core'
import { RichTextEditor as Frame } from '@mantine/tiptap'
import { IconAlt, IconCode, IconLink, IconPhotoPlus } from '@tabler/icons-react'
import { isSafeLink } from '@tallyroom/domain/rich-text'
import { type Editor, useEditorState } from '@tiptap/react'
import type { RefObject } from 'react'
import { ColorControl } from './ColorControl.tsx'
import { TableControl } from './TableControl.tsx'
import { TextPopover } from './TextPopover.tsx'
import { useToolbarKeys } from './use-toolbar-keys.ts'

interface ToolbarProps {
  bar: RefObject<HTMLDivElement | null>
  editor: Editor | null
  isSource: boolean
  onSource: () => void
  onPictures: (files: File[]) => void
}

/** A toolbar with a single tab stop. Arrow keys move between buttons, Escape returns to the text. */
export function Toolbar({ bar, editor, isSource, onSource, onPictures }: ToolbarProps) {
  const keys = useToolbarKeys(bar, () => editor?.commands.focus())

  return (
    <Frame.Toolbar ref={bar} role="toolbar" aria-label="Formatting" {...keys}>
      {!isSource && (
        <>
          <Frame.ControlsGroup>
            <Frame.Undo />
            <Frame.Redo />
          </Frame.ControlsGroup>
          <Frame.ControlsGroup>
            <Frame.H2 />
            <Frame.H3 />
            <Frame.H4 />
          </Frame.ControlsGroup>
          <Frame.ControlsGroup>
            <Frame.Bold />
            <Frame.Italic />
            <Frame.Underline />
            <Frame.Strikethrough />
            <ColorControl editor={editor} />
            <Frame.ClearFormatting />
          </Frame.ControlsGroup>
          <Frame.ControlsGroup>
            <Frame.AlignLeft />
            <Frame.AlignCenter />
            <Frame.AlignRight />
            <Frame.AlignJustify />
          </Frame.ControlsGroup>
          <Frame.ControlsGroup>
            <Frame.BulletList />
            <Frame.OrderedList />
            <Frame.Blockquote />
            <Frame.Hr />
          </Frame.ControlsGroup>
          <Frame.ControlsGroup>
            <LinkControl editor={editor} />
            <Frame.Unlink />
          </Frame.ControlsGroup>
          <Frame.ControlsGroup>
            <FileButton
              multiple
              accept="image/png,image/jpeg,image/webp,image/gif"
              onChange={onPictures}
              inputProps={{ 'aria-label': 'Pictures' }}
            >
              {(props) => (
                <Frame.Control {...props} aria-label="Add pictures" title="Add pictures">
                  <IconPhotoPlus size={16} stroke={1.5} />
                </Frame.Control>
              )}
            </FileButton>
            <DescriptionControl editor={editor} />
            <TableControl editor={editor} />
          </Frame.ControlsGroup>
        </>
      )}
      <Frame.ControlsGroup>
        <Frame.Control
          active={isSource}
          aria-label="HTML source"
          aria-pressed={isSource}
          title="HTML source"
          onClick={onSource}
        >
          <IconCode size={16} stroke={1.5} />
        </Frame.Control>
      </Frame.ControlsGroup>
    </Frame.Toolbar>
  )
}

/** Turns the selection into a link, or edits the link at the cursor. */
function LinkControl({ editor }: { editor: Editor | null }) {
  const isActive = useEditorState({
    editor,
    selector: ({ editor: it }) => it?.isActive('link') ?? false,
  })
  const save = (typed: string): string | undefined => {
    if (!editor) return undefined
    const chain = editor.chain().focus().extendMarkRange('link')
    if (typed === '') return void chain.unsetLink().run()
    const href = withProtocol(typed)
    if (!isSafeLink(href)) return 'Enter a web address, an email address or a phone number.'
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

/** Adds the protocol to addresses typed without one, such as `example.com/a`. */
function withProtocol(typed: string): string {
  if (/^[a-z][a-z\d+.-]*:|^\//i.test(typed)) return typed
  return /^[^\s@/]+@[^\s@/]+$/.test(typed) ? `mailto:${typed}` : `https://${typed}`
}

/** Edits the alternative text of the selected picture. */
function DescriptionControl({ editor }: { editor: Editor | null }) {
  const isActive = useEditorState({
    editor,
    selector: ({ editor: it }) => it?.isActive('image') ?? false,
  })
  return (
    <TextPopover
      label="Alternative text"
      placeholder="Describe the picture for people who can’t see it"
      initial={() => String(editor?.getAttributes('image')['alt'] ?? '')}
      onSave={(alt) => void editor?.chain().focus().updateAttributes('image', { alt }).run()}
      target={(open) => (
        <Frame.Control
          aria-label="Describe picture"
          title="Describe picture"
          disabled={!isActive}
          onClick={open}
        >
          <IconAlt size={16} stroke={1.5} />
        </Frame.Control>
      )}
    />
  )
}
