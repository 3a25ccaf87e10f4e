import { meSchema, type Me } from '@tallyroom/contract/people/accounts'
import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { storedValue } from './stored.ts'

const sessionSchema = z.object({
  token: z.string().min(1),
  // One that an earlier release stored has none of these.
  me: meSchema.extend({
    contact: meSchema.shape.contact.default(null),
    factors: meSchema.shape.factors.default([]),
    isDemo: meSchema.shape.isDemo.default(false),
    mustAddFactor: meSchema.shape.mustAddFactor.default(false),
  }),
})

/** The bearer token and its account, stored in this browser until sign-out. */
export type Session = z.infer<typeof sessionSchema>

const stored = storedValue('tallyroom.session', (text) => {
  const session = sessionSchema.safeParse(JSON.parse(text))
  return session.success ? session.data : null
})

export const readSession = (): Session | null => stored.get()

export const openSession = (session: Session) => stored.set(session)

/** Stores the same session with newer rights, unless another tab has just ended it. */
export const renewSession = (session: Session) => stored.renew(session)

/** Drops the session in every tab. `auth/logout` ends it on the server. */
export const forgetSession = () => stored.set(null)

/** Calls back when this tab or another one changes the session. */
export const onSessionChange = stored.subscribe

/** The session, for pages that open without one, too. */
export const useSession = (): Session | null =>
  useSyncExternalStore(stored.subscribe, stored.get, stored.get)

/** The signed-in user. Only for signed-in pages. */
export function useMe(): Me {
  const me = useSession()?.me ?? lastMe
  if (!me) throw new Error('useMe is only for signed-in pages')
  lastMe = me
  return me
}

/** Needed because signing out renders the page once more before the router leaves it. */
let lastMe: Me | undefined
