import { MAX_PAGE_SIZE } from '@tallyroom/contract/list-choices'
import type { BodyOf, Endpoint, InputOf } from '@tallyroom/contract/endpoint'
import { type Register, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { queryOf, refreshOf } from '../../lib/queries.ts'
import { searchChoice, searchFlag, searchInt } from '../../lib/pages/search.ts'
import { type FieldOf, type ListSearch, partOf } from './list-part.ts'

export type { ListSearch } from './list-part.ts'

/** The criteria in the URL. A missing one does not filter. */
export type CriteriaIn<Search extends ListSearch> = Omit<Search, keyof ListSearch>

/** The shape to spread into a route's search schema: `z.object({ ...listSearch(fields), username: searchText() })`. */
export const listSearch = <const Field extends string>(
  sortFields: readonly [Field, ...Field[]],
) => ({
  page: searchInt(1, 1_000_000),
  pageSize: searchInt(1, MAX_PAGE_SIZE),
  sortField: searchChoice(sortFields),
  sortAsc: searchFlag,
})

export interface ListOrder<Field extends string> {
  sortField: Field
  sortAsc: boolean
}

/** The state that `ListFrame` shows and changes. */
export interface ListPaging<Field extends string = string> extends ListOrder<Field> {
  page: number
  pageSize: number
  /** With `replace`, Back skips the previous page. */
  goToPage: (page: number, options?: { replace: boolean }) => void
  setPageSize: (pageSize: number) => void
  /** Called when a header is clicked. The first click sorts ascending, further clicks toggle. */
  sortBy: (field: string) => void
}

interface SortOf<Search extends ListSearch> {
  sortField?: FieldOf<Search> | undefined
  sortAsc?: boolean | undefined
}

export interface ListState<Search extends ListSearch> extends ListPaging<FieldOf<Search>> {
  /** Applies new criteria and goes back to page 1. Keeps the sort, unless the criteria set it, even to `undefined`. */
  search: (criteria: CriteriaIn<Search> & SortOf<Search>) => void
  /** Drops all criteria. */
  clear: () => void
}

/**
 * The state of a list, read from the URL and changed by navigation, so that Back, reload and shared links work.
 * @param standard the default sort
 */
export function useListState<Search extends ListSearch>(
  search: Search,
  standard: { sortField: FieldOf<Search>; sortAsc: boolean; pageSize?: number },
): ListState<Search> {
  const navigate = useNavigate()
  const { page, pageSize, sortField, sortAsc } = partOf(search, standard)
  // The search belongs to the current route, whose type the router can't infer here.
  const go = (next: object, options?: { replace: boolean }) =>
    void navigate({ to: '.', search: next as never, ...options })
  const sort = { sortField: search.sortField, sortAsc: search.sortAsc, pageSize: search.pageSize }

  return {
    page,
    pageSize,
    sortField,
    sortAsc,
    goToPage: (target, options) =>
      go({ ...search, page: target === 1 ? undefined : target }, options),
    setPageSize: (size) => go({ ...search, page: undefined, pageSize: size }),
    sortBy: (field) =>
      go({
        ...search,
        page: undefined,
        sortField: field,
        sortAsc: field === sortField ? !sortAsc : true,
      }),
    search: (criteria) => go({ ...sort, ...criteria }),
    clear: () => go(sort),
  }
}

/** Which page of a list, from 1 on. */
export type Part = Pick<ListPaging, 'page' | 'pageSize'>

export interface ListOptions<Search extends ListSearch> {
  /** The list's state in the URL. */
  search: Search
  /** The default sort. */
  sortField: NonNullable<Search['sortField']>
  sortAsc: boolean
}

interface PagedOptions<E extends Endpoint, Search extends ListSearch> extends ListOptions<Search> {
  /** The request without its page and sort. */
  asked: Omit<BodyOf<E>, keyof ListSearch>
  /** Who reports its errors, if not a toast. */
  meta?: Register['queryMeta']
}

export type SortFieldOf<Sorted> = Sorted extends { sortField?: infer Field }
  ? Extract<Field, string>
  : never

/**
 * A list that the server sends page by page: its state in the URL, its page, what its filters do, and what `ExportCsv`
 * fetches. Search asks again even for the same criteria, so that new rows show.
 */
export function usePagedList<E extends Endpoint, Search extends ListSearch<SortFieldOf<BodyOf<E>>>>(
  endpoint: E,
  { search, asked, meta, ...standard }: PagedOptions<E, Search>,
) {
  const client = useQueryClient()
  const list = useListState(search, standard)
  const { page, pageSize, sortField, sortAsc } = list
  const input = (part: Part) =>
    ({ body: { ...asked, sortField, sortAsc, ...part } }) as unknown as InputOf<E> // as its options say, which a generic type can't
  const query = useQuery(
    queryOf(endpoint, input({ page, pageSize }), { keepPrevious: true, ...(meta && { meta }) }),
  )
  return {
    list,
    query,
    filters: {
      onSearch: (criteria: Parameters<typeof list.search>[0]) => {
        list.search(criteria)
        void refreshOf(endpoint)(client)
      },
      onClear: list.clear,
    },
    csv: {
      fetchPage: (part: Part) => call(endpoint, input(part)),
      disabled: !(query.data as { total: number } | undefined)?.total, // as above
    },
  }
}

/** The order as parameters of a GET request. */
export const wireSort = <Field extends string>({ sortField, sortAsc }: ListOrder<Field>) => ({
  sortField,
  sortAsc: sortAsc ? ('true' as const) : ('false' as const),
})
