import { Button } from '@mantine/core'
import { useIsNarrow } from '../../lib/phone.ts'
import classes from './CriteriaRow.module.css'
import { InLine } from './folded.tsx'
import { type FiltersProps, FoldedFilters } from './FoldedFilters.tsx'

/**
 * The filters of a list as a line of chips, each of which is a field. Search, or Enter in any field, applies them. In a
 * narrow or low window, the chips say what is set, and open the fields.
 */
export function CriteriaRow(props: FiltersProps) {
  const { children, onSearch, onClear, busy, searchLabel } = props
  const isNarrow = useIsNarrow()
  if (isNarrow) return <FoldedFilters {...props} />
  return (
    <form
      className={classes.row}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch()
      }}
    >
      <InLine value>{children}</InLine>
      <div className={classes.buttons}>
        <Button type="submit" variant="light" loading={busy ?? false}>
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
