import { expect, test } from 'vitest'
import { balanceStates, periodStates, settingsText, signedMoney } from './pay-words.ts'

test.each([
  ['open', 'Open'],
  ['ready', 'Ready to close'],
  ['waits', 'After an earlier period'],
  ['closed', 'Closed'],
] as const)('a period that is %s reads: %s', (state, text) => {
  expect(periodStates[state].label).toBe(text)
})

test.each([
  ['payable', 'To be paid'],
  ['held', 'On hold'],
  ['account-waits', 'New account to confirm'],
  ['account-new', 'New account'],
  ['no-account', 'No confirmed account'],
  ['negative', 'Negative'],
  ['nothing', 'Nothing'],
  ['below-minimum', 'Below the minimum'],
] as const)('a balance that is %s reads: %s', (state, text) => {
  expect(balanceStates[state].label).toBe(text)
})

test.each([
  [
    { payees: 'offices', periodLength: 'beWeek', avp: 'instead' },
    'Offices, by half-month. AVP instead of rates.',
  ],
  [
    { payees: 'agents', periodLength: 'week', avp: 'on-top' },
    'Agents, by week. AVP on top of rates.',
  ],
  [
    { payees: 'agents', periodLength: 'month', avp: 'information' },
    'Agents, by month. AVP for information only.',
  ],
] as const)('the settings %j read: %s', (settings, text) => {
  expect(settingsText(settings)).toBe(text)
})

test.each([
  [1, 'PHP', '+₱0.01'],
  [-1, 'PHP', '-₱0.01'],
  [0, 'PHP', '₱0.00'],
  [1_234_50, 'USD', '+$1,234.50'],
  [-450_00, 'USD', '-$450.00'],
] as const)('a change of %d in %s reads: %s', (amount, currency, text) => {
  expect(signedMoney(amount, currency)).toBe(text)
})
