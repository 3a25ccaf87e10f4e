import type { ReactNode } from 'react'
import classes from './PlainTable.module.css'

export interface PlainColumn<Row> {
  header: string
  numeric?: boolean
  /** Its cells name their rows. */
  namesRow?: boolean
  className?: string | undefined
  cell: (row: Row) => ReactNode
}

interface PlainTableProps<Row> {
  /** The table’s name for screen readers. */
  label: string
  columns: readonly PlainColumn<Row>[]
  /** Undefined before the first answer. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string | number
  /** Attributes that a row’s look depends on. */
  marksOf?: (row: Row) => Record<`data-${string}`, boolean | undefined>
  /** Rows of sums: the label in the first column, the texts under these headers. */
  sums?: readonly { label: string; cells: Record<string, ReactNode> }[]
  /** In place of rows that are not known yet. */
  waiting?: ReactNode
  caption?: ReactNode
  /** With a frame of its own, in which it scrolls; with lines between rows, as part of a card; or with neither. */
  look?: 'framed' | 'lined' | 'bare'
  /** It scrolls, without a frame. */
  scrolls?: boolean
  /** On a phone, each row is a small card. */
  cards?: boolean
  className?: string | undefined
}

/** A short and complete table, printed as shown. Lists that page, sort or filter have `ListFrame`. */
export function PlainTable<Row>(props: PlainTableProps<Row>) {
  const { label, columns, rows, rowKey, marksOf, sums = [], waiting, caption } = props
  const { look = 'framed', scrolls = false, cards = false, className = '' } = props
  /** On a phone’s card, there are no headings. */
  const labelOn = ({ header, numeric }: PlainColumn<Row>, place: number) =>
    cards && numeric && place > 0 && place < columns.length - 1 ? header : undefined
  const cellsOf = (contentOf: (column: PlainColumn<Row>, place: number) => ReactNode) =>
    columns.map((column, place) => {
      const Cell = column.namesRow ? 'th' : 'td'
      return (
        <Cell
          key={column.header}
          scope={column.namesRow ? 'row' : undefined}
          className={column.className}
          data-numeric={column.numeric || undefined}
          data-label={labelOn(column, place)}
        >
          {contentOf(column, place)}
        </Cell>
      )
    })
  const table = (
    <table
      className={`${classes.table} ${className}`}
      aria-label={caption ? undefined : label}
      aria-busy={rows === undefined}
      data-look={look}
      data-cards={cards || undefined}
    >
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ header, numeric, className: ofColumn }) => (
            <th key={header} scope="col" className={ofColumn} data-numeric={numeric || undefined}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows?.map((row) => (
          <tr key={rowKey(row)} {...marksOf?.(row)}>
            {cellsOf(({ cell }) => cell(row))}
          </tr>
        )) ?? waiting}
      </tbody>
      {sums.length > 0 && (
        <tfoot>
          {sums.map((sum, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- sums have no other identity
            <tr key={at}>
              {cellsOf(({ header }, place) => (place === 0 ? sum.label : sum.cells[header]))}
            </tr>
          ))}
        </tfoot>
      )}
    </table>
  )
  if (look !== 'framed' && !scrolls) return table
  return (
    <div
      className={classes.scroller}
      data-look={look}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      {table}
    </div>
  )
}
