import { Button } from '@mantine/core'
import Sheet from '../dialogs/Sheet.tsx'
import type { FiltersProps } from './FoldedFilters.tsx'
import classes from './FoldedFilters.module.css'

interface FilterSheetProps extends FiltersProps {
  /** It was closed by something other than its buttons. */
  onDismiss: () => void
  onClosed: () => void
}

/** The fields of a list's filters, in a sheet from the bottom edge of a phone. */
export default function FilterSheet(props: FilterSheetProps) {
  const { children, onSearch, onClear, busy = false, searchLabel = 'Search' } = props
  return (
    <Sheet title="Filters" onDismiss={props.onDismiss} onClosed={props.onClosed}>
      {(close) => (
        <form
          className={classes.fields}
          role="search"
          onSubmit={(event) => {
            event.preventDefault()
            onSearch()
            close()
          }}
        >
          {children}
          <div className={classes.buttons}>
            <Button type="submit" size="md" loading={busy}>
              {searchLabel}
            </Button>
            {onClear && (
              <Button
                variant="default"
                size="md"
                onClick={() => {
                  onClear()
                  close()
                }}
              >
                Clear
              </Button>
            )}
          </div>
        </form>
      )}
    </Sheet>
  )
}
