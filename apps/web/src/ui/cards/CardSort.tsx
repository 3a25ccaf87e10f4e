import { ActionIcon } from '@mantine/core'
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import classes from './CardList.module.css'
import type { ListColumn, Sort } from '../list/columns.ts'

interface CardSortProps<Row> {
  columns: readonly ListColumn<Row>[]
  sort: Sort | undefined
  onSort: ((field: string) => void) | undefined
}

/** Sorts cards, which have no headers. A native select, because phones show it best. */
export function CardSort<Row>({ columns, sort, onSort }: CardSortProps<Row>) {
  const fields = columns.flatMap(({ sortField, header }) =>
    sortField === undefined ? [] : [{ field: sortField, header }],
  )
  if (!onSort || fields.length === 0) return null
  const isListed = fields.some(({ field }) => field === sort?.field)
  return (
    <div className={classes.sort}>
      <label>
        Sort by
        <select
          value={isListed ? sort?.field : ''}
          onChange={({ currentTarget }) => onSort(currentTarget.value)}
        >
          {/* The list's default order may use a field that no column shows. */}
          {!isListed && <option value="">–</option>}
          {fields.map(({ field, header }) => (
            <option key={field} value={field}>
              {header}
            </option>
          ))}
        </select>
      </label>
      {sort && isListed && (
        <ActionIcon
          variant="default"
          aria-label={sort.asc ? 'Ascending: reverse the order' : 'Descending: reverse the order'}
          onClick={() => onSort(sort.field)}
        >
          {sort.asc ? <IconSortAscending size={18} /> : <IconSortDescending size={18} />}
        </ActionIcon>
      )}
    </div>
  )
}
