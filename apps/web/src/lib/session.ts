import { meSchema, type Me } from '@tallyroom/contract/accounts'
import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { storedValue } from './stored.ts'

const sessionSchema = z.object({ token: z.string().min(1), me: meSchema })

/** The bearer token and whom it belongs to, kept in this browser until sign-out. */
export type Session = z.infer<typeof sessionSchema>

const stored = storedValue('tallyroom.session', (text) => {
  const session = sessionSchema.safeParse(JSON.parse(text))
  return session.success ? session.data : null
})

export const readSession = (): Session | null => stored.get()

export const openSession = (session: Session) => stored.set(session)

/** Forgets the session in every tab; the server's side is ended by `auth/logout`. */
export const forgetSession = () => stored.set(null)

/** Calls back when the session changes, by this tab or another. */
export const onSessionChange = stored.subscribe

const useSession = (): Session | null => useSyncExternalStore(stored.subscribe, stored.get)

/** The signed-in user; only for what is drawn behind sign-in. */
export function useMe(): Me {
  const me = useSession()?.me ?? lastMe
  if (!me) throw new Error('useMe is only for pages behind sign-in')
  lastMe = me
  return me
}

/** Signing out redraws the page once more before the router has left it. */
let lastMe: Me | undefined
