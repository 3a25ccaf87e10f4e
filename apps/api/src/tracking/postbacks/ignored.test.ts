import { expect, test } from 'vitest'
import { postbackWorld } from '../../../test/postback-world.ts'

const { eventsOf, kept, merchant } = await postbackWorld()

const event_words = JSON.stringify({ ftd: 'sale', reg: 'nothing', dep: 'nothing', lead: 'nothing' })

test.each([
  { event: 'reg' },
  { goal: 'DEP', amount: '50' },
  { status: 'lead' },
  { event: 'reg', status: 'approved' },
  { event: 'reg', status: 'some other' },
  { event: 'dep', click_id: 'none of ours' },
])('%o of a site that ignores it is answered with 200 and counts nothing', async (query) => {
  const { siteId, click, get } = await merchant({ event_words })
  const answer = await get({ click_id: await click(), transaction_id: 'A-1', ...query })
  const { id, ...body } = answer.json<{ id: string; outcome: string; reason: string }>()
  expect([answer.statusCode, body.outcome]).toEqual([200, 'ignored'])
  expect(body.reason).toMatch(/is ignored, as agreed with the network\.$/)
  expect(await kept(id)).toMatchObject({ outcome: 'ignored', event: null, event_id: null })
  expect(await eventsOf(siteId)).toEqual([])
})

test('what an ignored word stands beside is read as ever', async () => {
  const { siteId, click, get } = await merchant({ event_words })
  const click_id = await click()
  const status = async (query: Record<string, string>) =>
    (await get({ click_id, transaction_id: 'A-1', ...query })).statusCode
  expect(await status({ event: 'ftd' })).toBe(201)
  // The same number, later: a deposit changes nothing about the sale.
  expect(await status({ event: 'dep', amount: '5' })).toBe(200)
  expect(await status({ event: 'dep', amount: '-5' })).toBe(409)
  expect(await status({ event: 'unknown' })).toBe(422)
  expect(await status({ event: 'ftd', status: 'lead' })).toBe(422)
  expect(await status({ event: 'void' })).toBe(201)
  expect((await eventsOf(siteId)).map(({ quantity }) => quantity)).toEqual([1, -1])
})
