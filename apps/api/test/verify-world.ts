import type { Connection } from '../src/db/connection.ts'
import type { Db, Tx } from '../src/db/database.ts'
import { inPlainTransaction, inTransaction } from '../src/db/transaction.ts'
import { type PayFindings, verifyPay } from '../src/pay/verify/verify-pay.ts'
import { beginSeals } from '../src/seals/begin-seals.ts'
import { appendSeals, NO_SEAL } from '../src/seals/seal.ts'
import { sealedTableNames } from '../src/seals/sealed-tables.ts'
import {
  findFilled,
  findNewestSeals,
  findRowHashes,
  findSealsAfter,
  type NewSeal,
  type RowHashes,
} from '../src/seals/seals.queries.ts'
import { movingClock } from '../src/lib/clock.ts'
import { findUnsettled, findUnstored } from '../src/pay/ledger/settle.ts'
import { insertUnsealed } from '../src/pay/ledger/settlements.queries.ts'
import { emptyTables, withClock } from './database.ts'
import { execute } from './test-server.ts'

/** Settles what the payments of a test paid, and seals the rows that it inserted without the app, as if the app had. */
export async function sealWorld(db: Db): Promise<void> {
  await inTransaction(db, async (tx) =>
    insertUnsealed(tx, await findUnstored(tx, await findUnsettled(tx))),
  )
  await beginSeals({ db: withClock(db, movingClock('2026-01-01T15:00:00Z')) })
  await inTransaction(db, async (tx) => {
    const filled = await findFilled(tx)
    const seals: NewSeal[] = []
    for (const table of sealedTableNames.filter((name) => filled.has(name))) {
      const sealed = await findNewestSeals(tx, table)
      const unsealed = (await findRowHashes(tx, table, 'all')).filter(({ key }) => !sealed.has(key))
      seals.push(...unsealed.map((row) => sealOf(table, row)))
    }
    await appendSeals(tx, seals)
  })
}

/** Pays agents instead of offices, as if it had been so all along. */
export async function payAgents(db: Db, connection: Connection): Promise<void> {
  await execute(connection, `update pay_settings set payees = 'agents'`)
  await emptyTables(connection, ['pay_seals'])
  await sealWorld(db)
}

const sealOf = (table: string, row: RowHashes): NewSeal => ({
  kind: 'row',
  table,
  ...row,
  was: null,
  columns: null,
  begunAt: null,
})

/** Verifies pay in a world of which a test inserted parts without the app. */
export async function verifyWorld(db: Db): Promise<PayFindings> {
  await sealWorld(db)
  return verifyPay(db)
}

/**
 * Makes the seals anew over the rows as they are, each at its place in the chain, as somebody would who may change the
 * whole database and knows the program. Rows without a seal come last.
 */
export async function remakeSeals(tx: Tx): Promise<void> {
  const rows = new Map<string, Map<string, RowHashes>>()
  for (const table of sealedTableNames) {
    const found = await findRowHashes(tx, table, 'all')
    rows.set(table, new Map(found.map((row) => [row.key, row])))
  }
  const kept = (await findSealsAfter(tx, 0, 100_000)).flatMap((seal): NewSeal[] => {
    if (seal.kind === 'begun') return [seal]
    const row = rows.get(seal.table)?.get(seal.key)
    rows.get(seal.table)?.delete(seal.key)
    return row ? [{ ...seal, ...row, was: null }] : []
  })
  await tx.deleteFrom('pay_seals').execute()
  await tx.updateTable('pay_seal_head').set({ number: 0, hash: NO_SEAL }).execute()
  const others = [...rows].flatMap(([table, left]) =>
    [...left.values()].map((row) => sealOf(table, row)),
  )
  await appendSeals(tx, [...kept, ...others])
}

class Undone extends Error {}

/** What `fn` returns. What it changes is undone. */
export async function undone<Result>(
  { db }: { db: Db },
  fn: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  let result: { of: Result } | undefined
  try {
    await inPlainTransaction(db, async (tx) => {
      result = { of: await fn(tx) }
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  if (!result) throw new Error('the transaction ended before its time')
  return result.of
}
