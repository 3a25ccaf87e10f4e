import { heldPostbacksEndpoints } from '@tallyroom/contract/tracking/held-postbacks'
import { rateBackdatingEndpoints } from '@tallyroom/contract/pay/backdating/backdating'
import { expect, test } from 'vitest'
import { changingCallOf } from './changing-calls.ts'

const { settleHeldPostbacks } = heldPostbacksEndpoints
const { backdateRate } = rateBackdatingEndpoints

const types = (...fields: { field: string; from: string; to: string }[]) => ({
  of: [{ ref: 'linkType:7' as const, name: 'Lantern Live · Free Sign-up', fields }],
  more: 0,
})
const post = { from: '2026-11-16', reason: 'As the contract says' }

test.each([
  [
    types({ field: 'payout', from: '₱40.00', to: '₱45.00' }),
    'Backdated the payout of Lantern Live · Free Sign-up from ₱40.00 to ₱45.00 since 2026-11-16: As the contract says',
  ],
  [
    types({ field: 'payout', from: '₱40.00', to: '₱45.00' }, { field: 'LPP', from: '1', to: '2' }),
    'Backdated Lantern Live · Free Sign-up: payout from ₱40.00 to ₱45.00; LPP from 1 to 2 since 2026-11-16: As the contract says',
  ],
  // In force under a later change, so that nothing differs today.
  [types(), 'Backdated Lantern Live · Free Sign-up since 2026-11-16: As the contract says'],
  [undefined, 'Backdated rates since 2026-11-16: As the contract says'],
])('a backdating says from what to what, since when and why: %j', (changes, sentence) => {
  expect(changingCallOf(backdateRate)?.says({ changes, post, get: {} })).toBe(sentence)
})

test.each([
  ['was-retry', ['a'], 'Marked a held postback as a retry: Asked'],
  ['in-proportion', ['a', 'b'], 'Took back a part of the sale of 2 held postbacks: Asked'],
  ['refuse', ['a'], 'Refused a held postback: Asked'],
  ['keep-first', ['a'], 'Kept the first sale, and refused a held postback: Asked'],
  ['take-this', ['a'], 'Took a held postback, and took back the first sale of the order: Asked'],
  ['both-count', ['a'], 'Counted a held postback as a sale of its own beside the first: Asked'],
  ['of a later version', ['a'], 'Settled a held postback: Asked'],
])('a decision about held postbacks is told in words: %s', (act, ids, sentence) => {
  const told = { changes: undefined, post: { ids, act, reason: 'Asked' }, get: {} }
  expect(changingCallOf(settleHeldPostbacks)?.says(told)).toBe(sentence)
})
