import type { ListQuery } from '../list/ListFrame.tsx'
import type { Part } from '../list/list-state.ts'

export interface WholeQuery<Row> extends Omit<ListQuery<Row>, 'data'> {
  /** All rows, in order. */
  data: readonly Row[] | undefined
}

/** Cuts a page out of a list that the server sends as a whole, for `ListFrame`. */
export const pageOfWhole = <Row>(query: WholeQuery<Row>, part: Part): ListQuery<Row> => ({
  data: query.data && slice(query.data, part),
  error: query.error,
  isPlaceholderData: query.isPlaceholderData,
  refetch: query.refetch,
})

/** Cuts pages for the export, without another call. */
export const partsOfWhole =
  <Row>(rows: readonly Row[] = []) =>
  (part: Part) =>
    Promise.resolve(slice(rows, part))

const slice = <Row>(rows: readonly Row[], { page, pageSize }: Part) => ({
  items: rows.slice((page - 1) * pageSize, page * pageSize),
  total: rows.length,
})
