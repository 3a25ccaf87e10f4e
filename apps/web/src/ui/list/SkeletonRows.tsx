import { Skeleton } from '@mantine/core'
import type { ListColumn } from './columns.ts'

const SKELETON_ROWS = 14

interface SkeletonRowsProps<Row> {
  columns: readonly ListColumn<Row>[]
  /** Cells before the columns: the checkbox, the number. */
  blanks: number
}

/** What stands in a table before its rows are there. */
export function SkeletonRows<Row>({ columns, blanks }: SkeletonRowsProps<Row>) {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    <tr key={row} aria-hidden>
      {Array.from({ length: blanks }, (_none, blank) => (
        <td key={blank} />
      ))}
      {columns.map((column, position) => (
        <td key={column.id} data-numeric={column.numeric || undefined}>
          <Skeleton
            height={10}
            display="inline-block"
            // Uneven bars look like text; the same on every draw, so that nothing flickers.
            width={
              column.skeletonWidth ?? (column.numeric ? 44 : 70 + ((row * 7 + position * 13) % 50))
            }
          />
        </td>
      ))}
    </tr>
  ))
}
