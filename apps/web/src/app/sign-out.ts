import { authEndpoints } from '@tallyroom/contract/auth'
import { useRouter } from '@tanstack/react-router'
import { call } from '../lib/call.ts'
import { forgetSession, readSession } from '../lib/session.ts'

/** Signs out of every tab at once; the server is told, but nobody waits for it. */
export function useSignOut() {
  const router = useRouter()
  return () => {
    const token = readSession()?.token
    forgetSession()
    void router.navigate({ to: '/login', ignoreBlocker: true, replace: true })
    // Out of reach or already ended: there is nothing left to do here, the session runs out by itself.
    if (token) call(authEndpoints.logout, {}, { token }).catch(() => {})
  }
}
