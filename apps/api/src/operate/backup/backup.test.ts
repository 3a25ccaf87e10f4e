import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { createTestDatabase, type TestDatabase, withClock } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { about } from '../../../test/test-clock.ts'
import { until } from '../../../test/until.ts'
import { expectEveryTableInPlace } from '../../db/citus/distribute.ts'
import { findLayout } from '../../db/citus/layout.ts'
import { openDatabase } from '../../db/database.ts'
import { lockIds } from '../../db/locks.ts'
import { isHalfRestored, migrate } from '../../db/migrate.ts'
import { inTransaction } from '../../db/transaction.ts'
import { movingClock } from '../../lib/clock.ts'
import { silentLog } from '../../lib/log/log.ts'
import { rebuildTotals, verifyTotals } from '../../totals/index.ts'
import { storesOf } from '../../start/stores.ts'
import { decideHeld, holdWhatWaits } from '../../desk/queue/queue.ts'
import { postMail } from '../../people/index.ts'
import { findUngranted } from '../../pay/evidence/verify-decisions.ts'
import { beginSeals } from '../../seals/begin-seals.ts'
import { backup } from './backup.ts'
import { restore } from './restore.ts'

const folder = await mkdtemp(join(tmpdir(), 'tallyroom-backup-'))
afterAll(() => rm(folder, { recursive: true }))
let files = 0
const newPath = () => join(folder, `${++files}.backup`)

const clock = movingClock('2026-03-10T16:00:00Z')
const world = await postbackWorld()
const source = asOwner(world.services)
// As a start does.
await beginSeals(source)

function asOwner({ connection, layout }: Pick<TestDatabase, 'connection' | 'layout'>) {
  const owner = openDatabase(connection, { max: 2, applicationName: 'test', asOwner: true, clock })
  afterAll(() => owner.close())
  return { ...owner, ...storesOf({ layout }), connection, layout, clock }
}

async function emptyDatabase(options?: Parameters<typeof createTestDatabase>[0]) {
  const database = await createTestDatabase(options)
  afterAll(() => database.close())
  return asOwner(database)
}

/** Each table's number of rows and a hash of all rows. */
async function contentOf({ db }: ReturnType<typeof asOwner>) {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname
  `.execute(db)
  const content: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ content: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(line::text, '|' order by line::text)), '') as content
      from ${sql.table(name)} as line
    `.execute(db)
    if (!name.startsWith('kysely_')) content[name] = rows[0]?.content ?? ''
  }
  return content
}

test('a restored database holds every row, its totals agree, and new ids continue', async () => {
  const { get, click } = await world.merchant()
  await get({
    click_id: await click({ ip: '192.0.2.1' }),
    transaction_id: 'A-1',
    email: 'tab\there "quoted" \\. é',
  })
  await get({ click_id: await click({ ip: '192.0.2.2' }), transaction_id: 'A-2' })
  await get({ event: 'void', transaction_id: 'A-1' })
  const late = await click({ ip: '192.0.2.3' })
  await rebuildTotals(source.db)
  await get({ click_id: late, transaction_id: 'A-3' })
  const path = newPath()

  const written = await backup(source, path)
  const target = await emptyDatabase({ schema: false })
  const { head, rows } = await restore(target, path)

  expect(rows).toBe(written.rows)
  expect(head.takenAt).toEqual(about('2026-03-10T16:00:00Z'))
  expect(await contentOf(target)).toEqual(await contentOf(source))
  expect(await verifyTotals(target.db)).toEqual([])
  expect(await buildOffice(target.db)).toBe(world.officeId + 1)
})

test('after a restore, mails that waited at the backup wait for a decision, and those sent before it are not sent', async () => {
  const { services } = world
  const post = (to: string) =>
    inTransaction(services.db, (tx) =>
      postMail(tx, services, { to, subject: 'Your password was changed', text: 'By whom?' }),
    )
  await post('sent@example.com')
  await sentMails(services)
  await post('waiting@example.com')
  const path = newPath()
  await backup(source, path)
  const target = await emptyDatabase({ schema: false })
  await restore(target, path)
  const restored = { ...services, db: target.db }
  expect(await sentMails(restored)).toEqual([])
  await decideHeld(restored, { queue: 'mails', decision: 'send' })
  expect(await sentMails(restored)).toMatchObject([{ to: 'waiting@example.com' }])
  expect(await target.db.selectFrom('untold_facts').selectAll().execute()).toEqual([])
  // As other tests' restores do, whose content is compared with the source's.
  await holdWhatWaits(source.db, clock.peek())
})

test('a backup is one snapshot: what is committed meanwhile is in it completely or not at all', async () => {
  const { get, click } = await world.merchant()
  const path = newPath()
  const clicks = await Promise.all(
    Array.from({ length: 30 }, (_, index) => click({ ip: `198.51.100.${index}` })),
  )
  await rebuildTotals(source.db)

  const [written] = await Promise.all([
    backup(source, path),
    ...clicks.map((id, index) => get({ click_id: id, transaction_id: `B-${index}` })),
  ])
  const target = await emptyDatabase()
  await restore(target, path)

  expect(written.rows).toBeGreaterThan(0)
  expect(await verifyTotals(target.db)).toEqual([])
})

test('only its owner may read the file, which is never overwritten', async () => {
  const path = newPath()
  await backup(source, path)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const before = await readFile(path)
  await expect(backup(source, path)).rejects.toThrow('already exists')
  expect(await readFile(path)).toEqual(before)
})

test('a backup of an older schema is migrated to the newest', async () => {
  const older = await emptyDatabase({ schema: false })
  await migrate(older.connection, silentLog, { upTo: '0009_sign_ins' })
  const officeId = await buildOffice(older.db, { name: 'Old Quay' })
  const path = newPath()
  await backup(older, path)

  const target = await emptyDatabase({ schema: false })
  await restore(target, path)

  const { rows } = await sql<{
    last: string
  }>`select max(name) as last from kysely_migration`.execute(target.db)
  const { rows: newest } = await sql<{ last: string }>`
    select max(name) as last from kysely_migration
  `.execute(source.db)
  expect(rows).toEqual(newest)
  expect(
    await target.db.selectFrom('offices').select(['id', 'name']).executeTakeFirstOrThrow(),
  ).toEqual({ id: officeId, name: 'Old Quay' })
})

test('an older backup brings no readable password of whoever may pay, and they keep that right', async () => {
  const older = await emptyDatabase({ schema: false })
  await migrate(older.connection, silentLog, { upTo: '0176_partner_sessions' })
  const account = { password_hash: 'none', created_at: new Date(), password_sealed: Buffer.of(1) }
  await older.db
    .insertInto('accounts')
    .values([
      { ...account, role: roleNumber('superadmin'), username: 'root' },
      { ...account, role: roleNumber('admin'), username: 'ann', pay: true },
      { ...account, role: roleNumber('admin'), username: 'carl' },
    ])
    .execute()
  const path = newPath()
  await backup(older, path)
  const target = await emptyDatabase({ schema: false })
  await restore(target, path)

  const restored = await target.db
    .selectFrom('accounts')
    .select(['username', 'password_sealed', 'must_change_password'])
    .orderBy('username')
    .execute()
  expect(restored).toEqual([
    { username: 'ann', password_sealed: null, must_change_password: true },
    { username: 'carl', password_sealed: Buffer.of(1), must_change_password: false },
    { username: 'root', password_sealed: null, must_change_password: true },
  ])
  expect(await findUngranted(target.db)).toEqual([])
  const granted = await target.db.selectFrom('pay_grants').select('granted').execute()
  expect(granted).toEqual([{ granted: true }, { granted: true }])
})

test('a database in use is not overwritten', async () => {
  const path = newPath()
  await backup(source, path)
  await expect(restore(source, path)).rejects.toThrow('The database is in use.')
})

test.each([
  ['cut short', async (path: string) => truncate(path, (await stat(path)).size - 40)],
  ['with a byte changed', changeAByte],
  ['no backup at all', (path: string) => writeFile(path, 'select 1;')],
  ['empty', (path: string) => writeFile(path, '')],
])('a file that is %s leaves the database as empty as it was', async (_, spoil) => {
  const path = newPath()
  await backup(source, path)
  await chmod(path, 0o600)
  await spoil(path)
  for (const layout of ['together', 'distributed'] as const) {
    const target = await emptyDatabase({ layout })
    const topics = await topicsOf(target)
    await expect(restore(target, path)).rejects.toThrow(/damaged|truncated|missing rows|invalid/)
    expect(await target.db.selectFrom('accounts').select('id').execute()).toEqual([])
    expect(await topicsOf(target)).toEqual(topics)
    expect(await isHalfRestored(target.db)).toBe(false)
  }
})

/**
 * Keys, indexes and foreign keys. Those of partitions are compared without the month, because
 * databases may have partitions for different months.
 */
async function keysOf({ db }: typeof source) {
  const { rows } = await sql<{ key: string }>`
    select distinct regexp_replace(key, '_2[0-9]{3}_[0-9]{2}', '_MONTH', 'g') as key
    from (
      select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as key
      from pg_constraint where connamespace = 'public'::regnamespace
      union all
      select pg_get_indexdef(indexrelid) || ' ' || indisvalid
      from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace
    ) as keys
    order by key
  `.execute(db)
  return rows.map(({ key }) => key)
}

/** Enough rows for clicks, accounts and statements to be loaded without their keys. */
async function grow({ db }: typeof source) {
  await sql`
    insert into clicks (clicked_at, agent_id, type_id, office_id, nonce, is_unique, uncounted, ip, subs)
    select '2026-02-01T00:00:00Z'::timestamptz + make_interval(mins => n), 1, 1, 1, n, true, 'headless', '192.0.2.9',
      array[repeat('a\tb\nc\\', 4)]
    from generate_series(1, 60000) as n
  `.execute(db)
  await sql`
    insert into offices (name, created_at, agent_notes)
    select 'Office ' || n, now(), repeat('x', 5000) from generate_series(1000, 2000) as n
  `.execute(db)
}

test('large tables are loaded without keys, which have the same names again afterwards', async () => {
  const target = await emptyDatabase({ schema: false })
  const big = await emptyDatabase({ schema: false })
  await restore(big, await backUp(source))
  await grow(big)
  const { rows } = await restore(target, await backUp(big))
  expect(rows).toBeGreaterThan(60_000)
  expect(await contentOf(target)).toEqual(await contentOf(big))
  expect(await keysOf(target)).toEqual(await keysOf(big))
  expect(await buildOffice(target.db)).toBe(await buildOffice(big.db))
})

async function backUp(from: typeof source): Promise<string> {
  const path = newPath()
  await backup(from, path)
  return path
}

test('a killed restore leaves a database that only another restore accepts', async () => {
  const path = await backUp(source)
  const target = await emptyDatabase({ schema: false })
  await migrate(target.connection, silentLog)
  // kysely's migration lock. The restore waits for it once all rows are loaded.
  const release = await holdLock(target, '3853314791062309107')
  await killRestore(target, path, async () => {
    const { rows } = await sql`
      select from pg_locks
      join pg_database on pg_database.oid = database
      where locktype = 'advisory' and not granted and datname = current_database()
    `.execute(target.db)
    return rows.length > 0
  })
  await release()

  await expect(migrate(target.connection, silentLog)).rejects.toThrow('did not finish')
  await expect(backup(target, newPath())).rejects.toThrow('did not finish')
  // Keys may be missing, and rows may be there.
  await sql`alter table office_sites drop constraint office_sites__pk`.execute(target.db)
  await sql`truncate accounts cascade`.execute(target.db)
  await buildOffice(target.db)
  // The server may take a moment to notice that the process is gone.
  await until(() => restore(target, path).then(() => true, isStillRunning), 60_000)
  expect(await contentOf(target)).toEqual(await contentOf(source))
  const other = await emptyDatabase({ schema: false })
  await restore(other, path)
  expect(await keysOf(target)).toEqual(await keysOf(other))
  await migrate(target.connection, silentLog)
})

/** Begins to restore in another process, and kills it as soon as it has come as far as that. */
async function killRestore(
  { connection }: typeof source,
  path: string,
  isThere: () => Promise<boolean>,
): Promise<void> {
  const child = spawn(process.execPath, [cli, 'restore', path], {
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: connection.url },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await until(isThere, 60_000)
  child.kill('SIGKILL')
  await ended
}

test('a restore that was killed while it made the schema can be repeated', async () => {
  const path = await backUp(source)
  const target = await emptyDatabase({ schema: false })
  const release = await holdLock(target, String(lockIds.schema))
  await killRestore(target, path, () => isHalfRestored(target.db))
  await release()
  // It has tables that later migrations drop.
  await migrate(target.connection, silentLog, { upTo: LAST_WITH_FEES, restoring: true })
  await expect(sql`select from office_fees`.execute(target.db)).resolves.toBeDefined()

  await until(() => restore(target, path).then(() => true, isStillRunning), 60_000)
  expect(await contentOf(target)).toEqual(await contentOf(source))
  expect(await isHalfRestored(target.db)).toBe(false)
})

test.runIf(inject('testServer').isCitus)(
  'a distributed database that is half restored is restored to, whatever it has, and distributed again',
  async () => {
    const path = await backUp(source)
    const target = await emptyDatabase({ layout: 'distributed' })
    await restore(target, path)
    const content = await contentOf(target)
    await sql`comment on table kysely_migration is 'half restored'`.execute(target.db)
    await restore(target, path)
    expect(await contentOf(target)).toEqual(content)
    await expect(expectEveryTableInPlace(target.db)).resolves.toBeUndefined()
    expect(await findLayout(target.db)).toBe('distributed')
  },
)

const LAST_WITH_FEES = '0052_totals_by_day'

const cli = join(import.meta.dirname, '../../cli.ts')

/** Takes an advisory lock on the database's server. Returns a function that releases it. */
async function holdLock({ pool }: typeof source, lock: string): Promise<() => Promise<void>> {
  const session = await pool.connect()
  await session.query('select pg_advisory_lock($1)', [lock])
  return async () => {
    await session.query('select pg_advisory_unlock($1)', [lock])
    session.release()
  }
}

function isStillRunning(error: unknown): false {
  expect(error).toMatchObject({ message: 'Another restore is running.' })
  return false
}

test('a database with foreign tables is not touched', async () => {
  const path = await backUp(source)
  const target = await emptyDatabase({ schema: false })
  await sql`create table invoices (id integer)`.execute(target.db)
  await expect(restore(target, path)).rejects.toThrow('invoices')
  expect((await sql`select from invoices`.execute(target.db)).rows).toEqual([])
})

test('a backup with archived months can be restored to a cluster', async () => {
  const archive = {
    month: '2025-11-01',
    file: 'clicks-2025-11.parquet',
    sha256: '',
    content_sha256: '',
    bytes: 0,
    clicks: 1,
    archived_at: clock.peek(),
  }
  const seal = {
    month: archive.month,
    day: '2025-11-02',
    agent_id: 1,
    office_id: 1,
    site_id: 1,
    type_id: 1,
    clicks: 1,
    blacklisted: 0,
    raws: 1,
    uniques: 1,
  }
  await source.db.insertInto('click_archives').values(archive).execute()
  await source.db.insertInto('click_seals').values(seal).execute()
  const path = await backUp(source)
  for (const table of ['click_archives', 'click_seals'] as const)
    await source.db.deleteFrom(table).execute()
  const target = await emptyDatabase({ layout: 'distributed' })
  await restore(target, path)
  const found = await target.db.selectFrom('click_archives').select('month').execute()
  expect(found).toEqual([{ month: archive.month }])
  expect(await target.db.selectFrom('click_seals').selectAll().execute()).toEqual([seal])
})

test('two restores to one database do not mix', async () => {
  const path = await backUp(source)
  const target = await emptyDatabase()
  const results = await Promise.allSettled([
    restore(target, path),
    restore({ ...target, ...asOwner(target) }, path),
  ])
  const refused = results.flatMap((result) =>
    result.status === 'rejected' ? [String(result.reason)] : [],
  )
  expect(refused).toEqual([expect.stringMatching(/Another restore is running|in use/)])
  expect(await contentOf(target)).toEqual(await contentOf(source))
})

test('a missing file is reported', async () => {
  await expect(restore(await emptyDatabase(), newPath())).rejects.toThrow('ENOENT')
})

const topicsOf = ({ db }: typeof source) =>
  db.selectFrom('change_counters').select('topic').execute()

async function changeAByte(path: string): Promise<void> {
  const bytes = await readFile(path)
  const middle = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 0xff, middle)
  await writeFile(path, bytes)
}

test('a restored database begins a new epoch of pay, a different one each time', async () => {
  await source.db
    .insertInto('pay_state')
    .values({ started_at: clock.peek(), first_day: '2026-03-01' })
    .execute()
  const path = newPath()
  await backup(source, path)
  const epochs = [1]
  for (const hour of [16, 17]) {
    const target = await emptyDatabase({ schema: false })
    const at = movingClock(`2026-03-10T${hour}:00:00Z`)
    await restore({ ...target, db: withClock(target.db, at), clock: at }, path)
    const state = await target.db.selectFrom('pay_state').select('epoch').executeTakeFirstOrThrow()
    epochs.push(state.epoch)
  }
  expect(new Set(epochs).size).toBe(3)
  await source.db.deleteFrom('pay_state').execute()
})
