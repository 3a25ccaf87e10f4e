import { DEFAULT_PAGE_SIZE } from '@tallyroom/contract/list-choices'

/** A list's state in the URL besides its criteria. A missing value means the list's default. */
export interface ListSearch<Field extends string = string> {
  page?: number | undefined
  pageSize?: number | undefined
  sortField?: Field | undefined
  sortAsc?: boolean | undefined
}

export type FieldOf<Search extends ListSearch> = NonNullable<Search['sortField']>

/** The part and order that the URL says, or else the list's own. */
export function partOf<Search extends ListSearch>(
  search: Search,
  standard: { sortField: FieldOf<Search>; sortAsc: boolean; pageSize?: number },
) {
  const { page = 1, pageSize = standard.pageSize ?? DEFAULT_PAGE_SIZE } = search
  const sortField: FieldOf<Search> = search.sortField ?? standard.sortField
  const sortAsc = search.sortField === undefined ? standard.sortAsc : (search.sortAsc ?? true)
  return { page, pageSize, sortField, sortAsc }
}
