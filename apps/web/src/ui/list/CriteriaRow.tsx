import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './CriteriaRow.module.css'

interface CriteriaRowProps {
  children: ReactNode
  onSearch: () => void
  /** Without it, there is no Clear button. */
  onClear?: () => void
  /** A request is in flight. */
  busy?: boolean
  searchLabel?: string
}

/** The filters of a list in a row. Search, or Enter in any field, applies them. */
export function CriteriaRow({ children, onSearch, onClear, busy, searchLabel }: CriteriaRowProps) {
  return (
    <form
      className={classes.row}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch()
      }}
    >
      {children}
      <div className={classes.buttons}>
        <Button type="submit" loading={busy ?? false}>
          {searchLabel ?? 'Search'}
        </Button>
        {onClear && (
          <Button variant="default" onClick={onClear}>
            Clear
          </Button>
        )}
      </div>
    </form>
  )
}
