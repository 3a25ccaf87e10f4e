import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import {
  buildAccount,
  buildAgent,
  buildClick,
  buildLinkType,
  buildOffice,
  buildSite,
} from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { openDatabase } from '../../db/database.ts'
import { movingClock } from '../../lib/clock.ts'
import { markOf } from '../../tracking/clicks/clicks-to-store.ts'
import { withArchivesLocked } from '../../tracking/archive/archives.ts'
import { rebuildTotals, verifyTotals } from '../../totals/index.ts'
import { cutAddresses } from './cut-addresses.ts'

const { db, connection } = await testDatabase()
const owner = openDatabase(connection, { max: 2, applicationName: 'owner', asOwner: true })
afterAll(() => owner.close())
const services = { db: owner.db, clock: movingClock('2026-08-31T15:00:00Z') }

// Six months before 31 August would be 31 February. Addresses of 28 February, New York time, and
// later are kept.
const old = new Date('2026-02-28T04:59:59.999Z')
const kept = new Date('2026-02-28T05:00:00Z')

test('old addresses are cut, newer ones and all figures stay, and a second run finds nothing', async () => {
  const office = await buildOffice(db)
  const agent = await buildAgent(db, { office_id: office })
  const site = await buildSite(db)
  const where = {
    agent_id: agent,
    office_id: office,
    site_id: site,
    type_id: await buildLinkType(db, { site_id: site }),
  }
  await buildClick(db, { ...where, clicked_at: old, ip: '203.0.113.77' })
  await buildClick(db, {
    ...where,
    clicked_at: new Date('2025-12-01T12:00:00Z'),
    ip: '2001:db8:1:2:3::4',
  })
  await buildClick(db, { ...where, clicked_at: kept, ip: '203.0.113.78' })
  const account = await buildAccount(db)
  for (const [day, ip] of [
    ['2026-02-27', '198.51.100.1'],
    ['2026-02-28', '198.51.100.2'],
  ] as const) {
    await sql`
      insert into seen_visitors (day, agent_id, visitor)
      values (${day}, ${agent}, ${Buffer.from(markOf({ typeId: where.type_id, visitor: ip }), 'hex')})
    `.execute(db)
  }
  for (const [at, ip] of [
    [old, '198.51.100.3'],
    [kept, '198.51.100.4'],
  ] as const) {
    await sql`
      insert into sessions (id, account_id, started_at, last_seen_at, expires_at, ip)
      values (gen_random_uuid(), ${account}, ${at}, ${at}, ${at}, ${ip})
    `.execute(db)
    await sql`
      insert into api_tokens (account_id, name, may, hash, made_at, ends_at, last_used_at, ip)
      values (${account}, 'x', '{}', ${Buffer.from(ip)}, ${at}, ${at}, ${at}, ${ip})
    `.execute(db)
    await sql`
      insert into postbacks (id, received_at, method, ip, params, outcome)
      values (gen_random_uuid(), ${at}, 'GET', ${ip}, '{}', 'refused')
    `.execute(db)
  }
  await rebuildTotals(owner.db)

  const counts = [
    { name: 'clicks', count: 2 },
    { name: 'sign-ins', count: 1 },
    { name: 'uses of API tokens', count: 1 },
    { name: 'postbacks', count: 1 },
    { name: 'records of visitors seen', count: 1 },
  ]
  const before = await addresses()
  expect(await cutAddresses(services, { months: 6, isTry: true })).toEqual(counts)
  expect(await addresses()).toEqual(before)

  expect(await cutAddresses(services, { months: 6, isTry: false })).toEqual(counts)
  expect(await addresses()).toEqual({
    clicks: ['2001:db8:1::/48', '203.0.113.0/24', '203.0.113.78'],
    sessions: ['198.51.100.0/24', '198.51.100.4'],
    api_tokens: ['198.51.100.0/24', '198.51.100.4'],
    postbacks: ['198.51.100.0/24', '198.51.100.4'],
  })
  expect(await db.selectFrom('seen_visitors').select('day').execute()).toEqual([
    { day: '2026-02-28' },
  ])
  expect(await verifyTotals(db)).toEqual([])
  const { rows } = await sql`select 1 from clicks where is_unique`.execute(db)
  expect(rows).toHaveLength(3)

  const again = await cutAddresses(services, { months: 6, isTry: false })
  expect(again.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0])
})

async function addresses(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const table of ['clicks', 'sessions', 'api_tokens', 'postbacks']) {
    const { rows } = await sql<{ ip: string }>`
      select ip::text as ip from ${sql.table(table)}
    `.execute(db)
    found[table] = rows.map(({ ip }) => ip.replace(/\/(32|128)$/, '')).toSorted()
  }
  return found
}

test('while clicks are archived, it is refused', async () => {
  const other = openDatabase(connection, { max: 1, applicationName: 'archiving', asOwner: true })
  onTestFinished(() => other.close())
  await withArchivesLocked(other.db, async () => {
    const cut = cutAddresses(services, { months: 6, isTry: false })
    await expect(cut).rejects.toThrow('Clicks are being archived or restored.')
  })
})
