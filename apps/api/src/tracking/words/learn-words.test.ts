import { expect, test } from 'vitest'
import { postbackWorld } from '../../../test/postback-world.ts'
import { about } from '../../../test/test-clock.ts'
import { execute } from '../../../test/test-server.ts'
import { makeTestClick } from '../postbacks/test-postback.ts'
import { learnWords } from './learn-words.ts'
import { findSiteWords } from './site-words.ts'
import { findReceivedOf } from './words.queries.ts'

const world = await postbackWorld()
const { clock, db, inbound, services } = world

/** What is known of a site half a minute later. */
async function wordsOf(siteId: number) {
  clock.advance(31_000)
  await learnWords(services)
  const site = await inbound.sites.find(siteId)
  const { items } = await findSiteWords(db, siteId, site!)
  return new Map(items.map((item) => [item.parameter, item]))
}

/** `sale 2, void 1`. */
const textOf = (values: { value: string; times: number }[] | undefined) =>
  values?.map(({ value, times }) => `${value} ${times}`).join(', ')

test('what a site sends is kept, with how often and what it is read as', async () => {
  const event_words = JSON.stringify({ ftd: 'sale', reg: 'nothing' })
  const { siteId, click, get } = await world.merchant({ event_words })
  const click_id = await click()
  const first = clock.peek().toISOString()
  await get({ click_id, order_id: 'A-1', goal: 'FTD', status: 'approved', country: 'PH' })
  await get({ click_id, OrderID: 'A-2', goal: 'ftd', status: 'pending', country: 'VN' })
  await get({ click_id, order_id: 'A-3', goal: 'reg', amount: '19.90', note: 'refund' })
  await get({ click_id, order_id: 'A-4', goal: 'nonsense', status: 'odd' })
  clock.advance(60_000)
  const last = clock.peek().toISOString()
  await get({ click_id, order_id: 'A-2', status: 'refunded', email: 'ann@example.com' })

  const words = await wordsOf(siteId)
  const shown = [...words].map(([name, { readAs, isFree, times }]) => [name, readAs, isFree, times])
  expect(new Set(shown)).toEqual(
    new Set([
      ['click_id', 'click_id', true, 5],
      ['order_id', 'transaction_id', true, 5],
      ['goal', 'event', false, 4],
      ['status', 'status', false, 4],
      ['country', 'kept', false, 2],
      ['amount', 'amount', true, 1],
      ['note', 'kept', false, 1],
      ['email', 'email', true, 1],
    ]),
  )
  const meanings = (name: string) =>
    Object.fromEntries(words.get(name)?.values.map(({ value, means }) => [value, means]) ?? [])
  expect(meanings('goal')).toEqual({ ftd: 'sale', reg: 'ignored', nonsense: 'not understood' })
  expect(meanings('status')).toEqual({
    approved: 'counts',
    pending: 'pending',
    odd: 'not understood',
    refunded: 'reverses',
  })
  expect(meanings('country')).toEqual({ ph: null, vn: null })
  expect(meanings('note')).toEqual({ refund: 'held' })
  expect(textOf(words.get('goal')?.values)).toBe('ftd 2, reg 1, nonsense 1')
  const status = words.get('status')
  expect([status?.firstAt, status?.lastAt]).toEqual([about(first), about(last)])
  expect(words.get('order_id')?.example).toBe('A-2')
  expect(words.get('email')?.example).toBe('ann@example.com')
})

test('the key is not among them, nor is any other secret', async () => {
  const { siteId, click, get } = await world.merchant()
  await get({ click_id: await click(), order_id: 'A-1', api_token: 'abcdef' })
  expect([...(await wordsOf(siteId)).keys()].toSorted()).toEqual(['click_id', 'order_id'])
})

test('what comes without the right key leaves nothing', async () => {
  const { siteId, click, get } = await world.merchant()
  const click_id = await click()
  for (let number = 0; number < 15; number++) {
    const sent = { click_id, [`stuffed_${number}`]: `word ${number}`, status: `odd${number}` }
    expect((await get(sent, 'wrong', `198.51.100.${number}`)).statusCode).toBe(401)
  }
  expect(await wordsOf(siteId)).toEqual(new Map())
  await get({ click_id, status: 'odd' })
  const words = await wordsOf(siteId)
  expect(textOf(words.get('status')?.values)).toBe('odd 1')
})

test('a test teaches nothing, read or not yet read', async () => {
  const { siteId, typeId, click, get } = await world.merchant()
  const click_id = await click()
  const tested = makeTestClick(inbound.clickIds, typeId, clock.peek())
  expect((await get({ click_id: tested, order_id: 'T-1', plan: 'gold' })).statusCode).toBe(201)
  expect(await findReceivedOf(db, siteId, { since: new Date(0), limit: 10 })).toEqual([])
  await get({ click_id, order_id: 'A-1', plan: 'silver' })
  expect(textOf((await wordsOf(siteId)).get('plan')?.values)).toBe('silver 1')
})

test('a parameter with more than 20 values is free, for good', async () => {
  const { siteId, click, get } = await world.merchant()
  const click_id = await click()
  const send = (colour: string) => get({ click_id, order_id: `A-${colour}`, colour })
  for (let number = 1; number <= 20; number++) await send(`shade ${number}`)
  let colour = (await wordsOf(siteId)).get('colour')
  expect([colour?.isFree, colour?.values.length, colour?.times]).toEqual([false, 20, 20])
  await send('shade 7')
  await send('shade 21')
  colour = (await wordsOf(siteId)).get('colour')
  expect([colour?.isFree, colour?.values.length, colour?.times]).toEqual([true, 0, 22])
  await send('shade 1')
  colour = (await wordsOf(siteId)).get('colour')
  expect([colour?.isFree, colour?.values.length, colour?.times]).toEqual([true, 0, 23])
  expect(colour?.example).toBe('shade 1')
})

test('numbers, times, ids, sentences and buyers’ details are no words', async () => {
  const { siteId, click, get } = await world.merchant()
  const click_id = await click()
  await get({
    click_id,
    order_id: 'A-1',
    sum_paid: '1999',
    ordered: '2026-03-10T16:00:00Z',
    ref_code: 'zx81-9920',
    comment: 'please call, thank you',
    first_name: 'Ann',
    'customer.name': 'Ann',
    step: '2',
  })
  const words = await wordsOf(siteId)
  const free = [...words].filter(([, { isFree }]) => isFree).map(([name]) => name)
  expect(free.toSorted()).toEqual(
    'click_id comment customer.name first_name order_id ordered ref_code sum_paid'.split(' '),
  )
  expect(textOf(words.get('step')?.values)).toBe('2 1')
})

test('of a site, 200 parameters are kept, with names of 60 characters', async () => {
  const { siteId, click, get } = await world.merchant()
  const click_id = await click()
  const long = `long${'x'.repeat(80)}`
  await get({ click_id, order_id: 'long', [long]: 'yes' })
  for (const round of ['a', 'b', 'c']) {
    const sent = Array.from({ length: 90 }, (_, at) => [`${round}-parameter-${at}`, 'yes'])
    await get({ click_id, order_id: round, ...Object.fromEntries(sent) })
  }
  const words = await wordsOf(siteId)
  expect(words.size).toBe(200)
  expect(words.get(long.slice(0, 60))?.times).toBe(1)
  await get({ click_id, order_id: 'd', 'a-parameter-1': 'yes', another: 'yes' })
  const later = await wordsOf(siteId)
  expect(later.size).toBe(200)
  expect(later.get('a-parameter-1')?.times).toBe(2)
})

test('places in a list are one parameter', async () => {
  const { siteId, key, url, click } = await world.merchant()
  await world.app.inject({
    method: 'POST',
    url,
    headers: { 'x-postback-key': key },
    payload: {
      click_id: await click(),
      order_id: 'A-1',
      line_items: [{ kind: 'shoe' }, { kind: 'hat' }],
    },
  })
  const words = await wordsOf(siteId)
  expect(textOf(words.get('line_items.*.kind')?.values)).toBe('hat 1, shoe 1')
})

test('each postback is read once, by whichever process comes first', async () => {
  const { siteId, click, get } = await world.merchant()
  const click_id = await click()
  for (let number = 1; number <= 6; number++) await get({ click_id, order_id: `A-${number}` })
  clock.advance(31_000)
  await Promise.all([learnWords(services), learnWords(services), learnWords(services)])
  expect((await wordsOf(siteId)).get('order_id')?.times).toBe(6)
  expect((await wordsOf(siteId)).get('order_id')?.times).toBe(6)
})

test('what was received before an upgrade is read from the beginning', async () => {
  const { siteId, click, get } = await world.merchant()
  const click_id = await click()
  const firstAt = clock.peek().toISOString()
  for (let number = 1; number <= 3; number++) {
    await get({ click_id, order_id: `A-${number}`, plan: number === 1 ? 'gold' : 'silver' })
    clock.advance(86_400_000)
  }
  clock.advance(31_000)
  await learnWords(services)
  await execute(
    world.connection,
    `delete from site_words;
    update site_words_read set received_at = '1970-01-01', postback_id = '00000000-0000-0000-0000-000000000000';
    -- Rows of older releases do not say how the site was set.
    update postbacks set use_approve_sale = null where site_id = ${siteId}`,
  )
  const words = await wordsOf(siteId)
  expect(textOf(words.get('plan')?.values)).toBe('gold 1, silver 2')
  expect(words.get('plan')?.firstAt).toEqual(about(firstAt))
})

test('it is said up to when a site’s postbacks were read', async () => {
  const { siteId } = await world.merchant()
  await wordsOf(siteId)
  const site = await inbound.sites.find(siteId)
  const { readUntil, items } = await findSiteWords(db, siteId, site!)
  expect(items).toEqual([])
  const behindMs = clock.peek().getTime() - new Date(readUntil).getTime()
  expect(Math.round(behindMs / 1_000)).toBe(30)
})
