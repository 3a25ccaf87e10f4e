import { accountDoubts } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { expect, test } from 'vitest'
import { dayInWords, doubtText, doubtTitle, sharedWords } from './account-words.ts'

test('every doubt is a sentence, with and without knowing who and when', () => {
  const at = '2026-11-21T03:00:00.000Z' // still the 20th in New York
  const known = accountDoubts.map((doubt) => doubtText({ doubt, by: 'ann', at }))
  expect(known[0]).toBe('The payee’s password was set by ann on 20 Nov.')
  const unknown = accountDoubts.map((doubt) => doubtText({ doubt, by: null, at: null }))
  for (const text of [...known, ...unknown]) expect(text).toMatch(/^[A-Z][^.]*[^ ]\.$/)
  expect(unknown.join(' ')).not.toMatch(/null|undefined/)
})

const then = '2026-11-21T03:00:00.000Z'

test.each([
  [
    'password set',
    'The payee’s password was set by ann on 20 Nov.',
    'The payee’s password was set.',
  ],
  ['signed in as', 'Signed in as the payee by ann on 20 Nov.', 'Signed in as the payee.'],
  [
    'password shown',
    'The payee’s password was shown to ann on 20 Nov.',
    'The payee’s password was shown to somebody else.',
  ],
  [
    'staff device',
    'The payee signed in on a device that ann also signed in on.',
    'The payee signed in on a device that a member of staff also signed in on.',
  ],
] as const)('the doubt %s reads: %s; by somebody unknown: %s', (doubt, known, unknown) => {
  expect(doubtText({ doubt, by: 'ann', at: then })).toBe(known)
  expect(doubtText({ doubt, by: null, at: null })).toBe(unknown)
})

test('somebody else’s hand weighs more than another payee’s', () => {
  const doubts = [{ doubt: 'password set' as const, by: 'ann', at: then }]
  expect(doubtTitle({ doubts })).toBe('Somebody else may have entered this account')
  expect(doubtTitle({ doubts: [] })).toBe('Another payee has entered the same account')
})

test.each([
  ['in force', 'is paid to the same account.'],
  ['waiting', 'has entered the same account, which is waiting for confirmation.'],
  ['refused', 'entered the same account, and it was refused.'],
  ['former', 'had the same account before.'],
] as const)('another payee whose account is %s %s', (state, text) => {
  expect(sharedWords[state]).toBe(text)
})

test.each([
  ['2026-12-01', '1 Dec'],
  ['2027-02-28', '28 Feb'],
])('%s reads: %s', (day, text) => {
  expect(dayInWords(day)).toBe(text)
})
