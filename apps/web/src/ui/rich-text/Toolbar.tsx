import { FileButton } from '@mantine/core'
import { RichTextEditor as Frame } from '@mantine/tiptap'
import { IconCode, IconPhotoPlus } from '@tabler/icons-react'
import type { Editor } from '@tiptap/react'
import type { RefObject } from 'react'
import { ColorControl } from './ColorControl.tsx'
import { DescriptionControl } from './DescriptionControl.tsx'
import { LinkControl } from './LinkControl.tsx'
import { TableControl } from './TableControl.tsx'
import { useToolbarKeys } from './use-toolbar-keys.ts'

interface ToolbarProps {
  bar: RefObject<HTMLDivElement | null>
  editor: Editor | null
  isSource: boolean
  onSource: () => void
  onPictures: (files: File[]) => void
}

/** One stop of the Tab key; arrows lead from button to button, Escape back into the text. */
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
