import { formatClock, NEW_YORK } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import type { Viewer } from '../../access/viewer.ts'

/** Days are `YYYY-MM-DD`, money decimal, percents of a hundred; undefined is an empty cell. */
export type Cell = string | number | undefined

export type CellKind = 'text' | 'day' | 'count' | 'money' | 'percent'

export type SheetColumn = { header: string; kind: CellKind }

/** A table for a file. */
export type Sheet = {
  title: string
  /** For the name of its file: the days, the view, and each filter that is set. */
  about: readonly string[]
  /** What it is about, and who made it when: labels and texts. */
  facts: (readonly [label: string, text: string])[]
  columns: readonly SheetColumn[]
  /** Part after part, in order. */
  rows: AsyncIterable<Cell[][]> | Iterable<Cell[][]>
  /** The last row, where the table has one. */
  totals?: Cell[]
}

/** The days of a report, as the name of its file has them. */
export const daysOf = ({ start, end }: DateRange): string[] =>
  start === end ? [start] : [start, end]

/** What stands in every workbook of a report. */
export const factsOf = (criteria: string, viewer: Viewer, now: Date): Sheet['facts'] => [
  ['Criteria', criteria],
  ['Time zone', NEW_YORK],
  ['Made', `${formatClock(now)} by ${viewer.username}`],
]

/** One column of a table whose rows are of a type. */
export type ColumnOf<Row> = SheetColumn & { value: (row: Row) => Cell }

/** A row's cells. */
export const cellsOf = <Row>(columns: readonly ColumnOf<Row>[], row: Row): Cell[] =>
  columns.map(({ value }) => value(row))
