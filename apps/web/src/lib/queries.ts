import type { Endpoint, InputOf } from '@tallyroom/contract/endpoint'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'

interface QueryExtras {
  /** While the next answer is on its way, the one before stays, marked `isPlaceholderData`: for lists. */
  keepPrevious?: boolean
  /** How long an answer counts as fresh. */
  staleTime?: number
}

/** A call as a query: `useQuery(queryOf(listSites, { query: {} }))`. The key is `[path, input]`. */
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
 * Spread into a query that fills a form: read anew whenever the form is opened, never renewed under the hands of
 * whoever fills it in, and what goes wrong is said where the form would stand.
 */
export const FOR_FORM = { gcTime: 0, staleTime: Infinity, meta: { ownErrors: true } }
