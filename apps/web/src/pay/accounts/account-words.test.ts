import { accountDoubts } from '@tallyroom/contract/pay/accounts'
import { expect, test } from 'vitest'
import { doubtText } from './account-words.ts'

test('every doubt is a sentence, with and without knowing who and when', () => {
  const at = '2026-11-21T03:00:00.000Z' // still the 20th in New York
  const known = accountDoubts.map((doubt) => doubtText({ doubt, by: 'ann', at }))
  expect(known[0]).toBe('The payee’s password was set by ann on 20 Nov.')
  const unknown = accountDoubts.map((doubt) => doubtText({ doubt, by: null, at: null }))
  for (const text of [...known, ...unknown]) expect(text).toMatch(/^[A-Z][^.]*[^ ]\.$/)
  expect(unknown.join(' ')).not.toMatch(/null|undefined/)
})
