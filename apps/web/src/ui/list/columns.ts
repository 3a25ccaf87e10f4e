import type { ReactNode } from 'react'

/** One column of a list, declared as data near its page. */
export interface ListColumn<Row> {
  /** Names the column in the column menu's memory and in totals rows. */
  id: string
  header: string
  /** `index` counts from 0 on the page. */
  cell: (row: Row, index: number) => ReactNode
  /** The server's name of the sort; without it the column can't be sorted. */
  sortField?: string
  /** Right-aligned figures. */
  numeric?: boolean
  /** Header in the bonus red. */
  bonus?: boolean
  /** Hidden until it is chosen in the column menu. */
  hiddenAtFirst?: boolean
  /** Always shown: left out of the column menu. */
  fixed?: boolean
  /** Explains the header in a tooltip. */
  note?: string
  /** Pixels of the skeleton bar before the first rows are there. */
  skeletonWidth?: number
}

/** A row below the rows that stays in view: page total, overall total, a ratio. */
export interface TotalsRow {
  id: string
  /** Stands in the first visible column, unless `cells` says otherwise. */
  label: string
  /** Column id → figure; columns that are not named stay empty. */
  cells: Record<string, ReactNode>
}

export interface Sort {
  field: string
  asc: boolean
}
