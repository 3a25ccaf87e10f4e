import { Button } from '@mantine/core'
import { useIsPhone } from '../../lib/phone.ts'
import classes from './CriteriaRow.module.css'
import { type FiltersProps, FoldedFilters } from './FoldedFilters.tsx'

/** The filters of a list in a row. Search, or Enter in any field, applies them. On a phone, they fold into chips. */
export function CriteriaRow(props: FiltersProps) {
  const { children, onSearch, onClear, busy, searchLabel } = props
  const isPhone = useIsPhone()
  if (isPhone) return <FoldedFilters {...props} />
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
