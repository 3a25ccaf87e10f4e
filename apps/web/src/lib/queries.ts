import type { Endpoint, InputOf } from '@tallyroom/contract/endpoint'
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  type Register,
  skipToken,
} from '@tanstack/react-query'
import { call } from './call.ts'

interface QueryExtras {
  /** For lists: keeps the previous answer while the next one loads, marked `isPlaceholderData`. */
  keepPrevious?: boolean
  /** How long an answer counts as fresh, in milliseconds. */
  staleTime?: number
  /** Who reports its errors, if not a toast. */
  meta?: Register['queryMeta']
}

/** Turns a call into a query: `useQuery(queryOf(listSites, { query: {} }))`. The key is `[path, input]`. */
export const queryOf = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  { keepPrevious, ...freshness }: QueryExtras = {},
) =>
  queryOptions({
    queryKey: [endpoint.path, input] as const,
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
    ...freshness,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  })

/**
 * The query of a call that is made once there is something to ask; until then without data. The previous answer stays
 * while the next one loads.
 */
export const queryOnceAsked = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | undefined,
  extras: Pick<QueryExtras, 'meta'> = {},
) =>
  queryOptions({
    queryKey: [endpoint.path, input] as const,
    queryFn: input ? ({ signal }) => call(endpoint, input, { signal }) : skipToken,
    placeholderData: keepPreviousData,
    ...extras,
  })

/**
 * Options for a query that fills a form: fetched whenever the form opens, never refetched while it is edited. Errors
 * are shown in place of the form.
 */
export const FOR_FORM = { gcTime: 0, staleTime: Infinity, meta: { ownErrors: true } }

/** A call's query with {@link FOR_FORM}. Others of the same call have answers of their own. */
export const formQueryOf = <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
  queryOptions({
    queryKey: [endpoint.path, 'form', input] as const,
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
    ...FOR_FORM,
  })

/** Refetches what these calls answered, wherever it is shown. */
export const refreshOf =
  (...calls: readonly Pick<Endpoint, 'path'>[]) =>
  (client: QueryClient) =>
    Promise.all(calls.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
