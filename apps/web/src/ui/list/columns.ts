import type { CsvValue } from '@tallyroom/domain/csv'
import type { ReactNode } from 'react'

/** One column of a list, declared as data near its page. */
export interface ListColumn<Row> {
  /** Identifies the column in stored settings and in totals rows. */
  id: string
  header: string
  /** `index` counts from 0 on the page. */
  cell: (row: Row, index: number) => ReactNode
  /** The name of the sort field in the API. Without it, the column can't be sorted. */
  sortField?: string
  /** Right-aligned figures. */
  numeric?: boolean
  /** Header in the bonus red. */
  bonus?: boolean
  /** Hidden until the user shows it in the column menu. */
  hiddenAtFirst?: boolean
  /** Always shown, and left out of the column menu. */
  fixed?: boolean
  /** In a table, it stands behind those that answer the page's question. Cards and CSV keep its place. */
  behind?: boolean
  /** Explains the header in a tooltip. */
  note?: string
  /** The width of the skeleton bar, in pixels. */
  skeletonWidth?: number
  /** What Export CSV has of it: under the same header, or under others. */
  csv?: CsvText<Row> | readonly { header: string; value: CsvText<Row> }[]
  /**
   * Its place on a phone, where each row is a card. The first title is the card's heading, and
   * further ones stand below it; money (one or two figures) stands on the right edge; details
   * unfold. By default, the first column is the title, the last figure is the money, and the rest
   * are details; a fixed first column is a title above any other.
   */
  card?: CardPlace
}

/** The column of what can be done with a row, at the right edge of every table. */
export const ACTIONS = 'actions'

/** The columns in the order of a table: first those that answer its question, last what can be done with a row. */
export const tableOrder = <Column extends Pick<ListColumn<never>, 'id' | 'behind'>>(
  columns: readonly Column[],
): Column[] => columns.toSorted((one, other) => rank(one) - rank(other))

const rank = ({ id, behind = false }: Pick<ListColumn<never>, 'id' | 'behind'>): number =>
  id === ACTIONS ? 2 : Number(behind)

type CsvText<Row> = (row: Row) => CsvValue

/** The columns of the CSV. */
export const csvColumnsOf = <Row>(columns: readonly ListColumn<Row>[]) =>
  columns.flatMap(({ header, csv = [] }) =>
    typeof csv === 'function' ? [{ header, value: csv }] : csv,
  )

export type CardPlace = 'title' | 'money' | 'detail' | 'hidden'

/** A row at the bottom: page total, overall total. The last one stays in view. */
export interface TotalsRow {
  id: string
  /** Shown in the first visible column, unless `cells` has a value for it. */
  label: string
  /** Small print below the label: a ratio of the totals. */
  note?: string
  /** Column id → figure. Other columns stay empty. */
  cells: Record<string, ReactNode>
}

export interface Sort {
  field: string
  asc: boolean
}
