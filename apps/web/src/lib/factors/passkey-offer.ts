import type { Me } from '@tallyroom/contract/people/accounts'
import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { hasPasskeys } from './passkeys.ts'
import { storedValue } from '../stored.ts'

/** By account: whether it signed in with its password here, so that a passkey is offered, or has declined it. */
const offersSchema = z.record(z.string(), z.enum(['offered', 'declined']))
type Offers = z.infer<typeof offersSchema>

const offers = storedValue('tallyroom.passkey-offers', (text) => {
  const parsed = offersSchema.safeParse(JSON.parse(text))
  return parsed.success ? parsed.data : null
})

/** Offers a passkey to an account that has just signed in with its password, unless it has declined in this browser. */
export function offerPasskey(accountId: number): void {
  const all = offers.get()
  if (all?.[accountId] === undefined) offers.set({ ...all, [accountId]: 'offered' })
}

/** Also once a passkey is removed: who does that wants no other. */
export const declinePasskey = (accountId: number): void =>
  offers.set({ ...offers.get(), [accountId]: 'declined' })

/** Whether the account is offered a passkey, if the device can keep one. Never in the demo, whose accounts many share. */
export const isOffered = (me: Me, all: Offers | null): boolean =>
  all?.[me.accountId] === 'offered' &&
  me.signedInBy === null &&
  !me.isDemo &&
  !me.factors.some((factor) => factor !== 'code')

export const readOffers = offers.get

export const usePasskeyOffer = (me: Me): boolean =>
  isOffered(me, useSyncExternalStore(offers.subscribe, offers.get)) && hasPasskeys()
