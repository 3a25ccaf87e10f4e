import { Input, InputBase } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Panel } from '../floating/Panel.tsx'
import { useOpener } from '../floating/use-opener.ts'
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
  const { button, target, opened, close } = useOpener('dialog')
  return (
    <>
      <InputBase
        component="button"
        className={classes.field}
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
        {...button}
      >
        {text ? (
          <span className="tr-figures">{text}</span>
        ) : (
          <Input.Placeholder>{placeholder}</Input.Placeholder>
        )}
      </InputBase>
      {target && (
        <Panel
          label={label}
          target={target}
          opened={opened}
          onClose={close}
          className={classes.dropdown}
        >
          <div className={classes.panel}>{children(close)}</div>
        </Panel>
      )}
    </>
  )
}
