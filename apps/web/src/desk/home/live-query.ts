import type { AnswerOf, Endpoint, InputOf } from '@tallyroom/contract/endpoint'
import { queryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import { callAgain, type Marked } from '../../lib/call.ts'

export const POLL_MS = 10_000

const JUST_ASKED_MS = 1_000

/** What a page of live queries says when the first of them failed. */
export const TRIES_AGAIN = 'This page tries again every ten seconds.'

/** A call without input, polled every ten seconds while the tab is visible. If nothing changed, the answer is empty. */
export const liveQuery = <E extends Endpoint>(endpoint: E) =>
  queryOptions({
    queryKey: [endpoint.path] as const,
    queryFn: ({ client, queryKey, signal }) =>
      callAgain(
        endpoint,
        {} as InputOf<E>, // such an endpoint declares no parts, which a generic type can't say
        client.getQueryData<Marked<AnswerOf<E>>>(queryKey),
        { signal },
      ),
    select: ({ answer }) => answer,
    // What is being rebuilt is said at once, and asked for again at the next poll.
    retry: (failures, error) => failures < 2 && isApiError(error, 'NETWORK'),
    // The route has just asked, and is told before its page is drawn.
    retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > JUST_ASKED_MS,
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: 'always',
    // The page itself says that it is out of date, so there is no error message every ten seconds.
    meta: { ownErrors: true },
  })

/** Why there is no answer yet. Stays while the query tries again, which forgets its error. */
export function useFailure({ data, error }: { data: unknown; error: Error | null }): Error | null {
  const [failure, setFailure] = useState(error)
  if (error && error !== failure) setFailure(error)
  return data === undefined ? failure : null
}
