import { Button, Popover, TextInput } from '@mantine/core'
import { useState, type KeyboardEvent, type ReactElement } from 'react'
import classes from './RichTextEditor.module.css'

interface TextPopoverProps {
  /** The button that opens it. */
  target: (open: () => void) => ReactElement
  label: string
  placeholder: string
  /** The text in the field when it opens. */
  initial: () => string
  /** Saves the text, or returns an error message. */
  onSave: (text: string) => string | undefined
}

/** Asks for one line of text, such as a link's address, in a popover at its button. */
export function TextPopover({ target, label, placeholder, initial, onSave }: TextPopoverProps) {
  const [text, setText] = useState<string>()
  const [error, setError] = useState<string>()
  const close = () => {
    setText(undefined)
    setError(undefined)
  }
  const save = () => {
    const wrong = onSave((text ?? '').trim())
    if (wrong === undefined) close()
    else setError(wrong)
  }
  // Enter would submit the form that contains the editor.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    save()
  }
  return (
    <Popover
      opened={text !== undefined}
      onChange={(opened) => !opened && close()}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>{target(() => setText(initial()))}</Popover.Target>
      <Popover.Dropdown aria-label={label} p="xs">
        <div className={classes.popover}>
          <TextInput
            label={label}
            placeholder={placeholder}
            value={text ?? ''}
            maxLength={300}
            error={error}
            data-autofocus
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <Button onClick={save}>Save</Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
