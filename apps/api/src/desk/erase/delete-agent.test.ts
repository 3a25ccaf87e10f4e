import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { addToTotals } from '../../../test/add-to-totals.ts'
import {
  buildAgent,
  buildClick,
  buildLinkType,
  buildOffice,
  buildSite,
} from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { commitEverywhere } from '../../db/citus/layout.ts'
import { openDatabase } from '../../db/database.ts'
import { errorCode, inTransaction } from '../../db/transaction.ts'
import { markOf } from '../../tracking/clicks/clicks-to-store.ts'
import { foldTotals, rebuildTotals, verifyTotals } from '../../totals/index.ts'
import { eraseRoutes } from './erase.routes.ts'
import { removeOrphanedEvents } from './delete-agent.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes(eraseRoutes(services))

const staff = { role: 'superadmin', officeId: undefined, agentId: undefined } as const
const deleter = viewer(staff, ['DELETE_AGENTS'])

let office: number
let agent: number
let colleague: number
let site: number
let type: number

beforeEach(async () => {
  office = await buildOffice(db)
  agent = await buildAgent(db, { office_id: office })
  colleague = await buildAgent(db, { office_id: office })
  site = await buildSite(db)
  type = await buildLinkType(db, { site_id: site })
  for (const id of [agent, colleague]) await buildHistory(id)
  await rebuildTotals(db)
})

test('a deleted agent leaves nothing behind, and the totals agree with the events', async () => {
  await buildHistory(agent, { pending: true })
  expect(await verifyTotals(db)).toEqual([])

  const answer = await remove(agent)
  expect([answer.status, answer.body]).toEqual([200, { ok: true }])
  expect(await tracesOf(agent)).toEqual([])
  expect(await tracesOf(colleague)).not.toEqual([])
  expect(await verifyTotals(db)).toEqual([])
  await foldTotals(db)
  expect(await verifyTotals(db)).toEqual([])
})

test('the only agent of an office leaves no empty row in the office’s totals', async () => {
  await remove(agent)
  await remove(colleague)
  const rows = await db.selectFrom('totals_day_office_type').selectAll().execute()
  expect(rows.filter((row) => row.office_id === office)).toEqual([])
  expect(await verifyTotals(db)).toEqual([])
})

test('an agent who changed offices is removed from the totals of both', async () => {
  const elsewhere = await buildOffice(db)
  await db.updateTable('agents').set({ office_id: elsewhere }).where('id', '=', agent).execute()
  await buildHistory(agent, { officeId: elsewhere, pending: true })
  await foldTotals(db)
  await remove(agent)
  expect(await verifyTotals(db)).toEqual([])
})

test('events that arrive while the agent is deleted fold cleanly and are deleted by the next sweep', async () => {
  await Promise.all([
    remove(agent),
    ...Array.from({ length: 10 }, () => buildHistory(agent, { pending: true })),
    ...Array.from({ length: 10 }, () => foldTotals(db)),
  ])
  await foldTotals(db)
  expect(await verifyTotals(db)).toEqual([])

  await buildHistory(agent, { pending: true })
  await foldTotals(db)
  await removeOrphanedEvents(services)
  expect(await tracesOf(agent)).toEqual([])
  expect(await verifyTotals(db)).toEqual([])
})

test('the sums of their archived months go too, and their clicks are to be purged from the files', async () => {
  const sealOf = (agent_id: number) => ({
    month: '2025-11-01',
    day: '2025-11-05',
    agent_id,
    office_id: office,
    site_id: site,
    type_id: type,
    clicks: 3,
    blacklisted: 1,
    raws: 2,
    uniques: 1,
  })
  const owner = openDatabase(database.connection, {
    max: 1,
    applicationName: 'test',
    asOwner: true,
  })
  await owner.db
    .insertInto('click_seals')
    .values([sealOf(agent), sealOf(colleague)])
    .execute()
  await rebuildTotals(db)
  await remove(agent)
  expect(await verifyTotals(db)).toEqual([])
  expect(await tracesOf(agent)).toEqual(['archive_purges'])
  expect(await db.selectFrom('click_seals').select('agent_id').execute()).toEqual([
    { agent_id: colleague },
  ])
  // Deleted while the month was being archived, so the totals no longer contain them.
  await owner.db.deleteFrom('click_seals').execute()
  await owner.db
    .insertInto('click_seals')
    .values([sealOf(agent)])
    .execute()
  await removeOrphanedEvents(services)
  expect(await db.selectFrom('click_seals').selectAll().execute()).toEqual([])
  await owner.close()
  await emptyTables(database.connection, ['archive_purges'])
  await rebuildTotals(db)
})

test('the app’s role cannot change the sums that replace archived clicks', async () => {
  for (const table of ['click_archives', 'click_seals', 'archive_purges'] as const) {
    // On a cluster, the app's role itself deletes the sums of deleted agents.
    if (table === 'click_seals' && database.layout === 'distributed') continue
    const refused = await db
      .deleteFrom(table)
      .execute()
      .catch((error: unknown) => error)
    expect(errorCode(refused)).toBe('42501')
  }
})

test('the app’s role alone cannot delete anything of an existing agent', async () => {
  const refused = await sql`select delete_events_of_removed_agent(${agent})`
    .execute(db)
    .catch((error: unknown) => error)
  expect(errorCode(refused)).toBe('42501')
  expect(await tracesOf(agent)).toEqual(
    expect.arrayContaining(['clicks', 'sale_events', 'sale_keys']),
  )
})

test('it takes a superadmin with the special flag', async () => {
  for (const who of [
    viewer(),
    viewer({ ...staff, role: 'admin' }, ['DELETE_AGENTS']),
    viewer({ role: 'company', officeId: office, agentId: undefined }, ['DELETE_AGENTS']),
  ]) {
    expect((await remove(agent, who)).status).toBe(403)
  }
  expect(await tracesOf(agent)).toContain('agents')
})

test('a missing agent cannot be deleted, nor one twice', async () => {
  await remove(agent)
  for (const id of [agent, 2_000_000_000]) {
    const { status, body } = await remove(id)
    expect([status, body.message]).toEqual([
      404,
      'This agent was not found. It may have been deleted, or you may not see it.',
    ])
  }
})

const remove = (id: number, who = deleter) =>
  call(who, agentsEndpoints.deleteAgent, { params: { id } })

let histories = 0

/**
 * A counted click, one from a black-listed address, a sale and its reversal, a chat log and a
 * session.
 */
async function buildHistory(
  agentId: number,
  { officeId = office, pending = false }: { officeId?: number; pending?: boolean } = {},
): Promise<void> {
  const where = { agent_id: agentId, office_id: officeId, site_id: site, type_id: type }
  const number = ++histories
  const at = new Date(Date.UTC(2026, 1, 1) + number * 5_000_000)
  const day = sql<string>`(${at}::timestamptz at time zone 'America/New_York')::date`
  const { rows } = await sql<{ day: string }>`select ${day} as day`.execute(db)
  const sale = {
    ...where,
    occurred_at: at,
    recorded_at: at,
    event_type: 0,
    lpp: 1,
    avp: false,
    rate_source: 'default',
    fraud: false,
    click_id: 'x',
  }
  const ip = `203.0.113.${number % 256}`
  const [first, second] = [randomUUID(), randomUUID()]
  await inTransaction(db, async (tx) => {
    await buildClick(tx, { ...where, clicked_at: at, ip })
    await tx
      .insertInto('seen_visitors')
      .values({
        day: rows[0]?.day ?? '',
        agent_id: agentId,
        visitor: Buffer.from(markOf({ typeId: type, visitor: ip }), 'hex'),
      })
      .execute()
    await buildClick(tx, { ...where, clicked_at: at, is_unique: false, uncounted: 'blacklisted' })
    await tx
      .insertInto('sale_events')
      .values([
        { ...sale, id: first, quantity: 1, earning_cents: 2500, payout_centavos: 50_000 },
        {
          ...sale,
          id: second,
          quantity: -1,
          earning_cents: -2500,
          payout_centavos: -50_000,
          lpp: -1,
          reverses: first,
          reversal: 'void',
        },
      ])
      .execute()
    await tx
      .insertInto('sale_keys')
      .values({
        sale_key: first,
        order_hash: 1,
        event_id: first,
        agent_id: agentId,
        type_id: type,
        click_id: 'x',
      })
      .execute()
    if (pending) {
      await addToTotals(tx, [{ ...where, day: rows[0]?.day ?? '', raws: 1, uniques: 1 }])
    }
    await commitEverywhere(tx) // as events do
  })
  const { id: target } = await db
    .insertInto('postback_targets')
    .values({
      office_id: officeId,
      url: 'https://tracker.example/',
      host: 'tracker.example',
      token: 'a token',
      events: ['sale.recorded'],
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const told = { agent_id: agentId, kind: 'sale.recorded' }
  await db
    .insertInto('deliveries')
    .values({ ...told, target_id: target, event_id: first, made_at: at, state: 'waiting' })
    .execute()
  await db
    .insertInto('notices')
    .values({ ...told, ...where, id: second, written_at: at })
    .execute()
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  if (!account) return
  await db
    .insertInto('chat_logs')
    .values({
      agent_id: agentId,
      office_id: officeId,
      site_id: site,
      client_username: 'c',
      conversation: 'Hello',
      submitted_at: at,
    })
    .execute()
    .catch(() => undefined) // the agent may be deleted right now
}

/** The tables that still have rows of the agent. */
async function tracesOf(agentId: number): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select distinct c.table_name as table
    from information_schema.columns as c
    join information_schema.tables as t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'agent_id' and t.table_type = 'BASE TABLE'
  `.execute(db)
  const found = (
    await db.selectFrom('agents').select('id').where('id', '=', agentId).execute()
  ).map(() => 'agents')
  for (const { table } of rows) {
    const { rows: traces } = await sql`
      select 1 from ${sql.table(table)} where agent_id = ${agentId} limit 1
    `.execute(db)
    if (traces.length > 0) found.push(table)
  }
  return found
}
