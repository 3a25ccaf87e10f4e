import type { Endpoint, InputOf } from '@tallyroom/contract/endpoint'
import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'

/** A call as a query: `useQuery(queryOf(listSites, { query: {} }))`. The key is `[path, input]`. */
export const queryOf = <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
  queryOptions({
    queryKey: [endpoint.path, input] as const,
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })
