import type { ReactNode } from 'react'
import classes from './pay.module.css'

export interface PayColumn<Row> {
  header: string
  numeric?: boolean
  cell: (row: Row) => ReactNode
}

interface PayTableProps<Row> {
  /** The table’s name for screen readers. */
  label: string
  columns: readonly PayColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** Rows of sums: the label in the first column, the texts under these headers. */
  sums?: readonly { label: string; cells: Record<string, ReactNode> }[]
}

/** A document-like table: short, complete, and printed as shown. */
export const PayTable = <Row,>({ label, columns, rows, rowKey, sums }: PayTableProps<Row>) => (
  <div className={classes.scroller} tabIndex={0} role="region" aria-label={label}>
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ header, numeric }) => (
            <th key={header} scope="col" data-numeric={numeric || undefined}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ header, numeric, cell }, index) => (
              <td
                key={header}
                data-numeric={numeric || undefined}
                data-label={labelOf(columns, index)}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {sums && sums.length > 0 && (
        <tfoot>
          {sums.map((sum, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- sums have no other identity
            <tr key={at}>
              {columns.map(({ header, numeric }, index) => (
                <td
                  key={header}
                  data-numeric={numeric || undefined}
                  data-label={labelOf(columns, index)}
                >
                  {index === 0 ? sum.label : sum.cells[header]}
                </td>
              ))}
            </tr>
          ))}
        </tfoot>
      )}
    </table>
  </div>
)

/** On a phone there are no headings. */
const labelOf = (columns: readonly PayColumn<never>[], index: number) =>
  index > 0 && index < columns.length - 1 && columns[index]?.numeric
    ? columns[index].header
    : undefined
