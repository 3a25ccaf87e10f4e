import { expect, test } from 'vitest'
import { keptFields } from '../reading/kept-fields.ts'
import { type Dialect, type ParsedPostback, parsePostback } from './parse-postback.ts'
import { readBody, readForm } from '../reading/postback-fields.ts'

const CLICK = '38ft458m40000000000354j2jl378rv2'

type Row = {
  tracker: string
  /** As in the tracker's documentation, with the changes that our table asks for. */
  request: string
  says: Partial<ParsedPostback>
  amount: [name: string, value: string]
  settings?: Partial<Dialect>
}

/** The table "If you already report to another tracker" of docs/postbacks.md, row by row. */
const rows: Row[] = [
  {
    tracker: 'TUNE', // adv_sub becomes order_id
    request: `offer_id=26&transaction_id=${CLICK}&amount=19.99&order_id=A-7&goal_id=3&security_token=x`,
    says: { transactionId: 'A-7', event: 'bonus' },
    amount: ['amount', '19.99'],
    settings: { transactionIdIsClick: true, eventWords: new Map([['3', 'bonus']]) },
  },
  {
    tracker: 'Everflow, a base conversion',
    request: `nid=52&transaction_id=${CLICK}&order_id=A-7&amount=19.99&email=a%40example.com&verification_token=x`,
    says: { transactionId: 'A-7', event: 'sale', customerEmail: 'a@example.com' },
    amount: ['amount', '19.99'],
    settings: { transactionIdIsClick: true },
  },
  {
    tracker: 'Everflow, an event',
    request: `nid=52&transaction_id=${CLICK}&event_id=4&order_id=A-8&amount=5`,
    says: { transactionId: 'A-8', event: 'bonus' },
    amount: ['amount', '5'],
    settings: { transactionIdIsClick: true, eventWords: new Map([['4', 'bonus']]) },
  },
  {
    tracker: "Everflow, the advertiser's own event",
    request: `nid=52&transaction_id=${CLICK}&adv_event_id=deposit&order_id=A-9&amount=5`,
    says: { transactionId: 'A-9', event: 'bonus' },
    amount: ['amount', '5'],
    settings: { transactionIdIsClick: true, eventWords: new Map([['deposit', 'bonus']]) },
  },
  {
    tracker: 'Affise',
    request: `clickid=${CLICK}&action_id=A-7&goal=2&sum=19.99&status=1&secure=x&comment=first`,
    says: { transactionId: 'A-7', event: 'bonus' },
    amount: ['sum', '19.99'],
    settings: {
      eventWords: new Map([
        ['2', 'bonus'],
        ['1', 'sale'],
      ]),
    },
  },
  {
    tracker: 'Affise, without a goal',
    request: `clickid=${CLICK}&action_id=A-7&sum=19.99&status=3`,
    says: { transactionId: 'A-7', event: 'void' },
    amount: ['sum', '19.99'],
    settings: { eventWords: new Map([['3', 'void']]) },
  },
  {
    tracker: 'Scaleo',
    request: `click_id=${CLICK}&token=x&goal_id=1673&conv_status=pending&adv_order_id=A-7&amount=19.99&sub_id1=S`,
    says: { transactionId: 'A-7', event: 'bonus' },
    amount: ['amount', '19.99'],
    settings: { eventWords: new Map([['1673', 'bonus']]) },
  },
  {
    tracker: 'Scaleo, by the alias of a goal',
    request: `click_id=${CLICK}&token=x&goal_alias=deposit&adv_order_id=A-7&amount=19.99`,
    says: { transactionId: 'A-7', event: 'bonus' },
    amount: ['amount', '19.99'],
    settings: { eventWords: new Map([['deposit', 'bonus']]) },
  },
  {
    tracker: 'Keitaro',
    request: `subid=${CLICK}&status=rejected&payout=19.99&currency=usd&tid=A-7`,
    says: { transactionId: 'A-7', event: 'void' },
    amount: ['payout', '19.99'],
    settings: { eventWords: new Map([['rejected', 'void']]) },
  },
  {
    tracker: 'Voluum',
    request: `cid=${CLICK}&payout=19.99&txid=A-7&et=deposit`,
    says: { transactionId: 'A-7', event: 'bonus' },
    amount: ['payout', '19.99'],
    settings: { eventWords: new Map([['deposit', 'bonus']]) },
  },
  {
    tracker: 'Tapfiliate',
    request: `{"click_id":"${CLICK}","external_id":"A-7","amount":19.99,"customer_id":"C-1","commission_type":"standard"}`,
    says: { transactionId: 'A-7', event: 'sale' },
    amount: ['amount', '19.99'],
  },
  {
    tracker: 'Post Affiliate Pro', // visitorId becomes click_id
    request: `AccountId=default1&click_id=${CLICK}&TotalCost=120.50&OrderID=ORD_12345XYZ&ProductID=test+product&ActionCode=lead`,
    says: { transactionId: 'ORD_12345XYZ', event: 'bonus' },
    amount: ['TotalCost', '120.50'],
    settings: { eventWords: new Map([['lead', 'bonus']]) },
  },
  {
    tracker: 'Dub',
    request: `{"clickId":"${CLICK}","customerExternalId":"C-1","amount":1999,"currency":"usd","eventName":"Invoice paid","paymentProcessor":"stripe","invoiceId":"in_1","metadata":{"plan":"pro"}}`,
    says: { transactionId: 'in_1', event: 'sale' },
    amount: ['amount', '1999'],
    settings: { eventWords: new Map([['invoice paid', 'sale']]) },
  },
  {
    tracker: 'Awin', // ref becomes order_id
    request: `tt=ss&tv=2&merchant=1001&amount=19.99&ch=aw&cr=GBP&order_id=A-7&parts=DEFAULT%3A19.99&vc=&cks=${CLICK}`,
    says: { transactionId: 'A-7', event: 'sale' },
    amount: ['amount', '19.99'],
    settings: { clickParam: 'cks' },
  },
  {
    tracker: 'JSON in camel case',
    request: `{"clickId":"${CLICK}","transactionId":"A-7","amount":19.99,"customerEmail":"a@example.com","eventTime":"2026-03-10T11:00:00Z"}`,
    says: {
      transactionId: 'A-7',
      event: 'sale',
      customerEmail: 'a@example.com',
      occurredAt: new Date('2026-03-10T11:00:00Z'),
    },
    amount: ['amount', '19.99'],
  },
]

test.each(rows)('$tracker', ({ request, says, amount: [name, value], settings }) => {
  const body = readBody('', Buffer.from(request))
  const fields = body.kind === 'one' ? body.fields : readForm(request)
  const dialect = {
    useApproveSale: false,
    clickParam: '',
    transactionIdIsClick: false,
    tracker: undefined,
    eventWords: new Map(),
    statusWords: new Map(),
    ...settings,
  }
  const parsed = parsePostback(fields, dialect, new Date('2026-03-10T12:00:00Z'))
  expect(parsed).toMatchObject({ clickId: CLICK, problems: {}, ...says })
  const kept = keptFields(fields, [])
  expect(kept).toMatchObject({ [name]: value })
  for (const secret of ['token', 'security_token', 'verification_token', 'secure']) {
    expect([undefined, '[removed]']).toContain(kept[secret])
  }
})
