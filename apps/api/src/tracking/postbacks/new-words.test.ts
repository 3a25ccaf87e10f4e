import type { WordReading } from '@tallyroom/domain/holds'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { updateSite } from '../../catalogue/sites/save-site.ts'
import { registerInbound } from '../inbound/inbound.routes.ts'
import { learnWords } from '../words/learn-words.ts'
import { decideSiteWord, settleDecided } from './decide-word.ts'
import { makeInbound } from './inbound.ts'
import { findReadings } from './readings.ts'
import { deliverAgain } from './settle-by-hand.ts'
import { settleHeld } from './settle-held.ts'
import { inTransaction } from '../../db/transaction.ts'
import { readNeeds } from '../../desk/home/network.ts'
import { findTierPay } from '../../pay/index.ts'
import { findWaitingWords } from '../words/word-holds.queries.ts'

const world = await postbackWorld()
const { clock, db, eventsOf, inbound, kept, services } = world

/** A second process. */
const otherApp = Fastify()
registerInbound(otherApp, makeInbound(services))
afterAll(() => otherApp.close())

const DAY_MS = 86_400_000

type Merchant = Awaited<ReturnType<typeof world.merchant>>

/** Half a minute later, all that came is read, and what is kept in memory is read anew. */
async function learn(): Promise<void> {
  clock.advance(62_000)
  await learnWords(services)
}

/** A site that has sent orders for a week, of which each was reported as pending and approved. */
async function settledMerchant(values: Parameters<typeof world.merchant>[0] = {}) {
  const merchant = await world.merchant(values)
  for (let day = 0; day < 8; day++) {
    const order = { click_id: await merchant.click(), order_id: `W-${day}`, plan: 'gold' }
    await merchant.get({ ...order, status: 'pending' })
    clock.advance(DAY_MS)
    await merchant.get({ ...order, status: 'approved' })
  }
  await learn()
  return merchant
}

/** A site that is new, and one order of it that counts. */
async function orderOf(merchant: Merchant, order_id = 'A-1') {
  const order = { click_id: await merchant.click(), order_id }
  expect((await merchant.get(order)).statusCode).toBe(201)
  await learn()
  return order
}

const sent = async (merchant: Merchant, query: Record<string, string>) => {
  const answer = await merchant.get(query)
  const { outcome } = answer.json<{ outcome: string }>()
  return `${answer.statusCode} ${outcome}`
}

const decide = async (
  { siteId }: Merchant,
  parameter: string,
  value: string,
  reading: WordReading,
  event: 'sale' | 'bonus' = 'sale',
) => {
  const decision = { parameter, value, event, reading, reason: 'Asked Nora' }
  const result = await decideSiteWord(services, viewer(), siteId, decision)
  await inbound.sites.reload()
  return result
}

/** `1 -1`: what the events of a site count. */
const countOf = async ({ siteId }: Merchant) =>
  (await eventsOf(siteId)).map(({ quantity }) => quantity).join(' ')

const waitingOf = async ({ siteId }: Merchant) =>
  (await findWaitingWords(db, { isNew: true, limit: 100 }))
    .filter((word) => word.siteId === siteId)
    .map(({ name, word, event, count }) => `${name}=${word} ${event} ${count}`)

test.each<[WordReading, string, string]>([
  ['takes-back', '1 -1', '201 recorded'],
  ['nothing', '1', '200 duplicate'],
  ['ignored', '1', '200 ignored'],
  ['counts', '1', '200 duplicate'],
])(
  'a new word of a known order waits, and that it %s settles it and what comes',
  async (reading, counted, later) => {
    const merchant = await world.merchant()
    const order = await orderOf(merchant)
    const other = { ...order, click_id: await merchant.click(), order_id: 'B-1' }
    await merchant.get(other)
    await learn()
    const back = { ...order, outcome: 'Sent_Back' }
    expect(await sent(merchant, back)).toBe('202 waiting')
    // It is still new once it was read, and if the merchant repeats it.
    await learn()
    expect(await sent(merchant, back)).toBe('202 waiting')
    expect(await waitingOf(merchant)).toEqual(['outcome=sent_back sale 2'])
    expect(await countOf(merchant)).toBe('1 1')

    expect(await decide(merchant, 'outcome', 'sent_back', reading)).toEqual({ settled: 2, held: 0 })
    expect(await countOf(merchant)).toBe(counted.replace('1', '1 1'))
    expect(await waitingOf(merchant)).toEqual([])
    expect(await sent(merchant, { ...other, OUTCOME: 'sent_back' })).toBe(later)
    expect(await countOf(merchant)).toBe(
      reading === 'takes-back' ? '1 1 -1 -1' : counted.replace('1', '1 1'),
    )
  },
)

test('it is held with what it says, for the site alone', async () => {
  const merchant = await world.merchant()
  const order = await orderOf(merchant)
  const answer = await merchant.get({ ...order, outcome: 'sent_back' })
  const { id, reason } = answer.json<{ id: string; reason: string }>()
  expect(reason).toBe(
    'outcome=sent_back was never sent before. It waits for the network to say what it means.',
  )
  expect(await kept(id)).toMatchObject({ outcome: 'conflict', event: 'sale', event_id: null })
  await decide(merchant, 'outcome', 'sent_back', 'nothing')
  const settlement = await db
    .selectFrom('postback_settlements')
    .selectAll()
    .where('postback_id', '=', id)
    .executeTakeFirst()
  expect(settlement).toMatchObject({
    outcome: 'duplicate',
    act: 'word-nothing',
    note: 'Asked Nora',
    settled_by: viewer().accountId,
  })
  const other = await world.merchant()
  const its = await orderOf(other)
  expect(await sent(other, { ...its, outcome: 'sent_back' })).toBe('202 waiting')
})

test('what says nothing new of a known order is a retry', async () => {
  const merchant = await world.merchant()
  const click_id = await merchant.click()
  const order = { click_id, order_id: 'A-1', plan: 'gold', shop: 'Cebu' }
  await merchant.get(order)
  await learn()
  await merchant.get({ ...order, order_id: 'A-2', plan: 'silver' })
  for (const query of [
    order,
    // Known from another order, half a minute ago.
    { ...order, plan: 'silver' },
    // Numbers and times.
    { ...order, step: '7', tries: '3', paid: '19.90', seen: '2026-03-10T16:00:00Z' },
    // What speaks of something else, who, and where.
    { ...order, coupon: 'void', discount_code: 'spring', old_state: 'open', sub2: 'left' },
    { ...order, utm_source: 'mail', keyword: 'shoes', fee_kind: 'card', tip: 'yes' },
    { ...order, previous_state: 'x', country: 'VN', first_name: 'Ann', retry: 'yes' },
    { ...order, 'customer.kind': 'guest', reward_points: 'many', shipping: 'express' },
  ]) {
    expect([query, await sent(merchant, query)]).toEqual([query, '200 duplicate'])
  }
  expect(await sent(merchant, { ...order, fate: 'gone' })).toBe('202 waiting')
})

test('what says by itself that it takes back is not asked about', async () => {
  const merchant = await world.merchant()
  const order = await orderOf(merchant)
  expect(await sent(merchant, { ...order, event: 'void', why: 'too small' })).toBe('201 recorded')
})

test('a new word may not count what is pending', async () => {
  const merchant = await world.merchant()
  const order = { click_id: await merchant.click(), order_id: 'P-1' }
  await merchant.get({ ...order, status: 'pending' })
  await learn()
  expect(await sent(merchant, { ...order, outcome: 'sent_back' })).toBe('202 waiting')
  expect(await countOf(merchant)).toBe('')
  await decide(merchant, 'outcome', 'sent_back', 'counts')
  expect(await countOf(merchant)).toBe('1')
})

test('before the past is read, nothing is new', async () => {
  const merchant = await world.merchant()
  const order = { click_id: await merchant.click(), order_id: 'A-1' }
  await merchant.get(order)
  await learn()
  clock.advance(11 * 60_000)
  expect(await sent(merchant, { ...order, outcome: 'sent_back' })).toBe('200 duplicate')
})

test('an event or status that nobody knows waits once the site has sent others for a week', async () => {
  const young = await world.merchant()
  const order = await orderOf(young)
  expect(await sent(young, { ...order, status: 'parked' })).toBe('422 refused')

  const merchant = await settledMerchant()
  const before = await countOf(merchant)
  const first = { click_id: await merchant.click(), order_id: 'N-1' }
  expect(await sent(merchant, { ...first, status: 'parked' })).toBe('202 waiting')
  expect(await sent(merchant, { ...first, order_id: 'N-2', event: 'ftd2' })).toBe('202 waiting')
  // Of an order by its number alone.
  expect(await sent(merchant, { order_id: 'W-3', status: 'geplatzt' })).toBe('202 waiting')
  // Our words mean what the document says.
  expect(await sent(merchant, { ...first, order_id: 'N-3', status: 'declined' })).toBe(
    '200 rejected',
  )
  // Two that nobody knows are a mistake, and so is a slip in a name.
  expect(await sent(merchant, { ...first, status: 'odd', event: 'odd' })).toBe('422 refused')
  expect(await sent(merchant, { ...first, staus: 'odd' })).toBe('422 refused')
  expect(await countOf(merchant)).toBe(before)
  expect((await waitingOf(merchant)).toSorted()).toEqual([
    'event=ftd2 sale 1',
    'status=geplatzt sale 1',
    'status=parked sale 1',
  ])

  await decide(merchant, 'status', 'parked', 'ignored')
  await decide(merchant, 'event', 'ftd2', 'nothing')
  await decide(merchant, 'status', 'geplatzt', 'takes-back')
  expect(await countOf(merchant)).toBe(`${before} 1 -1`)
  expect(await sent(merchant, { ...first, order_id: 'N-4', status: 'Parked' })).toBe('200 ignored')
  expect(await sent(merchant, { ...first, order_id: 'N-5', event: 'ftd2' })).toBe('201 recorded')
  expect(await sent(merchant, { order_id: 'W-4', status: 'geplatzt' })).toBe('201 recorded')
  expect(await countOf(merchant)).toBe(`${before} 1 -1 1 -1`)
})

test('a site that has sent an unknown word before is answered as ever', async () => {
  const merchant = await world.merchant()
  await merchant.get({ click_id: await merchant.click(), order_id: 'A-1', status: 'odd' })
  clock.advance(8 * DAY_MS)
  await merchant.get({ click_id: await merchant.click(), order_id: 'A-2' })
  await learn()
  const odd = { click_id: await merchant.click(), order_id: 'A-3', status: 'odd' }
  expect(await sent(merchant, odd)).toBe('422 refused')
})

test('of 1,000 ordinary postbacks with new products, countries and fields, none waits', async () => {
  const merchant = await settledMerchant()
  const click_id = await merchant.click()
  const outcomes = new Map<string, number>()
  for (let number = 0; number < 500; number++) {
    const order = {
      click_id,
      order_id: `N-${number}`,
      product: `Shoe ${String.fromCharCode(65 + (number % 26))}`,
      country: ['PH', 'VN', 'TH', 'JP'][number % 4] ?? '',
      plan: number % 7 === 0 ? 'silver' : 'gold',
      [`field_${number % 60}`]: 'yes',
      payment_method: ['card', 'gcash', 'cash'][number % 3] ?? '',
    }
    for (const query of [{ ...order, status: number % 2 ? 'approved' : 'pending' }, order]) {
      const outcome = await sent(merchant, query)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    if (number % 25 === 24) await learn()
  }
  expect(Object.fromEntries(outcomes)).toEqual({
    '201 recorded': 500,
    '202 pending': 250,
    '200 duplicate': 250,
  })
})

test('the same word beside another event is another question', async () => {
  const merchant = await world.merchant()
  const order = await orderOf(merchant)
  await merchant.get({ ...order, event: 'bonus' })
  await learn()
  expect(await sent(merchant, { ...order, state: 'closed' })).toBe('202 waiting')
  await decide(merchant, 'state', 'closed', 'nothing')
  expect(await sent(merchant, { ...order, event: 'bonus', state: 'closed' })).toBe('202 waiting')
  expect(await waitingOf(merchant)).toEqual(['state=closed bonus 1'])
  const before = await countOf(merchant)
  await decide(merchant, 'state', 'closed', 'takes-back', 'bonus')
  // The bonus alone.
  expect(await countOf(merchant)).toBe(`${before} -1`)
  expect((await eventsOf(merchant.siteId)).at(-1)).toMatchObject({ event_type: 1, quantity: -1 })
  expect(await sent(merchant, { ...order, state: 'closed' })).toBe('200 duplicate')
})

test('of two new words, the second is asked about if the first means nothing', async () => {
  const merchant = await world.merchant()
  const order = await orderOf(merchant)
  expect(await sent(merchant, { ...order, lane: 'left', outcome: 'sent_back' })).toBe('202 waiting')
  expect(await decide(merchant, 'lane', 'left', 'nothing')).toEqual({ settled: 0, held: 0 })
  expect(await waitingOf(merchant)).toEqual(['outcome=sent_back sale 1'])
  expect(await decide(merchant, 'outcome', 'sent_back', 'takes-back')).toMatchObject({ settled: 1 })
  expect(await countOf(merchant)).toBe('1 -1')
})

test('a decision that is taken back is asked for again, and another tracker has its own words', async () => {
  const merchant = await world.merchant()
  const order = await orderOf(merchant)
  const back = { ...order, outcome: 'sent_back' }
  await merchant.get(back)
  await decide(merchant, 'outcome', 'sent_back', 'nothing')
  expect(await sent(merchant, back)).toBe('200 duplicate')
  await learn()
  expect(await sent(merchant, back)).toBe('200 duplicate')
  await updateSite(services, viewer(), merchant.siteId, { wordReadings: [] })
  await inbound.sites.reload()
  await learn()
  expect(await sent(merchant, back)).toBe('202 waiting')
  await decide(merchant, 'outcome', 'sent_back', 'counts')
  await updateSite(services, viewer(), merchant.siteId, { tracker: 'redtrack' })
  const site = await db
    .selectFrom('sites')
    .select('word_readings')
    .where('id', '=', merchant.siteId)
    .executeTakeFirst()
  expect(site?.word_readings).toEqual([])
  const former = await db
    .selectFrom('former_site_flags')
    .select(['word_readings', 'changed_by_name'])
    .where('site_id', '=', merchant.siteId)
    .orderBy('id')
    .execute()
  expect(former.map(({ word_readings }) => word_readings)).toEqual([
    [],
    [{ parameter: 'outcome', value: 'sent_back', event: 'sale', reading: 'nothing' }],
    [],
    [{ parameter: 'outcome', value: 'sent_back', event: 'sale', reading: 'counts' }],
  ])
})

test('nobody decides about a word with which nothing waits', async () => {
  const merchant = await world.merchant()
  await expect(decide(merchant, 'outcome', 'sent_back', 'counts')).rejects.toThrow(/Nothing waits/)
})

test('what is delivered again goes on waiting', async () => {
  const merchant = await world.merchant()
  const order = await orderOf(merchant)
  const answer = await merchant.get({ ...order, outcome: 'sent_back' })
  const { id } = answer.json<{ id: string }>()
  expect(await deliverAgain(services, id, 1)).toMatchObject({ outcome: 'conflict' })
  expect(await waitingOf(merchant)).toEqual(['outcome=sent_back sale 1'])
})

test('several processes hold it, and settle each once', async () => {
  const merchant = await world.merchant()
  const order = await orderOf(merchant)
  const query = { ...order, outcome: 'sent_back', key: merchant.key }
  const answers = await Promise.all(
    [world.app, otherApp, world.app, otherApp].map((app) =>
      app.inject({ method: 'GET', url: merchant.url, query }),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202])
  // A process ended after its decision was kept.
  const readings = [
    { parameter: 'outcome', value: 'sent_back', event: 'sale', reading: 'takes-back' },
  ]
  await db
    .updateTable('sites')
    .set({ word_readings: JSON.stringify(readings) })
    .where('id', '=', merchant.siteId)
    .execute()
  await Promise.all([1, 2, 3].map(() => settleDecided(services)))
  expect(await countOf(merchant)).toBe('1 -1')
  expect(await waitingOf(merchant)).toEqual([])
  await settleDecided(services)
  expect(await countOf(merchant)).toBe('1 -1')
})

test('what waited longer than the site’s days counts, as it came in time', async () => {
  const merchant = await settledMerchant({ counts_for_days: 10 })
  const before = await countOf(merchant)
  const order = { click_id: await merchant.click(), order_id: 'L-1', event: 'ftd2' }
  expect(await sent(merchant, order)).toBe('202 waiting')
  clock.advance(40 * DAY_MS)
  await decide(merchant, 'event', 'ftd2', 'nothing')
  expect(await countOf(merchant)).toBe(`${before} 1`)
})

test('a word that takes back a sale that never came is left to a person', async () => {
  const merchant = await settledMerchant()
  const before = await countOf(merchant)
  expect(await sent(merchant, { order_id: 'X-1', status: 'geplatzt' })).toBe('202 waiting')
  expect(await decide(merchant, 'status', 'geplatzt', 'takes-back')).toEqual({
    settled: 0,
    held: 0,
  })
  const held = await db
    .selectFrom('held_postbacks as held')
    .innerJoin('postbacks as postback', 'postback.id', 'held.postback_id')
    .select(['held.kind', 'held.reading', 'held.word_parameter'])
    .where('postback.site_id', '=', merchant.siteId)
    .execute()
  expect(held).toEqual([{ kind: 'which-sale', reading: 'takes-back', word_parameter: null }])
  expect(await countOf(merchant)).toBe(before)
})

test('of what seems to take money back, the word can be decided, too', async () => {
  const merchant = await world.merchant()
  const first = { click_id: await merchant.click(), order_id: 'A-1', customer_state: 'void' }
  expect(await sent(merchant, first)).toBe('409 conflict')
  expect(await sent(merchant, { ...first, order_id: 'A-2' })).toBe('409 conflict')
  expect(await decide(merchant, 'customer_state', 'void', 'nothing')).toEqual({
    settled: 2,
    held: 0,
  })
  expect(await countOf(merchant)).toBe('1 1')
  expect(await sent(merchant, { ...first, order_id: 'A-3' })).toBe('201 recorded')
  expect(await sent(merchant, { ...first, order_id: 'A-3', event_type: 'refund' })).toBe(
    '409 conflict',
  )
})

test('of a request without the right key, nothing is held and nothing is asked', async () => {
  const merchant = await settledMerchant()
  const query = { click_id: await merchant.click(), order_id: 'W-1', outcome: 'sent_back' }
  expect((await merchant.get(query, 'wrong')).statusCode).toBe(401)
  expect(await waitingOf(merchant)).toEqual([])
})

const heldOf = ({ siteId }: Merchant) =>
  db
    .selectFrom('held_postbacks as held')
    .innerJoin('postbacks as postback', 'postback.id', 'held.postback_id')
    .select([
      'held.postback_id as id',
      'held.kind',
      'held.word_name as name',
      'held.word_value as word',
    ])
    .where('postback.site_id', '=', siteId)
    .orderBy('postback.received_at')
    .execute()

const settlementOf = (id: string) =>
  db
    .selectFrom('postback_settlements')
    .select(['outcome', 'act', 'reason'])
    .where('postback_id', '=', id)
    .executeTakeFirst()

/** Two orders that count. */
async function ordersOf(merchant: Merchant) {
  const order = await orderOf(merchant)
  const other = { click_id: await merchant.click(), order_id: 'A-2' }
  await merchant.get(other)
  await learn()
  return { order, other }
}

test('a further new word of a report is new until somebody was asked about it', async () => {
  const merchant = await world.merchant()
  const { order, other } = await ordersOf(merchant)
  expect(await sent(merchant, { ...order, lane: 'left', outcome: 'sent_back' })).toBe('202 waiting')
  await learn()
  expect(await sent(merchant, { ...other, outcome: 'sent_back' })).toBe('202 waiting')
  expect(await waitingOf(merchant)).toEqual(['lane=left sale 1', 'outcome=sent_back sale 1'])
})

test('what a process that does not know of a decision yet receives is settled by it', async () => {
  const merchant = await settledMerchant()
  const { other } = await ordersOf(merchant)
  const before = await countOf(merchant)
  const first = { click_id: await merchant.click(), order_id: 'N-1' }
  const back = { ...other, outcome: 'sent_back' }
  expect(await sent(merchant, { ...first, status: 'parked' })).toBe('202 waiting')
  expect(await sent(merchant, { ...back, order_id: 'A-1' })).toBe('202 waiting')
  await learn()
  const said = { event: 'sale', reason: 'Asked Nora' } as const
  const parked = { ...said, parameter: 'status', value: 'parked', reading: 'nothing' } as const
  const sentBack = {
    ...said,
    parameter: 'outcome',
    value: 'sent_back',
    reading: 'takes-back',
  } as const
  await decideSiteWord(services, viewer(), merchant.siteId, parked)
  await decideSiteWord(services, viewer(), merchant.siteId, sentBack)
  const counted = await countOf(merchant)

  expect(await sent(merchant, { ...first, order_id: 'N-2', status: 'parked' })).toBe('202 waiting')
  expect(await sent(merchant, back)).toBe('202 waiting')
  expect(await countOf(merchant)).toBe(counted)
  // Whoever decides it meanwhile is too late.
  await expect(
    decideSiteWord(services, viewer(), merchant.siteId, { ...sentBack, reading: 'counts' }),
  ).rejects.toThrow(/This word is decided/)
  await settleDecided(services)
  expect(await countOf(merchant)).toBe(`${counted} 1 -1`)
  expect(before).not.toBe(counted)
  expect(await waitingOf(merchant)).toEqual([])
})

test('of what seems to take money back, every word is asked about before it counts', async () => {
  const merchant = await settledMerchant()
  const before = await countOf(merchant)
  const event = {
    click_id: await merchant.click(),
    order_id: 'N-1',
    event: 'foo',
    reason: 'refund',
  }
  expect(await sent(merchant, event)).toBe('409 conflict')
  const both = { ...event, order_id: 'N-2', event: 'sale', reason: 'none', customer_state: 'void' }
  expect(await sent(merchant, { ...both, order_state: 'cancelled' })).toBe('409 conflict')
  expect(
    await sent(merchant, {
      order_id: 'W-1',
      click_id: event.click_id,
      reason: 'refund',
      lane: 'left',
    }),
  ).toBe('409 conflict')
  await decide(merchant, 'reason', 'refund', 'nothing')
  expect((await waitingOf(merchant)).toSorted()).toEqual(['event=foo sale 1', 'lane=left sale 1'])
  await decide(merchant, 'customer_state', 'void', 'nothing')
  expect(await countOf(merchant)).toBe(before)
  expect(await heldOf(merchant)).toMatchObject([
    { kind: 'new-word', name: 'event' },
    { kind: 'takes-back', name: 'order_state', word: 'cancelled' },
    { kind: 'new-word', name: 'lane' },
  ])
  await expect(decide(merchant, 'order_state', 'cancelled', 'counts')).rejects.toMatchObject({
    data: { reading: [expect.stringMatching(/takes-back or nothing/)] },
  })
  await decide(merchant, 'order_state', 'cancelled', 'nothing')
  await decide(merchant, 'event', 'foo', 'nothing')
  expect(await countOf(merchant)).toBe(`${before} 1 1`)
})

test('how much goes back is no word', async () => {
  const merchant = await world.merchant()
  const order = { click_id: await merchant.click(), order_id: 'A-1' }
  for (const back of [
    { refund_amount: '5' },
    { refund_sum: 'USD 5' },
    { refunded: '1', refund_amount: '5' },
  ])
    expect([back, await sent(merchant, { ...order, ...back })]).toEqual([back, '409 conflict'])
  expect(await sent(merchant, { ...order, refunded: '1' })).toBe('409 conflict')
  expect((await heldOf(merchant)).map(({ word }) => word)).toEqual([null, null, null, '1'])
})

test('a word that takes back a part of what is pending leaves it pending', async () => {
  const merchant = await world.merchant()
  const order = { click_id: await merchant.click(), order_id: 'P-1' }
  await merchant.get({ ...order, amount: '100', status: 'pending' })
  await learn()
  await sent(merchant, { ...order, amount: '30', outcome: 'sent_back' })
  expect(await decide(merchant, 'outcome', 'sent_back', 'takes-back')).toEqual({
    settled: 0,
    held: 0,
  })
  expect(await heldOf(merchant)).toMatchObject([{ kind: 'part' }])
  expect(await sent(merchant, { ...order, status: 'approved' })).toBe('201 recorded')
})

test('a word that takes back rejects what is pending', async () => {
  const merchant = await world.merchant()
  const order = { click_id: await merchant.click(), order_id: 'P-1' }
  await merchant.get({ ...order, status: 'pending' })
  await learn()
  expect(await sent(merchant, { ...order, outcome: 'sent_back' })).toBe('202 waiting')
  const [held] = await heldOf(merchant)
  expect(await decide(merchant, 'outcome', 'sent_back', 'takes-back')).toEqual({
    settled: 1,
    held: 0,
  })
  expect(await settlementOf(held?.id ?? '')).toMatchObject({ outcome: 'rejected' })
  const pending = db.selectFrom('pending_postbacks').select('postback_id')
  expect(await pending.where('site_id', '=', merchant.siteId).execute()).toEqual([])
  // What says nothing of the rejection may be late.
  expect(await sent(merchant, order)).toBe('409 conflict')
  expect(await countOf(merchant)).toBe('')
})

test('so does a person who takes back what seems to take money back', async () => {
  const merchant = await world.merchant()
  const order = { click_id: await merchant.click(), order_id: 'P-1' }
  await merchant.get({ ...order, status: 'pending' })
  expect(await sent(merchant, { ...order, customer_state: 'void' })).toBe('409 conflict')
  const ids = (await heldOf(merchant)).map(({ id }) => id)
  const asked = { ids, act: 'reverse', reason: 'Asked Nora' } as const
  expect(await settleHeld({ ...services, findTierPay }, asked, viewer().accountId)).toMatchObject([
    { state: 'settled', outcome: 'rejected' },
  ])
  // What says nothing of the rejection may be late.
  expect(await sent(merchant, order)).toBe('409 conflict')
  expect(await countOf(merchant)).toBe('')
})

test('an order whose first report waits is known', async () => {
  const merchant = await settledMerchant()
  const before = await countOf(merchant)
  const first = { click_id: await merchant.click(), order_id: 'N-1' }
  expect(await sent(merchant, { ...first, status: 'parked' })).toBe('202 waiting')
  expect(await sent(merchant, { ...first, outcome: 'sent_back' })).toBe('202 waiting')
  // Without an order number, by its click.
  const bare = { click_id: await merchant.click() }
  expect(await sent(merchant, { ...bare, status: 'parked' })).toBe('202 waiting')
  expect(await sent(merchant, { ...bare, outcome: 'sent_back' })).toBe('202 waiting')
  expect(await sent(merchant, { ...first, order_id: 'N-2', outcome: 'sent_back' })).toBe(
    '201 recorded',
  )
  expect(await countOf(merchant)).toBe(`${before} 1`)
})

test('Home asks about no word that was put off or decided a moment ago', async () => {
  const merchant = await world.merchant()
  const order = await orderOf(merchant)
  await merchant.get({ ...order, outcome: 'sent_back' })
  const [held] = await heldOf(merchant)
  await db
    .insertInto('held_followups')
    .values({ postback_id: held?.id ?? '', put_off_until: '2027-03-02', changed_at: clock.now() })
    .execute()
  const askedOn = async (today: string) => {
    const { words } = await inTransaction(db, (tx) =>
      readNeeds({ tx, viewer: viewer(), now: tx.now, today }, '2026-01-01'),
    )
    return words.filter(({ siteId }) => siteId === merchant.siteId)
  }
  expect(await askedOn('2027-03-01')).toEqual([])
  expect(await askedOn('2027-03-02')).toMatchObject([
    { parameter: 'outcome', value: 'sent_back', event: 'sale', count: 1 },
  ])
  // It is decided about all the same.
  await decide(merchant, 'outcome', 'sent_back', 'takes-back')
  expect(await countOf(merchant)).toBe('1 -1')
})

test('what takes back by its word is kept as such, whatever is chosen about its time', async () => {
  const merchant = await settledMerchant()
  const time = new Date(clock.peek().getTime() - 20 * DAY_MS).toISOString()
  expect(await sent(merchant, { order_id: 'W-3', status: 'geplatzt', time })).toBe('202 waiting')
  await decide(merchant, 'status', 'geplatzt', 'takes-back')
  const [held] = await heldOf(merchant)
  expect(held).toMatchObject({ kind: 'early', word: null })
  const ids = [held?.id ?? '']
  const asked = { ids, act: 'record', reason: 'Asked Nora' } as const
  await settleHeld({ ...services, findTierPay }, asked, viewer().accountId)
  expect(await settlementOf(held?.id ?? '')).toMatchObject({
    outcome: 'recorded',
    act: 'word-takes-back',
  })
})

test('a word that counts counts nothing that names neither a click nor a known order', async () => {
  const merchant = await settledMerchant()
  const before = await countOf(merchant)
  expect(await sent(merchant, { order_id: 'X-1', status: 'geplatzt' })).toBe('202 waiting')
  const [held] = await heldOf(merchant)
  await decide(merchant, 'status', 'geplatzt', 'counts')
  expect((await settlementOf(held?.id ?? ''))?.reason).toMatch(/^It names no click, and no order/)
  expect(await countOf(merchant)).toBe(before)
})

test('what is held for a word of a site that was deleted is settled, and the word is not kept', async () => {
  const merchant = await world.merchant()
  const order = await orderOf(merchant)
  await merchant.get({ ...order, outcome: 'sent_back' })
  const site = db.updateTable('sites').where('id', '=', merchant.siteId)
  await site.set({ deleted_at: clock.now() }).execute()
  expect(await decide(merchant, 'outcome', 'sent_back', 'takes-back')).toEqual({
    settled: 1,
    held: 0,
  })
  expect(await countOf(merchant)).toBe('1 -1')
  const readings = db.selectFrom('sites').select('word_readings').where('id', '=', merchant.siteId)
  expect(await readings.executeTakeFirst()).toEqual({ word_readings: [] })
  await expect(decide(merchant, 'outcome', 'sent_back', 'takes-back')).rejects.toThrow(/site/)
})

test('how postbacks are read says that one waits, and forgets decisions with another tracker', async () => {
  const merchant = await settledMerchant()
  await merchant.get({ click_id: await merchant.click(), order_id: 'N-1', status: 'parked' })
  const lastRead = async (tracker?: string) =>
    (await findReadings(inbound, merchant.siteId, tracker)).items[0]
  expect(await lastRead()).toMatchObject({
    event: 'sale',
    problem: {
      outcome: 'conflict',
      reason: expect.stringMatching(/^status=parked was never sent/),
    },
  })
  await decide(merchant, 'status', 'parked', 'nothing')
  expect(await lastRead()).toMatchObject({ event: 'sale', problem: null })
  expect(await lastRead('affise')).toMatchObject({ problem: { outcome: 'refused' } })
})
