import type { PayChecks, PayPeriodItem } from '@tallyroom/contract/pay/closing/periods'
import { expect, test } from 'vitest'
import { textOf } from '../../ui/text/text-of.tsx'
import { checkLines, isCompared, openText } from './check-lines.tsx'

const manila = { kind: 'office' as const, id: 2, name: 'Manila' }

const period: PayPeriodItem = {
  name: '2026-11-A',
  start: '2026-11-01',
  end: '2026-11-15',
  state: 'ready',
  payees: 'offices',
  avp: 'instead',
  exchangeRate: null,
  rateBefore: null,
  closed: null,
}

const checks = (own: Partial<PayChecks> = {}): PayChecks => ({
  postbacks: [],
  fraudAgents: [],
  suspendedAgents: [],
  equalAdjustments: [],
  unusual: [],
  totals: null,
  needExchangeRate: [],
  notPaid: [],
  waiting: [],
  ...own,
})

const site = { siteId: 3, siteName: 'Lantern Live' }
const maria = { agentId: 7, agentName: 'maria' }
const rate = { pesosE4: 582_500, source: 'BSP', setBy: 'ann' }

test.each<[string, Partial<PayChecks>, Partial<PayPeriodItem>, string[]]>([
  ['nothing', {}, {}, []],
  [
    'payees that are paid later',
    {
      notPaid: [
        {
          ...manila,
          balance: 300_00,
          cause: 'not free yet',
          why: 'It is paid later: ₱300.00 from 30 Nov.',
          currency: 'PHP',
        },
      ],
    },
    {},
    ['Payees are paid later, because what the period adds is held. → 1'],
  ],
  [
    'equal adjustments',
    {
      equalAdjustments: [
        { payee: manila, currency: 'PHP', amount: 1_500_00, reason: 'Referral bonus', times: 2 },
      ],
    },
    {},
    [
      'Manila has 2 equal adjustments: Referral bonus. If one is a mistake, take it back. → ₱1,500.00',
    ],
  ],
  [
    'waiting postbacks',
    { postbacks: [{ ...site, waiting: 1, conflicts: 0, centavos: 1 }] },
    {},
    ['Lantern Live: 1 waiting postback → about ₱0.01'],
  ],
  [
    'postbacks in conflict, whose amount is not known',
    { postbacks: [{ ...site, waiting: 0, conflicts: 2, centavos: 0 }] },
    {},
    ['Lantern Live: 2 in conflict → about ₱0.00'],
  ],
  [
    'both',
    { postbacks: [{ ...site, waiting: 1_200, conflicts: 1, centavos: 450_00 }] },
    {},
    ['Lantern Live: 1,200 waiting postbacks, 1 in conflict → about ₱450.00'],
  ],
  [
    'a marked agent',
    { fraudAgents: [{ ...maria, marked: true, payee: manila, centavos: 450_01, cents: 0 }] },
    {},
    ['maria is marked for fraud. Hold back ₱450.01, or put Manila on hold. → ₱450.01'],
  ],
  [
    'marked sales whose reversals outweigh them: nothing to hold back',
    { fraudAgents: [{ ...maria, marked: false, payee: manila, centavos: -450_00, cents: 0 }] },
    {},
    ['maria has sales marked for fraud.  → -₱450.00'],
  ],
  [
    'a marked agent whose tiers are paid in dollars',
    { fraudAgents: [{ ...maria, marked: true, payee: manila, centavos: 0, cents: 2_00 }] },
    {},
    ['maria is marked for fraud. Put Manila on hold. → $2.00'],
  ],
  [
    'sales of a suspended agent',
    {
      suspendedAgents: [
        { ...maria, sales: 1, centavos: 450_00, cents: 60 },
        { agentId: 8, agentName: 'jun', sales: 1_204, centavos: 0, cents: 0 },
      ],
    },
    {},
    [
      'maria was suspended when a sale came. The clicks were made before. → ₱450.00 and $0.60',
      'jun was suspended when 1,204 sales came. The clicks were made before. → ₱0.00',
    ],
  ],
  [
    'an unusual sum',
    { unusual: [{ payee: manila, currency: 'USD', amount: -1, usual: 1_200_00 }] },
    {},
    ['Manila is far from usual, which is $1,200.00 → -$0.01'],
  ],
  ['totals that agree', { totals: { differences: 0, first: null } }, {}, []],
  ['totals that nobody compared', { totals: 'too many' }, {}, []],
  [
    'an adjustment that waits',
    {
      waiting: [
        {
          kind: 'adjustment',
          id: 1,
          payee: manila,
          currency: 'PHP',
          amount: -20_000_00,
          by: 'ann',
        },
      ],
    },
    {},
    [
      'Waiting for a second person: the adjustment of Manila that ann entered. If you close first, it goes on the next statement once it is approved. → -₱20,000.00',
    ],
  ],
  [
    'an exchange rate that waits, and is needed',
    {
      waiting: [{ kind: 'exchange rate', id: 1, pesosE4: 700_000, by: 'ann' }],
      needExchangeRate: [manila],
    },
    {},
    [
      'Waiting for a second person: the exchange rate that ann entered. If you close first, it can’t be approved any more. → ₱70.00 for $1',
      'Manila: paid in the other currency. Enter the exchange rate of this period. → Needed',
    ],
  ],
  [
    'who would not be paid',
    {
      notPaid: (
        [
          ['on hold', 'A call is due.'],
          ['no confirmed account', 'It has no confirmed account yet.'],
          ['not in the file', 'It doesn’t fit into a file of BPI: it is too much.'],
        ] as const
      ).map(([cause, why]) => ({ ...manila, balance: 5_00, currency: 'USD', cause, why })),
    },
    {},
    [
      'Manila would not be paid: A call is due. Open the hold → $5.00',
      'Manila would not be paid: It has no confirmed account yet. Open the accounts → $5.00',
      'Manila would not be paid: It doesn’t fit into a file of BPI: it is too much. Change the template → $5.00',
    ],
  ],
  [
    'the rate that was entered',
    {},
    { exchangeRate: rate },
    ['Exchange rate: BSP, entered by ann → ₱58.25 for $1'],
  ],
  [
    'a rate of which nobody knows who entered it',
    {},
    { exchangeRate: { ...rate, setBy: null } },
    ['Exchange rate: BSP → ₱58.25 for $1'],
  ],
])('before a period is closed: %s', (_, own, ofPeriod, texts) => {
  const lines = checkLines(checks(own), { ...period, ...ofPeriod })
  expect(lines.map(([, what, fact]) => `${textOf(what)} → ${textOf(fact)}`)).toEqual(texts)
})

test('totals that differ say how many, and show the first', () => {
  const factOf = (differences: number) => {
    const totals = { differences, first: 'sales of maria: 3, not 2' }
    const [line] = checkLines(checks({ totals }), period)
    return [textOf(line?.[1]).split(' | ').at(-1), line?.[2]]
  }
  expect(factOf(1)).toEqual(['sales of maria: 3, not 2', '1 difference'])
  expect(factOf(40)).toEqual(['sales of maria: 3, not 2', '40 differences'])
})

test.each([
  [null, false],
  ['too many' as const, false],
  [{ differences: 0, first: null }, true],
])('whether reports were compared: %j', (totals, is) => {
  expect(isCompared(totals)).toBe(is)
})

test.each([
  [0, 0, ''],
  [1, 0, '1 waiting postback'],
  [2, 1, '2 waiting postbacks, 1 in conflict'],
])('%d waiting and %d conflicts read: %s', (waiting, conflicts, text) => {
  expect(openText({ waiting, conflicts })).toBe(text)
})

test('of hundreds who would not be paid, the first are named and the others counted', () => {
  const notPaid = Array.from({ length: 63 }, (_, id) => ({
    ...manila,
    id: id + 1,
    balance: 1,
    currency: 'PHP' as const,
    cause: 'below minimum' as const,
    why: 'Less than ₱500.00 is carried to the next period.',
  }))
  const lines = checkLines(checks({ notPaid }), period)
  expect([lines.length, lines.at(-1)?.[2]]).toEqual([51, '13'])
})
