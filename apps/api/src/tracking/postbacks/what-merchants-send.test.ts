import { describe, expect, test } from 'vitest'
import { buildLinkType } from '../../../test/build-world.ts'
import { postbackWorld } from '../../../test/postback-world.ts'

const world = await postbackWorld()
const { app, db, clock, eventsOf, merchant } = world

/** What is sent, with `C` for a click id and `D` for one of another click, and how it is answered. */
type Step = [sent: string, status: number, outcome: string, reason?: RegExp]

const EVENT_WORDS = {
  ftd: 'sale',
  approved: 'sale',
  1: 'sale',
  2: 'bonus',
  rejected: 'void',
  3: 'void',
}

/** Sends the steps to a site of its own, a minute apart, and returns how many sales and bonuses count. */
async function counted(steps: readonly Step[], site: Parameters<typeof merchant>[0] = {}) {
  const { siteId, typeId, click, key, url } = await merchant(site)
  await db
    .updateTable('link_types')
    .set({ typealias: 'basic', bonus: true })
    .where('id', '=', typeId)
    .execute()
  await buildLinkType(db, { site_id: siteId, typealias: 'pro' })
  clock.set('2026-03-10T16:00:00Z')
  const clicked_at = new Date('2026-03-10T15:00:00Z')
  const ids: Record<string, string> = {
    C: await click({ clicked_at }),
    D: await click({ clicked_at }),
  }
  for (const [sent, status, outcome, reason] of steps) {
    clock.advance(60_000)
    const query = sent.replace(/(?<==)[CD](?=&|$)/g, (name) => ids[name] ?? name)
    const answer = await app.inject({ url: `${url}?${query}`, headers: { 'x-postback-key': key } })
    const said = answer.json<{ outcome: string; reason?: string }>()
    expect([answer.statusCode, said.outcome], `${sent}: ${said.reason}`).toEqual([status, outcome])
    if (reason) expect(said.reason).toMatch(reason)
  }
  return (await eventsOf(siteId)).reduce((sum, { quantity }) => sum + quantity, 0)
}

type Case = [title: string, counts: number, ...steps: Step[]]

const cases = (table: Case[], site?: Parameters<typeof merchant>[0]) => {
  test.each(table)('%s: %i', async (_, counts, ...steps) => {
    expect(await counted(steps, site)).toBe(counts)
  })
}

describe('a goal beside a status', () => {
  cases(
    [
      [
        'rejected',
        0,
        ['click_id=C&goal_alias=ftd&conv_status=rejected&transaction_id=G', 200, 'rejected'],
      ],
      [
        'approved, then rejected',
        0,
        ['click_id=C&goal_alias=ftd&conv_status=approved&transaction_id=G', 201, 'recorded'],
        ['click_id=C&goal_alias=ftd&conv_status=rejected&transaction_id=G', 201, 'recorded'],
      ],
      [
        'pending',
        0,
        ['click_id=C&goal_alias=ftd&conv_status=pending&transaction_id=G', 202, 'pending'],
      ],
    ],
    { event_words: JSON.stringify(EVENT_WORDS) },
  )
})

describe('a refund under another name', () => {
  cases([
    [
      'a negative amount',
      0,
      ['click_id=C&transaction_id=R&amount=-49.90', 409, 'conflict', /^amount=-49\.90/],
    ],
    [
      'a negative quantity',
      0,
      ['click_id=C&transaction_id=R&quantity=-1', 409, 'conflict', /^quantity=-1/],
    ],
    [
      'event_type',
      0,
      ['click_id=C&transaction_id=R&event_type=refund', 409, 'conflict', /^event_type=refund/],
    ],
    ['conversion_type', 0, ['click_id=C&transaction_id=R&conversion_type=refund', 409, 'conflict']],
    ['action', 0, ['click_id=C&transaction_id=R&action=refund', 409, 'conflict']],
    [
      'of an order that counts',
      1,
      ['click_id=C&transaction_id=R', 201, 'recorded'],
      ['click_id=C&transaction_id=R&amount=-49.90', 409, 'conflict'],
      ['click_id=C&transaction_id=R&event_type=chargeback', 409, 'conflict'],
    ],
    [
      'as an event that we have not',
      0,
      ['click_id=C&transaction_id=R&event=refund', 422, 'refused'],
    ],
  ])
})

describe('&amp; for &', () => {
  cases([
    [
      'the event is read',
      0,
      ['click_id=C&transaction_id=A', 201, 'recorded'],
      ['click_id=C&amp;transaction_id=A&amp;event=chargeback', 201, 'recorded'],
    ],
    [
      'the order number is read',
      2,
      ['click_id=C&amp;transaction_id=A', 201, 'recorded'],
      ['click_id=C&amp;transaction_id=B', 201, 'recorded'],
    ],
  ])
})

describe('an order that is reversed and paid again', () => {
  const again = (event: string, last: Step): Step[] => [
    ['click_id=C&transaction_id=R', 201, 'recorded'],
    [`click_id=C&transaction_id=R&event=${event}`, 201, 'recorded'],
    last,
  ]
  cases([
    [
      'may be a retry',
      0,
      ...again('void', ['click_id=C&transaction_id=R', 409, 'conflict', /was reversed on/]),
    ],
    [
      'counts if it says so',
      1,
      ...again('chargeback', ['click_id=C&transaction_id=R&status=approved', 201, 'recorded']),
    ],
  ])
})

describe('a template that was sent unfilled', () => {
  cases(
    ['{transaction_id}', 'null', '[ORDER]', '#order#', '$order', '__ORDER__'].map((left): Case => [
      left,
      0,
      [
        `click_id=C&transaction_id=${encodeURIComponent(left)}`,
        422,
        'refused',
        /^transaction_id is/,
      ],
      [
        `click_id=D&transaction_id=${encodeURIComponent(left)}`,
        422,
        'refused',
        /^transaction_id is/,
      ],
    ]),
  )
  cases([['as the click id', 0, ['click_id={click_id}&transaction_id=T', 422, 'refused']]])
})

describe('order numbers and events under other names', () => {
  cases([
    ...['txn_id', 'order_number', 'order', 'order_no', 'orderref', 'cnv_id'].map((name): Case => [
      name,
      2,
      [`click_id=C&${name}=T1`, 201, 'recorded'],
      [`click_id=C&${name}=T2`, 201, 'recorded'],
      [`click_id=C&${name}=T2`, 200, 'duplicate'],
    ]),
    [
      'goal_value',
      0,
      ['click_id=C&txn_id=T1', 201, 'recorded'],
      ['click_id=C&txn_id=T1&goal_value=void', 201, 'recorded'],
    ],
    [
      'an event that is no word of the site',
      0,
      ['clickid=C&type=Purchase', 422, 'refused', /^type is not a link type/],
    ],
  ])
})

describe('two products in one order', () => {
  const steps: Step[] = [
    ['click_id=C&transaction_id=P&type=basic', 201, 'recorded'],
    ['click_id=C&transaction_id=P&type=pro', 409, 'conflict'],
  ]
  cases([['are held', 1, ...steps]])
  cases(
    [
      [
        'both count if the site says so, and a reversal of the order takes back both',
        0,
        ['click_id=C&transaction_id=P&type=basic', 201, 'recorded'],
        ['click_id=C&transaction_id=P&type=pro', 201, 'recorded'],
        ['click_id=C&transaction_id=P&type=pro', 200, 'duplicate'],
        ['transaction_id=P&event=void', 201, 'recorded'],
      ],
    ],
    { several_products: true },
  )
})

describe('the time', () => {
  // Half an hour after the click.
  cases([
    ['in seconds', 1, ['click_id=C&transaction_id=T&event_time=1773156600', 201, 'recorded']],
    [
      'in milliseconds',
      1,
      ['click_id=C&transaction_id=T&event_time=1773156600000', 201, 'recorded'],
    ],
    [
      'with a short offset',
      1,
      ['click_id=C&transaction_id=T&event_time=2026-03-10T23:30:00%2B08', 201, 'recorded'],
    ],
    [
      'without an offset',
      0,
      [
        'click_id=C&transaction_id=T&event_time=2026-03-10T15:30:00',
        422,
        'refused',
        /^time must be/,
      ],
    ],
  ])
})

describe('order numbers in Latin-1', () => {
  cases([
    [
      'stay two',
      2,
      ['click_id=C&transaction_id=x-M%FCller-', 201, 'recorded'],
      ['click_id=C&transaction_id=x-M%F6ller-', 201, 'recorded'],
      ['click_id=C&transaction_id=x-M%F6ller-', 200, 'duplicate'],
    ],
  ])
})

test('a plus sign in an address is kept', async () => {
  const { siteId, click, get } = await merchant()
  await get({ cid: await click(), tid: 'E', email: 'jane shop@example.com' })
  expect(await eventsOf(siteId)).toMatchObject([{ customer_email: 'jane+shop@example.com' }])
})

describe('renewals', () => {
  cases([
    [
      'each with a number of its own',
      3,
      ['click_id=C&transaction_id=I-1', 201, 'recorded'],
      ['click_id=C&transaction_id=I-2&event=rebill', 201, 'recorded'],
      ['click_id=C&transaction_id=I-3&event=rebill', 201, 'recorded'],
      ['click_id=C&transaction_id=I-3&event=rebill', 200, 'duplicate'],
    ],
    ['without one', 0, ['click_id=C&event=rebill', 422, 'refused', /is required for a rebill/]],
  ])
})

describe('a refund', () => {
  cases([
    [
      'of a part, beside the amount of the order, is held',
      1,
      ['click_id=C&transaction_id=F&amount=100', 201, 'recorded'],
      [
        'click_id=C&transaction_id=F&event=void&amount=100&refund_amount=10',
        409,
        'conflict',
        /10\.00 of the 100\.00/,
      ],
    ],
    [
      'as a flag, an amount or a date is held',
      0,
      ['click_id=C&transaction_id=F&refunded=true', 409, 'conflict', /^refunded=true says/],
      ['click_id=C&transaction_id=F&amount=100&refund_amount=100', 409, 'conflict'],
      ['click_id=C&transaction_id=F&cancelled_at=2026-03-10', 409, 'conflict'],
    ],
    [
      'of a part is held',
      1,
      ['click_id=C&transaction_id=F&amount=100', 201, 'recorded'],
      [
        'click_id=C&transaction_id=F&event=void&amount=10',
        409,
        'conflict',
        /10\.00 of the 100\.00/,
      ],
    ],
    [
      'takes back the sale and the bonus of its order, once',
      0,
      ['click_id=C&transaction_id=O', 201, 'recorded'],
      ['click_id=C&transaction_id=O&event=bonus', 201, 'recorded'],
      ['transaction_id=O&event=void', 201, 'recorded'],
      ['transaction_id=O&event=void', 200, 'duplicate'],
    ],
  ])
})

describe('a click id that is not one', () => {
  cases(
    ['"C"', 'C/', 'C,C', ''].map((sent): Case => [
      JSON.stringify(sent),
      0,
      [`click_id=${encodeURIComponent(sent)}&transaction_id=T`, 422, 'refused', /^click_id /],
    ]),
  )
})
