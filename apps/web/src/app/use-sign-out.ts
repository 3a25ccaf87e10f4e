import { authEndpoints } from '@tallyroom/contract/people/auth'
import { useRouter } from '@tanstack/react-router'
import { call } from '../lib/call.ts'
import { forgetSession, readSession } from '../lib/session.ts'

/** Signs out of all tabs at once, and tells the server without waiting for it. */
export function useSignOut() {
  const router = useRouter()
  return () => {
    const token = readSession()?.token
    forgetSession()
    void router.navigate({ to: '/login', ignoreBlocker: true, replace: true })
    // If the server is unreachable, the session expires by itself.
    if (token) call(authEndpoints.logout, {}, { token }).catch(() => {})
  }
}
