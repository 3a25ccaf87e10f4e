import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isApiError } from '../lib/api-error.ts'
import { forgetSession } from '../lib/session.ts'
import { toast } from '../ui/toasts.tsx'

/** `ownErrors`: the component shows the failure itself, in its form. */
interface Meta extends Record<string, unknown> {
  ownErrors?: boolean
  /** Failures are written to the console and nowhere else. */
  silentErrors?: boolean
  /** The form itself tells that somebody else was faster. */
  ownConflicts?: boolean
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta
    mutationMeta: Meta
  }
}

const RETRIES = 2

/** The one error policy: every failed call of every page comes through here. */
function handleError(error: Error, meta: Meta | undefined) {
  if (isApiError(error, 'INVALID_TOKEN')) return forgetSession()
  // Forms put these messages on their fields, lists in their frame.
  if (isApiError(error, 'VALIDATION_ERROR') || meta?.ownErrors) return
  // Not `reportError`: an answer that was to be expected is no fault of the page.
  // oxlint-disable-next-line no-console
  if (meta?.silentErrors) return console.warn(error.message)
  if (isApiError(error, 'CONFLICT') && meta?.ownConflicts) return
  if (!isApiError(error)) reportError(error)
  toast({
    kind: 'error',
    heading: 'Something Went Wrong',
    body: isApiError(error) ? error.message : 'This page has a fault. Reload it and try again.',
  })
}

const isPassing = (error: Error) => isApiError(error, 'NETWORK') || isApiError(error, 'UNAVAILABLE')

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => handleError(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => handleError(error, mutation.meta),
  }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < RETRIES && isPassing(error),
      retryDelay: (attempt) => 400 * 2 ** attempt,
      // Figures change under a reader's eyes only when asked to.
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
