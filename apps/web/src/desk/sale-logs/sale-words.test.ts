import { expect, test } from 'vitest'
import { recordLabel, reportedText, REVERSAL_LABELS } from './sale-words.ts'

test.each([
  [0, false, 'Sale'],
  [1, false, 'Bonus'],
  [0, true, 'Day#1 Approval'],
  [1, true, 'Day#2 Sale'],
] as const)(
  'an event %d of a site with approvals (%s) is a %s',
  (eventType, useApproveSale, text) => {
    expect(recordLabel({ eventType, useApproveSale })).toBe(text)
  },
)

test.each([
  [49.9, 'USD', '49.9 USD'],
  [0, 'PHP', '0 PHP'],
  [-5, null, '-5'],
])('%d in %s was reported: %s', (amount, currency, text) => {
  expect(reportedText({ amount, currency })).toBe(text)
})

test.each([
  ['void', 'Void'],
  ['chargeback', 'Chargeback'],
  ['fraud', 'Fraud'],
] as const)('a reversal %s reads: %s', (reversal, text) => {
  expect(REVERSAL_LABELS[reversal]).toBe(text)
})
