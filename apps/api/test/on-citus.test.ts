import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addMonths, todayNewYork } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { buildAgent, buildClick, buildLinkType, buildOffice, buildSite } from './build-world.ts'
import { createCitusDatabase, testDatabase } from './database.ts'
import { backup } from '../src/operate/backup/backup.ts'
import { restore } from '../src/operate/backup/restore.ts'
import { ensurePartitions } from '../src/tracking/clicks/partitions.queries.ts'
import { verifyAuditLog } from '../src/desk/common-logs/verify-audit-log.ts'
import { systemClock } from '../src/lib/clock.ts'
import { silentLog } from '../src/lib/log/log.ts'
import { findStores } from '../src/start/stores.ts'
import { storesOnCluster } from '../src/tracking/citus/stores.ts'
import { orderHashOf } from '../src/tracking/sales/sale-keys.ts'
import { rebuildTotals, verifyTotals } from '../src/totals/index.ts'
import { openDatabase, type Tx } from '../src/db/database.ts'
import { type IdColumn, readIds } from '../src/db/ids.ts'
import { migrate } from '../src/db/migrate.ts'
import { inTransaction } from '../src/db/transaction.ts'
import { distribute, expectEveryTableInPlace } from '../src/db/citus/distribute.ts'
import { findLayout } from '../src/db/citus/layout.ts'

/** What only a real Citus can show. docs/operations.md says how to set one up. */
describe.runIf(inject('testServer').isCitus)('on Citus', () => {
  async function openCitus() {
    const { connection, close } = await createCitusDatabase()
    const owner = openDatabase(connection, {
      max: 2,
      applicationName: 'tallyroom cli',
      asOwner: true,
    })
    afterAll(async () => {
      await owner.close()
      await close()
    })
    return { connection, owner: owner.db, pool: owner.pool }
  }

  test('a database with rows is distributed: its rows stay, and no id is given twice', async () => {
    const { connection, owner } = await openCitus()
    await migrate(connection, silentLog)
    const office = await buildOffice(owner)
    const site_id = await buildSite(owner)
    const type_id = await buildLinkType(owner, { site_id })
    const agents = []
    for (let count = 0; count < 5; count++)
      agents.push(await buildAgent(owner, { office_id: office }))
    for (const agent_id of agents)
      await buildClick(owner, { agent_id, office_id: office, site_id, type_id })
    // The id of a deleted agent is never reused, because old links contain it.
    const last = Math.max(...agents)
    await sql`delete from accounts where agent_id = ${last}`.execute(owner)
    await sql`delete from agents where id = ${last}`.execute(owner)
    const ask = (statement: string) => sql.raw<IdColumn>(statement).execute(owner)
    const before = await readIds(ask)

    expect(await distribute(owner)).toContain('clicks')
    expect(await findLayout(owner)).toBe('distributed')
    expect(byTable(await readIds(ask))).toEqual(byTable(before))
    expect(await buildAgent(owner, { office_id: office })).toBeGreaterThan(last)
    expect(await buildOffice(owner)).toBeGreaterThan(office)
    const { rows } = await sql`select count(*) as count from clicks`.execute(owner)
    expect(rows).toEqual([{ count: 5 }])
    expect(await distribute(owner)).toEqual([])
  })

  test('a failure leaves every table where it was', async () => {
    const { connection, owner } = await openCitus()
    await migrate(connection, silentLog)
    // Citus distributes no table that has one. It would be the last table.
    await sql`
      create function stray() returns trigger language plpgsql as 'begin return new; end'
    `.execute(owner)
    await sql`
      create trigger stray before insert on sale_keys for each row execute function stray()
    `.execute(owner)
    await expect(distribute(owner)).rejects.toThrow('trigger')
    expect(await findLayout(owner)).toBe('together')
    const { rows } = await sql`select from pg_dist_partition where partmethod = 'h'`.execute(owner)
    expect(rows).toEqual([])
  })

  test('it waits for sessions that are ending', async () => {
    const { connection, owner } = await openCitus()
    await migrate(connection, silentLog)
    const ending = openDatabase(connection, { max: 1, applicationName: 'tallyroom migrations' })
    await sql`select`.execute(ending.db)
    const moving = distribute(owner)
    await sleep(300)
    await ending.close()
    expect(await moving).not.toEqual([])
  })

  test('an existing database is moved: backup, restore, distribute', async () => {
    const source = await testDatabase({ layout: 'together' })
    const office = await buildOffice(source.db)
    const site_id = await buildSite(source.db)
    const type_id = await buildLinkType(source.db, { site_id })
    const agent_id = await buildAgent(source.db, { office_id: office })
    await buildClick(source.db, { agent_id, office_id: office, site_id, type_id })
    await rebuildTotals(source.db)
    const folder = await mkdtemp(join(tmpdir(), 'tallyroom-move-'))
    afterAll(() => rm(folder, { recursive: true }))
    const file = join(folder, 'before.backup')
    const clock = systemClock
    const former = openDatabase(source.connection, {
      max: 2,
      applicationName: 'tallyroom cli',
      asOwner: true,
    })
    await backup({ ...former, clock }, file)
    await former.close()

    const { connection, owner, pool } = await openCitus()
    const stores = await findStores(owner)
    await restore({ ...stores, db: owner, pool, connection, clock }, file)
    expect(await findLayout(owner)).toBe('together')
    expect(await distribute(owner)).toContain('clicks')

    expect(await verifyTotals(owner)).toEqual([])
    expect((await verifyAuditLog(owner)).broken).toBeUndefined()
    const { rows } = await sql`select agent_id from clicks`.execute(owner)
    expect(rows).toEqual([{ agent_id }])
  })

  test('a distributed database of an older schema is upgraded', async () => {
    const { connection, owner } = await openCitus()
    await migrate(connection, silentLog, { upTo: '0016_totals_by_week_avp' })
    const old = await distribute(owner)
    expect(old).not.toContain('bookings')
    await ensurePartitions(owner, systemClock)
    await sql`
      insert into seen_visitors (day, agent_id, type_id, ip)
      select current_date + place % 2 * 20, place, 7, '192.0.2.1' from generate_series(1, 40) as place
    `.execute(owner)
    await sql`
      insert into clicks (clicked_at, agent_id, type_id, site_id, office_id, nonce, is_unique, counted, ip)
      select
        date_trunc('milliseconds', now()) - place * interval '1 hour',
        place, 1, 1, 1, place, place > 4, place > 4, '192.0.2.1'
      from generate_series(1, 40) as place
    `.execute(owner)
    await sql`
      insert into sale_keys (sale_key, event_id, agent_id, type_id, click_id)
      select unnest(array[name || ':0', name || ':void/p7']), gen_random_uuid(), place, 7, 'click'
      from (select place, '1:t:order ' || place as name from generate_series(1, 20) as place) as orders
    `.execute(owner)
    await expectEveryTableInPlace(owner)
    expect(await migrate(connection, silentLog)).toBeDefined()
    await expect(expectEveryTableInPlace(owner)).rejects.toThrow(/db distribute.*\bbookings\b/)
    expect(await distribute(owner)).toEqual(
      expect.arrayContaining(['bookings', 'sale_keys', 'seen_visitors']),
    )
    expect(await distribute(owner)).toEqual([])
    const app = openDatabase(connection, { max: 1, applicationName: 'test' })
    const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`
      explain select from sale_keys
      where order_hash = ${orderHashOf('1:t:order 3:0')} and sale_key in ('1:t:order 3:0', '1:t:order 3:void/p7')
    `.execute(app.db)
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('Task Count: 1')
    const { ledger } = storesOnCluster
    const holders = await ledger.findHolders(app.db, ['1:t:order 3:0', '1:t:order 3:void/p7'])
    expect(holders).toHaveLength(2)
    for (const holder of holders) {
      const insert = (tx: Tx) => ledger.insertFurtherKey(tx, holder.saleKey, holder)
      expect(await inTransaction(app.db, insert)).toBe(false)
    }
    await app.close()
    const { rows: seen } = await sql`
      select count(*) as count, min(encode(visitor, 'hex')) as least, max(encode(visitor, 'hex')) as most
      from seen_visitors
    `.execute(owner)
    expect(seen).toEqual([{ count: 40, least: '07c0000201', most: '07c0000201' }])
    const { rows: clicks } = await sql`
      select uncounted, count(*) as count from clicks group by uncounted order by uncounted
    `.execute(owner)
    expect(clicks).toEqual([
      { uncounted: 'blacklisted', count: 4 },
      { uncounted: null, count: 36 },
    ])
    await expectEveryTableInPlace(owner)
    await ensurePartitions(owner, systemClock, {
      to: addMonths(todayNewYork(systemClock.now()), 4),
    })

    const office = await buildOffice(owner)
    const agent_id = await buildAgent(owner, { office_id: office })
    const site_id = await buildSite(owner)
    const type_id = await buildLinkType(owner, { site_id })
    await buildClick(owner, { agent_id, office_id: office, site_id, type_id })
    await rebuildTotals(owner)
    expect(await verifyTotals(owner)).toEqual([])
  })
})

const byTable = (columns: readonly IdColumn[]) =>
  Object.fromEntries(columns.map(({ table, given }) => [table, given]))
