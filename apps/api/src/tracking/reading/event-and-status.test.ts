import type { PostbackEvent } from '@tallyroom/domain/event-types'
import type { Standing } from '@tallyroom/domain/standings'
import { describe, expect, test } from 'vitest'
import { type Dialect, parsePostback } from '../postbacks/parse-postback.ts'
import { readForm } from './postback-fields.ts'

const plain: Dialect = {
  useApproveSale: false,
  clickParam: '',
  transactionIdIsClick: false,
  tracker: undefined,
  eventWords: new Map(),
  statusWords: new Map(),
}

const parse = (query: string, dialect: Partial<Dialect> = {}) =>
  parsePostback(readForm(query), { ...plain, ...dialect }, new Date('2026-03-10T12:00:00Z'))

/** A site whose merchant speaks Affise. */
const affise = {
  eventWords: new Map<string, PostbackEvent>([
    ['ftd', 'sale'],
    ['2', 'bonus'],
  ]),
  statusWords: new Map<string, Standing>([
    ['1', 'counts'],
    ['2', 'pending'],
    ['3', 'rejected'],
    ['9', 'reverses'],
  ]),
}

describe('a status says whether an event counts', () => {
  test.each<[string, PostbackEvent, Standing, object]>([
    ['goal=ftd', 'sale', 'counts', { approved: false }],
    ['goal=ftd&status=1', 'sale', 'counts', { approved: true }],
    ['goal=2&status=1', 'bonus', 'counts', { approved: true }],
    ['goal=2&status=2', 'bonus', 'pending', { target: 'bonus' }],
    ['goal=ftd&status=3', 'sale', 'rejected', { target: 'sale' }],
    ['goal=2&status=9', 'void', 'reverses', { target: 'bonus' }],
    ['goal=ftd&status=chargeback', 'chargeback', 'reverses', { target: 'sale' }],
    ['goal=ftd&conv_status=Rejected', 'sale', 'rejected', {}],
    ['goal=ftd&status=On%20hold', 'sale', 'pending', {}],
    ['status=approved', 'sale', 'counts', { approved: true }],
    ['status=pending', 'sale', 'pending', { target: undefined }],
    ['status=declined', 'sale', 'rejected', { target: undefined }],
    ['status=refunded', 'void', 'reverses', { target: undefined }],
    ['status=fraud', 'fraud', 'reverses', {}],
    ['status=bonus', 'bonus', 'counts', { approved: false }],
    ['event=void&status=approved', 'void', 'reverses', {}],
    ['event=void&status=pending', 'void', 'pending', {}],
  ])('%s', (query, event, standing, rest) => {
    expect(parse(`cid=a&tid=1&${query}`, affise)).toMatchObject({
      event,
      standing,
      problems: {},
      takesBack: undefined,
      ...rest,
    })
  })

  test.each(['status=4', 'status=sold&goal=ftd', 'conv_status=ok', 'approval=maybe'])(
    'an unknown one is refused by name: %s',
    (query) => {
      const [name, value] = query.split('&')[0]?.split('=') ?? []
      expect(parse(`cid=a&tid=1&${query}`, affise)).toMatchObject({
        event: undefined,
        problems: {
          status: [
            `${name}=${value} is not a status of this site. Ask the network to say what it means`,
          ],
        },
      })
    },
  )

  test('two that say different things are refused; two that agree are one', () => {
    expect(parse('cid=a&status=approved&payment_status=pending').problems).toEqual({
      status: ['status and payment_status say different things'],
    })
    expect(parse('cid=a&status=approved&payment_status=paid')).toMatchObject({
      event: 'sale',
      problems: {},
    })
  })

  test("a site's event names still work as statuses, but a number names a goal", () => {
    const words = {
      eventWords: new Map<string, PostbackEvent>([
        ['ftd', 'sale'],
        ['1', 'sale'],
        ['2', 'bonus'],
        ['3', 'void'],
      ]),
    }
    expect(parse('cid=a&status=2', words)).toMatchObject({ event: 'bonus', problems: {} })
    expect(parse('cid=a&goal=ftd&status=1', words)).toMatchObject({ event: 'sale', problems: {} })
    expect(parse('cid=a&goal=ftd&status=3', words)).toMatchObject({ standing: 'reverses' })
    expect(parse('cid=a&goal=2&status=2', words).problems).toHaveProperty('status')
  })

  test('a reversal that is rejected itself is for a person', () => {
    expect(parse('tid=1&event=void&status=rejected')).toMatchObject({
      takesBack: { name: 'status', value: 'rejected' },
    })
  })

  test('an approval without a click needs an order that is known, a rejection only its order', () => {
    expect(parse('tid=1&status=rejected')).toMatchObject({ problems: {}, needsKnownOrder: false })
    expect(parse('tid=1&status=approved')).toMatchObject({ problems: {}, needsKnownOrder: true })
    expect(parse('status=approved').problems).toEqual({ click_id: ['is required'] })
  })
})

describe('what says under another name that money goes back is held', () => {
  test.each([
    'event_type=refund',
    'conversion_type=Refund',
    'action=refund',
    'reason=customer+cancelled+the+order',
    'topic=orders/refunded',
    'notification=chargeback',
    'sttaus=rejected',
    'gaol=void',
    'amount=-49.90',
    'sum=%E2%88%925',
    'TotalCost=-5',
    'order_total=(49.90)',
    'payout=USD+-33,95',
    'quantity=-1',
    'amuont=-49.90',
    'sale%5Bstatus%5D=refunded',
    'refund=true',
    'is_refund=1',
    'orderRefunded=yes',
    'charge_back=1',
    'payment.refunded=true',
    'refund_amount=5',
    'amount_refunded=%2412.50',
    'cancelled_at=2026-03-09T10:00:00Z',
    'refundedAt=1773142200',
    'action=return',
    'kind=credit_note',
    'conversion_state=invalidated',
    'reason_code=ITEM_RETURNED',
    'DispositionCode=ORDER_RETURNED',
    'customer_refunded=true',
    'customer_status=refunded',
    'result=annulled',
    'order_result=order_returned',
    'disposition=customer+refund',
    'operation=sale_reversal',
    'state=annulment',
    'refunds[0].amount=5',
    'refunds[0].transactions[0].kind=refund',
    'from_refund=1&refund=1',
    'sub_total=-5',
    'subscription_amount=-5',
  ])('%s', (query) => {
    expect(parse(`cid=a&tid=1&${query}`).takesBack).toBeDefined()
  })

  test.each([
    'note=no+refund+wanted',
    'product=Refundable+ticket',
    'amount=49.90',
    'date=2026-03-01',
    'range=5-10',
    'phone=-5',
    'utm_campaign=void-fill',
    'plan_type=standard',
    'refund=false',
    'is_refund=0',
    'refundable=true',
    'refund_policy=1',
    'refund_amount=0.00',
    'amount_refunded=0',
    'cancel_at=2026-12-31',
    'cancel_at_period_end=true',
    'cancelled_at=',
    'chargeback_protection=yes',
    'fraud_score=12',
    'fraud=12',
    'cancel_url=https://shop.example/1',
    'fee_lines[0].total=-50.00',
    'fee_lines.0.refunded=true',
    'discount_codes.0.amount=-5',
    'coupon_lines[1].meta[0].price=-5',
    'discount_amount=-50.00',
    'amount_discount=-50.00',
    'totalDiscounts=-50.00',
    'coupon_amount=-50',
    'promotion_total=-5',
    'gift_card_amount=-20',
    'shipping_price=-1',
    'fee=-1&total_fees=-2',
    'points_total=-100',
    'tip_amount=-1',
    'balance_amount=-3',
    'account_balance_total=-3',
    'old_status=failed',
    'before_status=failed',
    'status_before=failed',
    'from_status=failed&to_status=processing',
    'previousStatus=refunded',
    'previous_result=declined',
    'sub_id1=failed',
    'subId5=refund',
    'sub_3=void',
    'aff_sub2=refund',
    'utmTerm=chargeback',
    'campaign=refund',
    'customer_type=returned',
    'trip_type=return',
    'keyword=cancel',
    'sub2=failed',
    'utm_campaign=refund',
  ])('%s is not', (query) => {
    expect(parse(`cid=a&tid=1&${query}`)).toMatchObject({ takesBack: undefined, problems: {} })
  })

  test('of a reversal nothing is held', () => {
    expect(parse('tid=1&event=void&amount=-49.90&reason=refund').takesBack).toBeUndefined()
    expect(parse('tid=1&status=rejected&amount=-49.90').takesBack).toBeUndefined()
  })
})

describe('names with a slip', () => {
  test.each(['evnt=void2', 'satus=lead', 'gaol=2', 'status_=x&statu=3', 'conv_statuss=3'])(
    '%s is refused with the name that was meant',
    (query) => {
      const { problems, takesBack } = parse(`cid=a&tid=1&${query}`, affise)
      expect(takesBack ?? Object.values(problems).flat().join()).toMatch(
        /Did you mean|not a status/,
      )
    },
  )
  test.each(['amp;event', '?event', 'amp;amp;event', '&#038;event', ' Event '])(
    'a leftover before it is none: %s',
    (name) => {
      expect(parse(`cid=a&tid=1&${encodeURIComponent(name)}=void`).event).toBe('void')
    },
  )
})

describe('placeholders', () => {
  test.each([
    '{transaction_id}',
    '{{ order.id }}',
    '[ORDER]',
    '#order_id#',
    '%order%',
    '$order',
    '${order}',
    '__ORDER__',
    '<order>',
    ':order',
    'A-{order_id}',
    'null',
    'Undefined',
    'n/a',
    '-',
    '0',
    '[object Object]',
    '{…}',
  ])('%s is no order number', (value) => {
    const { problems } = parse(`cid=a&tid=${encodeURIComponent(value)}`)
    expect(problems).toHaveProperty('transaction_id')
  })
  test.each(['#1001', 'A-1', '00', '{6F9619FF-8B86-D011-B42D-00C04FC964FF}', '10%', 'nullsoft-1'])(
    '%s is one',
    (value) => {
      const { problems } = parse(`cid=a&tid=${encodeURIComponent(value)}`)
      expect(Object.keys(problems)).toEqual(/^0+$/.test(value) ? ['transaction_id'] : [])
    },
  )
  test.each(['click_id', 'type', 'email', 'time', 'event', 'status', 'reverses'])(
    '%s refuses an unfilled template by name',
    (field) => {
      const { problems } = parse(`tid=1&cid=a&click_id=a&${field}=%7Bvalue%7D`)
      expect(Object.keys(problems)).toContain(field)
    },
  )
  test('an address that is not there is none', () => {
    expect(parse('cid=a&tid=1&email=null')).toMatchObject({
      customerEmail: undefined,
      problems: {},
    })
  })
})

test('a blank in an e-mail address is a plus', () => {
  expect(parse('cid=a&email=jane+shop@example.com').customerEmail).toBe('jane+shop@example.com')
})

describe('the merchant’s own words may be those that others write for nothing', () => {
  const own = {
    eventWords: new Map<string, PostbackEvent>([['n/a', 'bonus']]),
    statusWords: new Map<string, Standing>([
      ['true', 'counts'],
      ['false', 'rejected'],
    ]),
  }
  test.each<[string, PostbackEvent | undefined, Standing]>([
    ['approval=true', 'sale', 'counts'],
    ['approval=False', 'sale', 'rejected'],
    ['goal=N/A&approval=false', 'bonus', 'rejected'],
    ['goal=none&approval=true', undefined, 'counts'],
    ['goal=true', undefined, 'counts'],
  ])('%s', (query, event, standing) => {
    expect(parse(`click_id=x&transaction_id=T&${query}`, own)).toMatchObject({ event, standing })
  })
  test('without such words they are refused', () => {
    const { problems } = parse('click_id=x&transaction_id=T&approval=true')
    expect(problems).toEqual({ status: ['is true, which is no value (approval)'] })
  })
})
