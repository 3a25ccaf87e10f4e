import { expect, test } from 'vitest'
import { postbackWorld } from '../../../test/postback-world.ts'
import { learnWords } from './learn-words.ts'
import { searchPostbacks } from '../postbacks/search-postbacks.ts'

const { clock, inbound, merchant, services } = await postbackWorld()

const search = { page: 1, pageSize: 50, sortField: 'receivedAt', sortAsc: true } as const

/** The order numbers with which each postback of a site may be a double, half a minute later. */
async function doublesOf(siteId: number) {
  clock.advance(31_000)
  await learnWords(services)
  const { items } = await searchPostbacks(inbound, { ...search, siteId })
  return items.map(({ transactionId, doubles }) => [
    transactionId,
    doubles?.map((double) => double.transactionId),
  ])
}

test('the same click and amount under two numbers within a minute is noted on both', async () => {
  const { siteId, click, get } = await merchant()
  const click_id = await click()
  const first = await get({ click_id, order_id: '71', amount: '49.90', currency: 'USD' })
  clock.advance(2_000)
  await get({ click_id, order_id: 'A-71', amount: '49.9', currency: 'USD' })
  expect(await doublesOf(siteId)).toEqual([
    ['71', ['A-71']],
    ['A-71', ['71']],
  ])
  const { items } = await searchPostbacks(inbound, { ...search, siteId, transactionId: 'A-71' })
  expect(items[0]?.doubles).toEqual([
    {
      id: first.json().id,
      transactionId: '71',
      receivedAt: expect.stringMatching(/^2026-03-10T16:/),
      eventId: first.json().eventId,
    },
  ])
})

test('a note stays as it was, however often postbacks are read, and says nothing of later ones', async () => {
  const { siteId, click, get } = await merchant()
  const click_id = await click()
  await get({ click_id, order_id: '1', amount: '5' })
  await get({ click_id, order_id: '2', amount: '5' })
  const noted = await doublesOf(siteId)
  clock.advance(60_000)
  await get({ click_id, order_id: '3', amount: '5' })
  expect(await doublesOf(siteId)).toEqual([...noted, ['3', undefined]])
})

test('three in a row are noted each with the one before', async () => {
  const { siteId, click, get } = await merchant()
  const click_id = await click()
  for (const order_id of ['1', '2', '3']) {
    await get({ click_id, order_id, amount: '5' })
    clock.advance(40_000)
  }
  expect(await doublesOf(siteId)).toEqual([
    ['1', ['2']],
    ['2', ['1', '3']],
    ['3', ['2']],
  ])
})

test.each([
  ['another amount', { amount: '6' }],
  ['another currency', { currency: 'PHP' }],
  ['no amount', { amount: '' }],
  ['the same number', { order_id: '1' }],
  ['no number', { order_id: '' }],
  ['another event', { event: 'bonus' }],
  ['a reversal', { event: 'void' }],
  ['a minute later', { later: 60_000 }],
  ['a rejection', { status: 'rejected' }],
  ['a refused one', { time: 'nonsense' }],
])('with %s, nothing is noted', async (_, { later = 0, ...differs }: Record<string, unknown>) => {
  const { siteId, click, get } = await merchant()
  const sale = { click_id: await click(), amount: '5', currency: 'USD' }
  await get({ ...sale, order_id: '1' })
  clock.advance(Number(later))
  await get({ ...sale, order_id: '2', ...(differs as Record<string, string>) })
  expect((await doublesOf(siteId)).map(([, doubles]) => doubles)).toEqual([undefined, undefined])
})

test('neither is it for another click', async () => {
  const { siteId, click, get } = await merchant()
  await get({ click_id: await click(), order_id: '1', amount: '5' })
  await get({ click_id: await click(), order_id: '2', amount: '5' })
  expect((await doublesOf(siteId)).map(([, doubles]) => doubles)).toEqual([undefined, undefined])
})

test('nor for orders of two days that are reported together', async () => {
  const { siteId, click, get } = await merchant()
  const click_id = await click()
  clock.advance(3 * DAY_MS)
  const ago = (days: number) => new Date(clock.peek().getTime() - days * DAY_MS).toISOString()
  await get({ click_id, order_id: '1', amount: '5', time: ago(2) })
  await get({ click_id, order_id: '2', amount: '5', time: ago(1) })
  expect((await doublesOf(siteId)).map(([, doubles]) => doubles)).toEqual([undefined, undefined])
})

const DAY_MS = 24 * 3_600_000
