import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import classes from './common-logs.module.css'

interface ParamsToggleProps {
  /** JSON text. */
  text: string
  label: string
  opened: boolean
  onToggle: () => void
}

/** The beginning of the parameters; a click shows them whole below the row. */
export function ParamsToggle({ text, label, opened, onToggle }: ParamsToggleProps) {
  if (text === '{}' || text === '') return '–'
  return (
    <UnstyledButton className={classes.toggle} aria-expanded={opened} onClick={onToggle}>
      <IconChevronRight size={14} aria-hidden />
      <VisuallyHidden>{label}: </VisuallyHidden>
      <code>{text}</code>
    </UnstyledButton>
  )
}
