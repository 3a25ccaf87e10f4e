import { describe, expect, test } from 'vitest'
import { postbackWorld } from '../../../test/postback-world.ts'
import { findReadings } from './readings.ts'

const world = await postbackWorld()
const { inbound } = world

test('each parameter of the last postbacks is read, kept or not understood', async () => {
  const { siteId, click, get } = await world.merchant()
  const cid = await click()
  await get({ cid, order_id: 'A-1', amount: '5', colour: 'red' })
  const { items } = await findReadings(inbound, siteId, undefined)
  expect(items).toMatchObject([
    { outcome: 'recorded', event: 'sale', standing: 'counts', problem: null },
  ])
  const read = Object.fromEntries(
    items[0]?.parameters.map(({ name, readAs }) => [name, readAs]) ?? [],
  )
  expect(read).toEqual({
    key: 'kept',
    cid: 'click_id',
    order_id: 'transaction_id',
    amount: 'amount',
    colour: 'not understood',
  })
})

test('a tracker can be tried before it is chosen', async () => {
  const { siteId, click, get } = await world.merchant()
  await get({ clickid: await click(), action_id: '7', goal: 'ftd', status: '2' })
  const meaningWith = async (tracker: string | undefined) => {
    const [item] = (await findReadings(inbound, siteId, tracker)).items
    return [item?.standing, item?.problem?.reason]
  }
  expect((await meaningWith(undefined))[1]).toMatch(/^event is not an event of this site/)
  await world.db
    .updateTable('sites')
    .set({ event_words: JSON.stringify({ ftd: 'sale' }) })
    .where('id', '=', siteId)
    .execute()
  expect((await meaningWith(undefined))[1]).toMatch(/^status status=2 is not a status/)
  expect(await meaningWith('affise')).toEqual(['pending', undefined])
})

test('the last ten are shown, newest first', async () => {
  const { siteId, get } = await world.merchant()
  for (let number = 1; number <= 11; number++) {
    world.clock.advance(1_000)
    await get({ cid: 'x', tid: `T${number}` })
  }
  const { items } = await findReadings(inbound, siteId, undefined)
  const orders = items.map(({ parameters }) => parameters.find(({ name }) => name === 'tid')?.value)
  expect(orders).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((number) => `T${number}`))
})

describe('a postback reads as it was answered', () => {
  const order = { order_id: 'A-1' }
  const table: [title: string, sent: Record<string, string>, outcome: string][] = [
    ['a sale', { cid: 'CLICK', ...order }, 'recorded'],
    ['an approval without a click id', { status: 'approved', ...order }, 'recorded'],
    ['the same of another order', { status: 'approved', order_id: 'A-2' }, 'refused'],
    ['a sale without a click id', order, 'refused'],
    ['a click id that is not ours', { cid: 'x'.repeat(32), ...order }, 'refused'],
    ['a word that takes back', { cid: 'CLICK', order_id: 'A-3', reason: 'refund' }, 'conflict'],
    ['a rejection without a click id', { status: 'rejected', ...order }, 'rejected'],
    ['a placeholder', { cid: 'CLICK', order_id: '{order}' }, 'refused'],
  ]
  test.each(table)('%s', async (_, sent, outcome) => {
    const { siteId, click, get } = await world.merchant()
    const cid = await click()
    await get({ cid, ...order, status: 'pending' })
    world.clock.advance(1_000)
    const answer = (await get({ ...sent, ...(sent['cid'] === 'CLICK' && { cid }) })).json<{
      outcome: string
      reason?: string
    }>()
    expect(answer.outcome).toBe(outcome)
    const [item] = (await findReadings(inbound, siteId, undefined)).items
    expect(item?.outcome).toBe(outcome)
    const isProblem = outcome === 'refused' || outcome === 'conflict'
    expect(item?.problem).toEqual(isProblem ? { outcome, reason: answer.reason } : null)
  })
})
