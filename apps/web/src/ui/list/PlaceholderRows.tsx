import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { ACTIONS, type ListColumn } from './columns.ts'
import classes from './DataTable.module.css'

/** A message in place of rows. */
export const MessageRow = ({ width, children }: { width: number; children: ReactNode }) => (
  <tr className={classes.messageRow}>
    <td colSpan={width}>
      <div className={classes.message}>{children}</div>
    </td>
  </tr>
)

const SKELETON_ROWS = 14

interface SkeletonRowsProps<Row> {
  columns: readonly ListColumn<Row>[]
  /** The number of cells before the columns, for the checkbox and the row number. */
  blanks: number
}

/** Placeholder rows while a table loads. */
export function SkeletonRows<Row>({ columns, blanks }: SkeletonRowsProps<Row>) {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    <tr key={row} aria-hidden>
      {Array.from({ length: blanks }, (_none, blank) => (
        <td key={blank} />
      ))}
      {columns.map((column, position) => (
        <td
          key={column.id}
          data-numeric={column.numeric || undefined}
          data-actions={column.id === ACTIONS || undefined}
        >
          <Skeleton
            height={10}
            display="inline-block"
            // Uneven bars look like text. They are the same on every render, so that nothing flickers.
            width={
              column.skeletonWidth ?? (column.numeric ? 44 : 70 + ((row * 7 + position * 13) % 50))
            }
          />
        </td>
      ))}
    </tr>
  ))
}
