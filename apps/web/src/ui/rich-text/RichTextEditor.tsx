import '@mantine/tiptap/styles.layer.css'
import { Textarea } from '@mantine/core'
import { RichTextEditor as Frame } from '@mantine/tiptap'
import { MAX_RICH_TEXT } from '@tallyroom/domain/rich-text'
import { useEditor, type Editor } from '@tiptap/react'
import { useEffect, useId, useRef, useState } from 'react'
import { cleanRichText } from './clean.ts'
import { EditorNotes } from './EditorNotes.tsx'
import { extensions } from './extensions.ts'
import { cleanPasted } from './paste.ts'
import textClasses from './RichText.module.css'
import classes from './RichTextEditor.module.css'
import { Toolbar } from './Toolbar.tsx'
import { usePictures, type UploadPicture } from './use-pictures.ts'

export interface RichTextEditorProps {
  label: string
  value: string
  onChange: (html: string) => void
  uploadPicture: UploadPicture
}

/** An HTML editor, visual or as source. 500 pixels high (specification 1, section 9). */
export function RichTextEditor({ label, value, onChange, uploadPicture }: RichTextEditorProps) {
  const [problem, setProblem] = useState<string>()
  /** Set while the source is edited. */
  const [source, setSource] = useState<string>()
  const pictures = usePictures({ uploadPicture, onProblem: setProblem })
  const help = useId()
  const bar = useRef<HTMLDivElement>(null)
  const [opened] = useState(() => cleanRichText(value))
  // The value that the editor reported last. Any other value comes from outside.
  const told = useRef(value)
  const tell = (html: string) => {
    told.current = html
    onChange(html)
  }

  const editor: Editor | null = useEditor({
    extensions,
    content: opened,
    onUpdate: ({ editor: it }) => tell(it.isEmpty ? '' : it.getHTML()),
    editorProps: {
      attributes: {
        class: textClasses['text'] ?? '',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-describedby': help,
      },
      transformPastedHTML: (html) => {
        const pasted = cleanPasted(html)
        setProblem(pasted.problem)
        return pasted.html
      },
      handleKeyDown: (_view, event) => {
        if (event.key !== 'F10' || !event.altKey) return false
        bar.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus()
        return true
      },
      handlePaste: (view, event, slice) => {
        // Word also copies a picture of the whole text, so use pictures only if there is no text.
        const files = [...(event.clipboardData?.files ?? [])]
        if (files.length === 0 || slice.content.textBetween(0, slice.content.size)) return false
        sendPictures(files, view.state.selection.from)
        return true
      },
      handleDrop: (view, event, _slice, moved) => {
        const files = [...(event.dataTransfer?.files ?? [])]
        if (moved || files.length === 0) return false
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos
        sendPictures(files, at ?? view.state.doc.content.size)
        return true
      },
    },
  })

  // The editor's handlers are created before the editor.
  const present = useRef(editor)
  useEffect(() => {
    present.current = editor
  }, [editor])
  const sendPictures = (files: readonly File[], at: number) => {
    setProblem(undefined)
    if (present.current) pictures.addAll(present.current, files, at)
  }

  useEffect(() => {
    if (!editor || value === told.current) return
    told.current = value
    editor.commands.setContent(cleanRichText(value), { emitUpdate: false })
  }, [editor, value])

  const toggleSource = () => {
    if (!editor) return
    if (source === undefined) return setSource(asSource(editor.getHTML()))
    editor.commands.setContent(cleanRichText(source), { emitUpdate: true })
    setSource(undefined)
  }

  return (
    <>
      <Frame
        editor={editor}
        labels={labels}
        withTypographyStyles={false}
        withCodeHighlightStyles={false}
        className={classes.frame}
      >
        <Toolbar
          bar={bar}
          editor={editor}
          isSource={source !== undefined}
          onSource={toggleSource}
          onPictures={(files) => sendPictures(files, editor?.state.selection.from ?? 0)}
        />
        <Frame.Content className={classes.content} hidden={source !== undefined} />
        {source !== undefined && (
          <Textarea
            aria-label={`${label}: HTML`}
            className={classes.source}
            classNames={{ wrapper: classes.sourceWrapper, input: classes.sourceInput }}
            spellCheck={false}
            value={source}
            onChange={({ currentTarget }) => {
              setSource(currentTarget.value)
              tell(currentTarget.value)
            }}
          />
        )}
      </Frame>
      <EditorNotes
        pictures={pictures.pending}
        problem={problem}
        onClose={() => setProblem(undefined)}
        length={value.length}
        most={MAX_RICH_TEXT}
      />
      <span id={help} hidden>
        Press Alt+F10 for the toolbar, and Escape to return to the text.
      </span>
    </>
  )
}

/** Replaces the library's labels. */
const labels = {
  h2ControlLabel: 'Large heading',
  h3ControlLabel: 'Heading',
  h4ControlLabel: 'Small heading',
  hrControlLabel: 'Line',
  blockquoteControlLabel: 'Quote',
  bulletListControlLabel: 'List',
  orderedListControlLabel: 'Numbered list',
  unlinkControlLabel: 'Remove link',
}

/** Formats HTML for reading, with one block per line. */
const asSource = (html: string): string =>
  html.replace(
    /(<\/(?:p|h[2-4]|ul|ol|li|blockquote|pre|table|colgroup|tbody|tr|t[hd])>|<(?:ul|ol|table|tbody|tr|blockquote)[^>]*>|<hr>|<img[^>]*>)(?!\n|$|<\/(?:li|t[hd])>)/g,
    '$1\n',
  )
