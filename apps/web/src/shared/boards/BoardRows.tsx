import { Skeleton } from '@mantine/core'
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

/** In place of a board without rows: its headings would be a frame around nothing. */
export const EmptyBoard = ({ about }: { about: string }) => (
  <p className={classes.empty}>
    No data for period. <span>{about}</span>
  </p>
)

/** A bar whose length shows `sales` relative to the best row. */
export const Share = ({ sales, best }: { sales: number; best: number }) => (
  <i
    className={classes.share}
    aria-hidden
    style={{ backgroundSize: `${Math.max(2, (100 * sales) / Math.max(best, 1))}% 100%` }}
  />
)
