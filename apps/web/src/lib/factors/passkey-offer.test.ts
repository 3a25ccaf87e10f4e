import type { Me } from '@tallyroom/contract/people/accounts'
import { expect, test } from 'vitest'
import { declinePasskey, isOffered, offerPasskey, readOffers } from './passkey-offer.ts'

const me: Me = {
  accountId: 1,
  username: 'anna',
  role: 'agent',
  companyId: 1,
  officeName: 'Manila',
  agentId: 1,
  permissions: [],
  signedInBy: null,
  mustChangePassword: false,
  mustAddFactor: false,
  factors: [],
  isDemo: false,
  contact: null,
}

test('a passkey is offered after a password was used here, to that account alone', () => {
  expect(isOffered(me, readOffers())).toBe(false)
  offerPasskey(1)
  expect(isOffered(me, readOffers())).toBe(true)
  expect(isOffered({ ...me, factors: ['code'] }, readOffers())).toBe(true)
  expect(isOffered({ ...me, accountId: 2 }, readOffers())).toBe(false)
})

test.each<[string, Partial<Me>]>([
  ['whoever has one', { factors: ['passkey'] }],
  ['whoever has one on another address', { factors: ['passkey elsewhere'] }],
  ['a superadmin who is signed in as somebody else', { signedInBy: 'root' }],
  ['the accounts of the demo', { isDemo: true }],
])('it is not offered to %s', (_, of) => {
  offerPasskey(1)
  expect(isOffered({ ...me, ...of }, readOffers())).toBe(false)
})

test('who declines, or removes their passkey, is not asked again in this browser', () => {
  offerPasskey(3)
  declinePasskey(3)
  expect(isOffered({ ...me, accountId: 3 }, readOffers())).toBe(false)
  offerPasskey(3)
  expect(isOffered({ ...me, accountId: 3 }, readOffers())).toBe(false)
  offerPasskey(4)
  expect(isOffered({ ...me, accountId: 4 }, readOffers())).toBe(true)
})
