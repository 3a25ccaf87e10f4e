import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Tooltip } from '../Tooltip.tsx'
import { ACTIONS, type ListColumn, type Sort } from './columns.ts'
import classes from './DataTable.module.css'

interface HeaderCellProps<Row> {
  column: ListColumn<Row>
  pinned: boolean
  sort: Sort | undefined
  onSort: ((field: string) => void) | undefined
}

/** A column header. A click sorts by the column. */
export function HeaderCell<Row>({ column, pinned, sort, onSort }: HeaderCellProps<Row>) {
  const { sortField } = column
  const isSorted = sortField !== undefined && sort?.field === sortField
  const Arrow = isSorted && !sort.asc ? IconArrowDown : IconArrowUp
  const words = column.note ? (
    <Tooltip label={column.note} multiline maw={280} withArrow>
      <span className={classes.words}>{column.header}</span>
    </Tooltip>
  ) : (
    // Link types can have long names.
    <span className={classes.words}>{column.header}</span>
  )
  return (
    <th
      scope="col"
      data-numeric={column.numeric || undefined}
      data-actions={column.id === ACTIONS || undefined}
      data-bonus={column.bonus || undefined}
      data-pinned={pinned || undefined}
      aria-sort={isSorted ? (sort.asc ? 'ascending' : 'descending') : undefined}
    >
      {sortField !== undefined && onSort ? (
        <button type="button" className={classes.sort} onClick={() => onSort(sortField)}>
          {words}
          <Arrow size={12} aria-hidden data-sorted={isSorted || undefined} />
        </button>
      ) : (
        words
      )}
    </th>
  )
}
