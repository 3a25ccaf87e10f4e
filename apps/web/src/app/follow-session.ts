import { keepToken, readKeptToken } from '../lib/pages/kept-token.ts'
import { onSessionChange, readSession } from '../lib/session.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

/**
 * Reacts when the session ends or changes, in this tab or another. Nothing that one account loaded may stay on
 * screen after sign-out or for the next account.
 */
export function followSession() {
  let accountId = readSession()?.me.accountId
  onSessionChange(() => {
    const session = readSession()
    const isOther = session?.me.accountId !== accountId
    accountId = session?.me.accountId
    // The day has come on which a factor is required: each page leads there.
    if (session?.me.mustAddFactor && router.state.location.pathname.startsWith('/app'))
      void router.invalidate()
    if (!isOther) return
    queryClient.clear()
    // Clears state such as scroll positions, which must not carry over to another account.
    clearTabStorage()
    if (session) return void router.invalidate()
    const { pathname, href } = router.state.location
    if (pathname.startsWith('/app'))
      void router.navigate({
        to: '/login',
        search: { returnUrl: href },
        replace: true,
        ignoreBlocker: true,
      })
  })
}

function clearTabStorage() {
  const token = readKeptToken()
  try {
    sessionStorage.clear()
  } catch {
    // Storage is blocked, so there is nothing to clear.
  }
  keepToken(token)
}
