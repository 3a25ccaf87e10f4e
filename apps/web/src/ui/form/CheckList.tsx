import { Button, Checkbox, Input } from '@mantine/core'
import type { ReactNode } from 'react'
import type { EntityOption } from '../EntitySelect.tsx'
import classes from './CheckList.module.css'

interface CheckListProps {
  label: string
  options: readonly EntityOption[]
  /** The ids that are checked. */
  value: readonly number[]
  onChange: (ids: number[]) => void
  error?: ReactNode
  /** Shown if there are no options. */
  empty?: ReactNode
}

/** A list of checkboxes, with buttons to check all or none. */
export function CheckList({ label, options, value, onChange, error, empty }: CheckListProps) {
  const chosen = new Set(value)
  const count = options.filter(({ id }) => chosen.has(id)).length
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <div className={classes.frame} role="group" aria-label={label}>
        <div className={classes.bar}>
          <span aria-live="polite">
            {count} of {options.length} chosen
          </span>
          <Button
            variant="subtle"
            size="compact-xs"
            disabled={count === options.length}
            onClick={() => onChange(options.map(({ id }) => id))}
          >
            All
          </Button>
          <Button
            variant="subtle"
            size="compact-xs"
            disabled={count === 0}
            onClick={() => onChange([])}
          >
            None
          </Button>
        </div>
        {options.length === 0 ? (
          <div className={classes.none}>{empty}</div>
        ) : (
          <div className={classes.options}>
            {options.map(({ id, label: name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={chosen.has(id)}
                onChange={() => onChange([...chosen.symmetricDifference(new Set([id]))])}
              />
            ))}
          </div>
        )}
      </div>
    </Input.Wrapper>
  )
}
