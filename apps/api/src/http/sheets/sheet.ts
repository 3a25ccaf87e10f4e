import { formatClock, NEW_YORK } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import type { Viewer } from '../../access/viewer.ts'

/** Days are `YYYY-MM-DD`, money is decimal, percentages are out of 100; undefined is an empty cell. */
export type Cell = string | number | undefined

export type CellKind = 'text' | 'day' | 'count' | 'money' | 'percent'

export type SheetColumn = { header: string; kind: CellKind }

/** A table for a file. */
export type Sheet = {
  title: string
  /** Parts of the file name: the days, the view and each filter in use. */
  about: readonly string[]
  /** The criteria, and who created the file when, as labels and texts. */
  facts: (readonly [label: string, text: string])[]
  columns: readonly SheetColumn[]
  /** In order, in parts. */
  rows: AsyncIterable<Cell[][]> | Iterable<Cell[][]>
  /** The last row, if the table has totals. */
  totals?: Cell[]
}

/** The days of a report, as parts of the file name. */
export const daysOf = ({ start, end }: DateRange): string[] =>
  start === end ? [start] : [start, end]

/** The facts in every workbook of a report. */
export const factsOf = (criteria: string, viewer: Viewer, now: Date): Sheet['facts'] => [
  ['Criteria', criteria],
  ['Time zone', NEW_YORK],
  ['Made', `${formatClock(now)} by ${viewer.username}`],
]

/** A column of a table with rows of this type. */
export type ColumnOf<Row> = SheetColumn & { value: (row: Row) => Cell }

/** A row's cells. */
export const cellsOf = <Row>(columns: readonly ColumnOf<Row>[], row: Row): Cell[] =>
  columns.map(({ value }) => value(row))
