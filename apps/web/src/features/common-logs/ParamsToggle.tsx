import { RowToggle } from '../../ui/list/RowToggle.tsx'
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
    <RowToggle label={label} opened={opened} onToggle={onToggle} maxWidth={96}>
      <code className={classes.params}>{text}</code>
    </RowToggle>
  )
}
