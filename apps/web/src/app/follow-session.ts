import { onSessionChange, readSession } from '../lib/session.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

/**
 * Acts on sessions that end or change, in this tab or another: nothing that one account loaded may
 * stay on screen for nobody, or for the next account.
 */
export function followSession() {
  let accountId = readSession()?.me.accountId
  onSessionChange(() => {
    const session = readSession()
    const isOther = session?.me.accountId !== accountId
    accountId = session?.me.accountId
    if (!isOther) return
    queryClient.clear()
    // Such as how far pages were scrolled: nothing of one account is left in the tab for the next.
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
  try {
    sessionStorage.clear()
  } catch {
    // Blocked, so there is nothing in it.
  }
}
