import { Skeleton } from '@mantine/core'
import { EmptyList } from '../list/EmptyList.tsx'
import classes from './Board.module.css'

/** Skeleton rows with the height of real rows, so that nothing shifts when these arrive. */
export const WaitingRows = ({ columns, rows }: { columns: number; rows: number }) =>
  Array.from({ length: rows }, (_, row) => (
    <tr key={row} aria-hidden>
      {Array.from({ length: columns }, (_none, column) => (
        <td key={column} data-numeric={column === columns - 1 || undefined}>
          <Skeleton
            height={10}
            display="inline-block"
            width={column === 0 ? 18 : column === columns - 1 ? 30 : 44 + ((row * 17) % 26)}
          />
        </td>
      ))}
    </tr>
  ))

export const EmptyRow = ({ columns }: { columns: number }) => (
  <tr className={classes.empty}>
    <td colSpan={columns}>
      <EmptyList
        text="No data for period"
        about="The best sellers appear here after their first sale."
      />
    </td>
  </tr>
)

/** A bar whose length shows `sales` relative to the best row. */
export const Share = ({ sales, best }: { sales: number; best: number }) => (
  <i
    className={classes.share}
    aria-hidden
    style={{ backgroundSize: `${Math.max(2, (100 * sales) / Math.max(best, 1))}% 100%` }}
  />
)
