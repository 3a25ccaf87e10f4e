import { Button, Popover, UnstyledButton } from '@mantine/core'
import { RichTextEditor as Frame } from '@mantine/tiptap'
import { RICH_TEXT_COLORS } from '@tallyroom/domain/rich-text'
import { IconCheck, IconPalette } from '@tabler/icons-react'
import { useEditorState, type Editor } from '@tiptap/react'
import { useState } from 'react'
import classes from './RichTextEditor.module.css'

/** Sets one of eight text colours, or removes it. */
export function ColorControl({ editor }: { editor: Editor | null }) {
  const [opened, setOpened] = useState(false)
  const color = useEditorState({
    editor,
    selector: ({ editor: it }) => String(it?.getAttributes('textStyle')['color'] ?? ''),
  })
  const present = RICH_TEXT_COLORS.find(({ hex, rgb }) => hex === color || rgb === color)
  const choose = (hex: string | undefined) => {
    setOpened(false)
    const chain = editor?.chain().focus()
    if (hex === undefined) chain?.unsetColor().run()
    else chain?.setColor(hex).run()
  }
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Frame.Control
          aria-label="Text color"
          title="Text color"
          active={present !== undefined}
          onClick={() => setOpened(!opened)}
        >
          <IconPalette size={16} stroke={1.5} color={present ? present.hex : 'currentColor'} />
        </Frame.Control>
      </Popover.Target>
      <Popover.Dropdown aria-label="Text color" p="xs">
        <div className={classes.colors}>
          {RICH_TEXT_COLORS.map(({ name, hex }) => (
            <UnstyledButton
              key={name}
              className={classes.color}
              style={{ background: hex }}
              aria-label={name}
              title={name}
              aria-pressed={name === present?.name}
              onClick={() => choose(hex)}
            >
              {name === present?.name && <IconCheck size={16} aria-hidden />}
            </UnstyledButton>
          ))}
        </div>
        <Button
          variant="default"
          size="compact-sm"
          fullWidth
          mt={8}
          onClick={() => choose(undefined)}
        >
          No color
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
