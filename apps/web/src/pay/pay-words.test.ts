import { expect, test } from 'vitest'
import {
  balanceStates,
  leftToApprove,
  paymentText,
  periodStates,
  settingsText,
  signedMoney,
} from './pay-words.ts'

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
  ['deleted', 'Deleted, not paid'],
  ['negative', 'Negative'],
  ['nothing', 'Nothing owed'],
  ['below-minimum', 'Below the minimum'],
  ['later', 'Paid later'],
] as const)('a balance that is %s reads: %s', (state, text) => {
  expect(balanceStates[state].label).toBe(text)
})

test.each([
  [
    { payees: 'offices', periodLength: 'beWeek', avp: 'instead', holdingDays: 0 },
    'Offices, by half-month. AVP instead of rates.',
  ],
  [
    { payees: 'agents', periodLength: 'week', avp: 'on-top', holdingDays: 15 },
    'Agents, by week, paid 15 days after its end. AVP on top of rates.',
  ],
  [
    { payees: 'agents', periodLength: 'month', avp: 'information', holdingDays: 1 },
    'Agents, by month, paid 1 day after its end. AVP for information only.',
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

test.each([
  [{}, 'In run R-2026-0002, waiting for approval: on 18 Dec to BDO ••8871'],
  [{ executionDay: '2026-12-17' }, 'In run R-2026-0002, waiting for approval, to BDO ••8871'],
  [
    { step: 'sent', executionDay: '2026-12-17' },
    'In run R-2026-0002, sent to the bank: on 17 Dec to BDO ••8871',
  ],
  [{ step: 'approved' }, 'In run R-2026-0002, approved: on 18 Dec to BDO ••8871'],
  [{ step: 'sent' }, 'In run R-2026-0002, sent to the bank: on 18 Dec to BDO ••8871'],
  [{ step: 'paid' }, 'By run R-2026-0002 to BDO ••8871'],
  [
    { step: 'paid', bankReferences: ['0012', '0013'] },
    'By run R-2026-0002 to BDO ••8871 · bank’s reference 0012, 0013',
  ],
] as const)('a payment of %j reads: %s', (own, text) => {
  const payment = {
    run: 'R-2026-0002',
    step: 'prepared' as const,
    executionDay: '2026-12-18',
    institutionName: 'BDO',
    lastCharacters: '8871',
  }
  expect(
    paymentText(
      {
        ...payment,
        ...own,
        bankReferences: [...('bankReferences' in own ? own.bankReferences : [])],
      },
      '2026-12-18',
    ),
  ).toBe(text)
})

test.each([
  [null, undefined],
  [['ann', 'bea'], undefined],
  [
    ['ann'],
    'After this, only ann could approve the next run of Manila, so somebody else must prepare it.',
  ],
  [[], expect.stringMatching(/^After this, nobody could approve the next run of Manila: /)],
])('an act that leaves %j to approve says: %s', (approvers, text) => {
  expect(leftToApprove('Manila', approvers)).toEqual(text)
})
