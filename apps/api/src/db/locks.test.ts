import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { type Lock, lockIds, locks, takeLock } from './locks.ts'
import { inTransaction } from './transaction.ts'

const { db } = await testDatabase()

/** The class, object and kind of each in `pg_locks`, as processes of release 1.0.0 take them. */
const released: Record<keyof typeof locks, string> = {
  restore: '4079608739 401532584 1',
  verification: '1728801028 1671847521 1',
  schema: '0 7308 1',
  world: '0 7307 1',
  firstSuperadmin: '486954753 2537201599 1',
  migrateAgents: '3701007255 3556408779 1',
  archives: '0 7316 1',
  partitions: '0 7306 1',
  visitors: '0 7320 1',
  reports: '2341459587 1652090773 1',
  order: '7319 490015534 2',
  rates: '7318 17 2',
  closePeriod: '811824021 3006661104 1',
  proposals: '0 7310 1',
  deliveries: '4137359141 3175805732 1',
  factMails: '2885633310 1834957657 1',
  shortLinks: '206184743 862698673 1',
  alarms: '3712123131 3343741649 1',
  balances: '0 7309 1',
}

test('old and new processes take the same locks', async () => {
  const all: Record<keyof typeof locks, Lock> = {
    ...locks,
    reports: locks.reports('an order'),
    order: locks.order('an order'),
    rates: locks.rates(17),
  }
  const taken: Record<string, string | undefined> = {}
  for (const [name, lock] of Object.entries(all)) {
    taken[name] = await inTransaction(db, async (tx) => {
      await takeLock(tx, lock)
      const { rows } = await sql<{ key: string }>`
        select classid || ' ' || objid || ' ' || objsubid as key
        from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
      `.execute(tx)
      return rows.map(({ key }) => key).join(', ')
    })
  }
  expect(taken).toEqual(released)
  expect(new Set(Object.values(taken)).size).toBe(Object.keys(locks).length)
})

test('functions of the database take the lock of an order by its number', async () => {
  const { rows } = await sql<{ source: string }>`
    select prosrc as source from pg_proc
    where pronamespace = 'public'::regnamespace and prosrc ~ 'advisory'
  `.execute(db)
  const numbers = rows.flatMap(({ source }) =>
    [...source.matchAll(/advisory\w*\((\d+)/g)].map(([, number]) => Number(number)),
  )
  expect(numbers).toEqual([lockIds.order])
})

test('no other file of the app names an advisory lock', async () => {
  const roots = ['..', '../../seeds'].map((root) => join(import.meta.dirname, root))
  const others: string[] = []
  for (const root of roots) {
    for (const file of await readdir(root, { recursive: true })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
      const text = await readFile(join(root, file), 'utf8')
      if (/advisory_/.test(text) && file !== join('db', 'locks.ts')) others.push(file)
    }
  }
  // Clicks are stored on sessions of their own, past kysely.
  expect(others).toEqual([join('tracking', 'clicks', 'recall-visitors.queries.ts')])
})
