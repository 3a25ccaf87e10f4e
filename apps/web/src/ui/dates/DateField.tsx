import { Input, InputBase, Popover } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import classes from './dates.module.css'

interface DateFieldProps {
  label: string
  /** What is chosen, in words; the placeholder stands while it is empty. */
  text: string
  placeholder: string
  error?: ReactNode
  disabled?: boolean
  width?: number
  /** The calendars and hints; `close` is for a choice that completes the value. */
  children: (close: () => void) => ReactNode
}

/** A field that opens a panel of calendars: the frame of all date pickers. */
export function DateField(props: DateFieldProps) {
  const { label, text, placeholder, error, disabled = false, width = 216, children } = props
  const [opened, setOpened] = useState(false)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      withRoles={false}
      middlewares={{ flip: true, shift: true, size: { apply: fitHeight } }}
    >
      <Popover.Target>
        <InputBase
          component="button"
          type="button"
          label={label}
          size="xs"
          pointer
          w={width}
          miw={200}
          maw="100%"
          error={error}
          disabled={disabled}
          leftSection={<IconCalendar size={15} stroke={1.6} />}
          aria-label={`${label}: ${text || placeholder}`}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {text ? (
            <span className="tr-figures">{text}</span>
          ) : (
            <Input.Placeholder>{placeholder}</Input.Placeholder>
          )}
        </InputBase>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label} className={classes.dropdown}>
        <div className={classes.panel}>{children(() => setOpened(false))}</div>
      </Popover.Dropdown>
    </Popover>
  )
}

/** On low screens the panel scrolls instead of leaving the window. */
const fitHeight = ({
  availableHeight,
  elements,
}: {
  availableHeight: number
  elements: { floating: HTMLElement }
}) => {
  elements.floating.style.maxHeight = `${Math.max(240, availableHeight - 8)}px`
}
