import { describe, expect, test } from 'vitest'
import { type Dialect, parsePostback } from './parse-postback.ts'
import type { Field } from '../reading/field.ts'
import { readBody, readForm } from '../reading/postback-fields.ts'

const now = new Date('2026-03-10T12:00:00Z')

const plain: Dialect = {
  useApproveSale: false,
  clickParam: '',
  transactionIdIsClick: false,
  tracker: undefined,
  eventWords: new Map(),
  statusWords: new Map(),
}

const parse = (query: string, dialect: Partial<Dialect> = {}) =>
  parsePostback(readForm(query), { ...plain, ...dialect }, now)

const problemsOf = (query: string, dialect: Partial<Dialect> = {}) => parse(query, dialect).problems

test('a postback needs only its click: it is a sale that happened on arrival', () => {
  expect(parse('click_id=abc')).toEqual({
    clickId: 'abc',
    transactionId: undefined,
    event: 'sale',
    namesEvent: false,
    standing: 'counts',
    approved: false,
    target: undefined,
    typeAlias: undefined,
    coupons: [],
    customerEmail: undefined,
    occurredAt: now,
    isDated: false,
    isPing: false,
    needsKnownOrder: false,
    reported: {
      amountE4: undefined,
      currency: undefined,
      quantity: undefined,
      unreadable: undefined,
      refundNumber: undefined,
    },
    takesBack: undefined,
    takesBackWords: [],
    unread: [],
    words: [],
    otherwise: [],
    problems: {},
  })
})

describe('each field is recognized by the names that other trackers use', () => {
  const names = {
    clickId: ['click_id', 'clickid', 'cid', 'subid', 'CLICK_ID', 'clickId', 'click-id'],
    transactionId: [
      'transaction_id',
      'txid',
      'tid',
      'order_id',
      'external_id',
      'action_id',
      'adv_order_id',
      'invoice_id',
      'transactionId',
      'OrderID',
      'Order-Id',
    ],
    customerEmail: ['email', 'customer_email', 'customerEmail'],
    typeAlias: ['type'],
  } as const
  for (const [field, aliases] of Object.entries(names)) {
    test.each(aliases)(`${field} by %s`, (alias) => {
      expect(parse(`${alias}=x7`)).toMatchObject({ [field]: 'x7' })
    })
  }
  test.each([
    'event',
    'eventName',
    'adv_event_id',
    'goal',
    'goal_id',
    'goal_alias',
    'goal_name',
    'et',
    'ActionCode',
    'goal_value',
    'status',
    'conv_status',
    'cnv_status',
  ])('event by %s', (alias) => {
    expect(parse(`cid=a&${alias}=Bonus`).event).toBe('bonus')
  })
  test.each(['time', 'event_time', 'eventTime'])('time by %s', (alias) => {
    expect(parse(`cid=a&${alias}=2026-03-01T00:00:00Z`).occurredAt).toEqual(
      new Date('2026-03-01T00:00:00Z'),
    )
  })
})

test("the site's own click parameter comes first, and has no other meaning", () => {
  expect(parse('click_id=a&Ref=b', { clickParam: 'ref' }).clickId).toBe('b')
  expect(parse('tid=a&txid=t', { clickParam: 'tid' })).toMatchObject({
    clickId: 'a',
    transactionId: 't',
  })
})

test('the click parameter can be spelled as freely as any other name', () => {
  expect(parse('click_id=a&MyRef=b', { clickParam: 'my_ref' }).clickId).toBe('b')
  expect(parse('transaction_id=a&orderId=t', { clickParam: 'transactionId' })).toMatchObject({
    clickId: 'a',
    transactionId: 't',
  })
})

describe('names with other meanings in other systems', () => {
  test('event_id is the event only where transaction_id is the click', () => {
    expect(parse('cid=a&event_id=bonus').event).toBe('sale')
    expect(parse('transaction_id=a&event_id=bonus', { transactionIdIsClick: true }).event).toBe(
      'bonus',
    )
  })
  test("external_id, which may be the customer's, comes after any order number", () => {
    expect(parse('cid=a&externalId=customer-7&invoiceId=in_1').transactionId).toBe('in_1')
  })
  test.each(['customerExternalId', 'ref', 'adv_sub', 'sub_id1', 'user_id', 'promo_code'])(
    '%s is not an order number',
    (name) => {
      expect(parse(`cid=a&${name}=7`).transactionId).toBeUndefined()
    },
  )
})

describe('two names of one field', () => {
  test('of different names, the first in the list counts, in whatever order they are sent', () => {
    expect(parse('cid=a&order_id=7&transaction_id=8')).toMatchObject({
      transactionId: '8',
      problems: {},
    })
  })
  test('an empty one does not count', () => {
    expect(parse('cid=a&transaction_id=&OrderID=7').transactionId).toBe('7')
  })
  test('two spellings of one name are one name given twice', () => {
    expect(problemsOf('cid=a&order_id=7&OrderID=7')).toEqual({})
    expect(problemsOf('cid=a&order_id=7&OrderID=8')).toEqual({
      transaction_id: ['is given more than once, with different values'],
    })
  })
})

test('in the dialect of TUNE and Everflow, transaction_id means the click', () => {
  const dialect = { transactionIdIsClick: true }
  expect(parse('transaction_id=a&adv_order_id=7', dialect)).toMatchObject({
    clickId: 'a',
    transactionId: '7',
    problems: {},
  })
  expect(parse('transaction_id=a', dialect).transactionId).toBeUndefined()
})

describe('events', () => {
  test.each(['sale', 'bonus', 'click', 'void', 'chargeback', 'fraud', 'approval'])('%s', (word) => {
    expect(parse(`cid=a&event=${word}`)).toMatchObject({ event: word, problems: {} })
  })
  test("a site's own event names replace ours", () => {
    const eventWords = new Map([['approved', 'sale'] as const, ['sale', 'bonus'] as const])
    expect(parse('cid=a&status=Approved', { eventWords }).event).toBe('sale')
    expect(parse('cid=a&status=sale', { eventWords }).event).toBe('bonus')
  })
  test('an unknown event is refused, not recorded as a sale', () => {
    expect(problemsOf('cid=a&event=signup')).toEqual({
      event: [
        'is not an event of this site. Use one of sale, bonus, click, rebill, void, chargeback, fraud',
      ],
    })
  })
  test('a reversal may name the event to reverse', () => {
    for (const word of ['sale', 'approval', 'bonus']) {
      expect(parse(`cid=a&event=void&reverses=${word.toUpperCase()}`).target).toBe(word)
    }
    for (const word of ['all', 'click', 'void']) {
      expect(problemsOf(`cid=a&event=void&reverses=${word}`)).toHaveProperty('reverses')
    }
  })
  test('a reversal needs a click or a transaction id, everything else needs a click', () => {
    expect(problemsOf('tid=7&event=chargeback')).toEqual({})
    expect(problemsOf('event=chargeback')).toEqual({ click_id: ['is required'] })
    expect(problemsOf('tid=7')).toEqual({ click_id: ['is required'] })
    expect(problemsOf('tid=7&click_id=')).toEqual({ click_id: ['is required'] })
  })
})

describe('time', () => {
  test.each([
    ['2026-03-10T11:59:59Z', '2026-03-10T11:59:59Z'],
    ['2026-03-10T07:00:00-05:00', '2026-03-10T12:00:00Z'],
    ['2026-03-10T12:30:00%2B0100', '2026-03-10T11:30:00Z'],
    ['2026-03-10T12:30:00+01:00', '2026-03-10T11:30:00Z'], // not encoded: the plus arrives as a blank
    ['2026-03-10 11:30Z', '2026-03-10T11:30:00Z'],
    ['2026-03-10T19:30:00+08', '2026-03-10T11:30:00Z'],
    ['2026-03-10T06:30:00-05', '2026-03-10T11:30:00Z'],
    ['1773142200', '2026-03-10T11:30:00Z'],
    ['1773142200000', '2026-03-10T11:30:00Z'],
    ['1773142200.5', '2026-03-10T11:30:00.500Z'],
    ['1773142200.123456', '2026-03-10T11:30:00.123Z'],
    ['1773142200000.25', '2026-03-10T11:30:00Z'],
    ['1773142200123456', '2026-03-10T11:30:00.123Z'],
    ['1773142200123456789', '2026-03-10T11:30:00.123Z'],
    ['2026-03-10 19:30:00 %2B0800', '2026-03-10T11:30:00Z'],
    ['2026-03-10 19:30:00 +0800', '2026-03-10T11:30:00Z'],
    ['2026-03-10 11:30:00 UTC', '2026-03-10T11:30:00Z'],
    ['2026-03-10T19:30:00%2B08:00[Asia/Manila]', '2026-03-10T11:30:00Z'],
    ['20260310T113000Z', '2026-03-10T11:30:00Z'],
    ['Tue, 10 Mar 2026 19:30:00 %2B0800', '2026-03-10T11:30:00Z'],
    ['10 Mar 2026 11:30:00 GMT', '2026-03-10T11:30:00Z'],
    ['2026-03-09T11:30:00.123456Z', '2026-03-09T11:30:00.123Z'],
    ['2025-12-10T12:00:00Z', '2025-12-10T12:00:00Z'], // 90 days to the second
  ])('%s is %s', (text, instant) => {
    expect(parse(`cid=a&time=${text}`)).toMatchObject({
      occurredAt: new Date(instant),
      problems: {},
    })
  })
  test('NOW leaves the time to us', () => {
    expect(parse('cid=a&time=NOW')).toMatchObject({
      occurredAt: now,
      isDated: false,
      problems: {},
    })
  })
  test('a clock up to a minute ahead is tolerated: the event happened on arrival', () => {
    expect(parse('cid=a&time=2026-03-10T12:01:00Z')).toMatchObject({
      occurredAt: now,
      problems: {},
    })
  })
  test.each([
    ['2026-03-10T12:01:00.001Z', 'must not be in the future'],
    ['2025-12-10T11:59:59Z', 'must not be more than 90 days ago'],
    [
      '2026-03-10T12:00:00',
      'must be an ISO 8601 time with an offset, or a Unix time in seconds or milliseconds',
    ],
    [
      '2026-03-10',
      'must be an ISO 8601 time with an offset, or a Unix time in seconds or milliseconds',
    ],
    [
      '2026-02-30T12:00:00Z',
      'must be an ISO 8601 time with an offset, or a Unix time in seconds or milliseconds',
    ],
    [
      '2026-03-10T25:00:00Z',
      'must be an ISO 8601 time with an offset, or a Unix time in seconds or milliseconds',
    ],
    [
      '10 Foo 2026 11:30:00 GMT',
      'must be an ISO 8601 time with an offset, or a Unix time in seconds or milliseconds',
    ],
    [
      'Tue, 10 Mar 2026 19:30:00',
      'must be an ISO 8601 time with an offset, or a Unix time in seconds or milliseconds',
    ],
    [
      '20260310113000',
      'must be an ISO 8601 time with an offset, or a Unix time in seconds or milliseconds',
    ],
    [
      '17731440000',
      'must be an ISO 8601 time with an offset, or a Unix time in seconds or milliseconds',
    ],
  ])('%s %s', (text, message) => {
    expect(problemsOf(`cid=a&time=${text}`)).toEqual({ time: [message] })
  })
})

describe('limits', () => {
  test.each([
    ['tid', 'transaction_id', 128],
    ['email', 'email', 254],
    ['type', 'type', 128],
  ])('%s is limited to its maximum length', (name, field, length) => {
    expect(problemsOf(`cid=a&${name}=${'x'.repeat(length)}`)).toEqual({})
    expect(problemsOf(`cid=a&${name}=${'x'.repeat(length + 1)}`)).toEqual({
      [field]: [`must be at most ${length} characters`],
    })
  })
  test.each(['%00', '%0a', '%0D', '%7f', '%1b'])(
    '%s is refused in a field that is read, and costs nothing in others',
    (character) => {
      expect(problemsOf(`cid=a&tid=1${character}2`)).toEqual({
        transaction_id: ['has characters that are not allowed'],
      })
      expect(problemsOf(`cid=a&order_note=1${character}2`)).toEqual({})
      expect(problemsOf(`cid=a&na${character}me=1`)).toEqual({})
    },
  )
  test('two hundred parameters are accepted', () => {
    expect(problemsOf(`cid=a${'&x=1'.repeat(199)}`)).toEqual({})
    expect(problemsOf(`cid=a${'&x=1'.repeat(200)}`)).toHaveProperty('_form')
  })
  test('a field with two different values is refused', () => {
    expect(problemsOf('cid=a&cid=a')).toEqual({})
    expect(problemsOf('cid=a&cid=b')).toEqual({
      click_id: ['is given more than once, with different values'],
    })
  })
})

describe('bodies', () => {
  const one = (contentType: string, text: string): Field[] => {
    const body = readBody(contentType, Buffer.from(text))
    if (body.kind !== 'one') throw new Error(body.kind)
    return body.fields
  }
  test.each([
    ['application/x-www-form-urlencoded', 'cid=a&tid=7'],
    ['application/json', '{"cid":"a","tid":7}'],
    ['application/vnd.shop+json; charset=utf-8', '{"cid":"a","tid":7,"none":null}'],
    ['text/plain', ' {"cid":"a","tid":7}'],
    ['', 'cid=a&tid=7'],
  ])('%s', (contentType, text) => {
    expect(one(contentType, text)).toEqual([
      ['cid', 'a'],
      ['tid', '7'],
    ])
  })
  test('a long order number keeps all of its digits', () => {
    expect(one('application/json', '{"tid":12345678901234567890}')).toEqual([
      ['tid', '12345678901234567890'],
    ])
  })
  test('names of inherited object properties are ordinary names', () => {
    expect(one('application/json', '{"__proto__":"a","constructor":"b"}')).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
  })
  test('an array is several postbacks, each readable or not on its own', () => {
    expect(readBody('application/json', Buffer.from('[{"cid":"a"},7,null,{"cid":"b"}]'))).toEqual({
      kind: 'many',
      items: [[['cid', 'a']], undefined, undefined, [['cid', 'b']]],
    })
  })
  test.each([
    ['{"cid":', 'application/json'],
    ['"text"', 'application/json'],
    ['null', 'application/json'],
    [`[${'{},'.repeat(1000)}{}]`, 'application/json'],
    ['['.repeat(200_000), 'application/json'],
    ['{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000), 'application/json'],
    ['--x', 'multipart/form-data; boundary=x'],
  ])('%.20s is unreadable as %s', (text, contentType) => {
    expect(readBody(contentType, Buffer.from(text))).toMatchObject({ kind: 'unreadable' })
  })
  test('a thousand postbacks may be sent at once', () => {
    expect(readBody('application/json', Buffer.from(`[${'{},'.repeat(999)}{}]`))).toMatchObject({
      kind: 'many',
    })
  })
})
