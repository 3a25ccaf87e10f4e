import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isApiError } from '../lib/api-error.ts'
import { refreshMe } from '../lib/refresh-me.ts'
import { forgetSession } from '../lib/session.ts'
import { toast } from '../ui/toasts.tsx'

interface Meta extends Record<string, unknown> {
  /** The component shows failures itself. */
  ownErrors?: boolean
  /** Failures are only logged to the console. */
  silentErrors?: boolean
  /** The form itself reports that somebody else has changed the record. */
  ownConflicts?: boolean
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta
    mutationMeta: Meta
  }
}

const RETRIES = 2

/** Whoever can't be asked now is asked with the next refusal. */
const learnRights = () => void refreshMe().catch(() => {})

/** The error policy for every failed call of every page. */
function handleError(error: Error, meta: Meta | undefined) {
  if (isApiError(error, 'INVALID_TOKEN')) return forgetSession()
  // The user was asked for the password or the second factor, and cancelled.
  if (isApiError(error, 'PROOF_NEEDED') || isApiError(error, 'FACTOR_NEEDED')) return
  // The account may have lost a right, or need a second factor from today on.
  if (isApiError(error, 'FORBIDDEN')) learnRights()
  // Forms show these messages on their fields, and lists in place of their rows.
  if (isApiError(error, 'VALIDATION_ERROR') || meta?.ownErrors) return
  // Not `reportError`, because an expected response is not a bug of the page.
  // oxlint-disable-next-line no-console
  if (meta?.silentErrors) return console.warn(error.message)
  if (isApiError(error, 'CONFLICT') && meta?.ownConflicts) return
  if (!isApiError(error)) reportError(error)
  toast({
    kind: 'error',
    heading: 'Something Went Wrong',
    body: isApiError(error) ? error.message : 'Reload the page and try again.',
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
      // Figures must not change while somebody reads them, unless a query opts in.
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
