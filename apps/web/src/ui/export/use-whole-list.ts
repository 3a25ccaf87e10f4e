import type { AnswerOf, Endpoint, InputOf } from '@tallyroom/contract/endpoint'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import {
  type ListOptions,
  type ListPaging,
  type ListSearch,
  type Part,
  type SortFieldOf,
  useListState,
  wireSort,
} from '../list/list-state.ts'
import type { ListQuery } from '../list/ListFrame.tsx'
import { pageOfWhole, partsOfWhole, type WholeQuery } from './whole-list.ts'

/** A list of which all rows are here. */
export interface WholeList<Row> {
  list: ListPaging
  rows: readonly Row[] | undefined
  /** The page of them that is shown. */
  query: ListQuery<Row>
  csv: { fetchPage: (part: Part) => Promise<{ items: Row[]; total: number }>; disabled: boolean }
}

type RowOf<Answer> = Answer extends readonly (infer Row)[] ? Row : never
type QueryOf<E> = InputOf<E> extends { query?: infer Query } ? NonNullable<Query> : never

/** A list that the server sends as a whole, in the requested order. `input` is the request without its order. */
export function useWholeList<E extends Endpoint>(
  endpoint: E,
  {
    search,
    sortField,
    sortAsc,
    ...input
  }: ListOptions<ListSearch<SortFieldOf<QueryOf<E>>>> & Omit<InputOf<E>, 'query'>,
): WholeList<RowOf<AnswerOf<E>>> {
  const list = useListState(search, { sortField, sortAsc })
  const whole = useQuery(
    queryOf(
      endpoint,
      { ...input, query: wireSort(list) } as unknown as InputOf<E>, // as its options say, which a generic type can't
      { keepPrevious: true },
    ),
  ) as WholeQuery<RowOf<AnswerOf<E>>> // as above
  return {
    list,
    rows: whole.data,
    query: pageOfWhole(whole, list),
    csv: { fetchPage: partsOfWhole(whole.data), disabled: !whole.data?.length },
  }
}
