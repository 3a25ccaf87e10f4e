import { expect } from 'vitest'
import type { Connection } from '../src/db/connection.ts'
import type { Db } from '../src/db/database.ts'
import { inTransaction } from '../src/db/transaction.ts'
import { findPaymentStates } from '../src/pay/statements/payment-states.ts'
import { findUnsettled, findUnstored } from '../src/pay/ledger/settle.ts'
import { insertUnsealed } from '../src/pay/ledger/settlements.queries.ts'
import { findSettledStates } from '../src/pay/statements/states.ts'
import { settlementFindings } from '../src/pay/evidence/balance-findings.ts'
import { emptyTables } from './database.ts'

/** Expects that settlements say of every statement what the times of payments and closings say. */
export async function expectSettledStates(db: Db, now: Date): Promise<void> {
  const rows = await db.selectFrom('statements').select('id').orderBy('id').execute()
  const ids = rows.map(({ id }) => id)
  const said = await findSettledStates(db, ids, now)
  const oracle = await findPaymentStates(db, ids, now)
  expect(ids.map((id) => [id, said.get(id)])).toEqual(ids.map((id) => [id, oracle.get(id)]))
}

/** Forgets all settlements, and expects that an upgrade would store what says the same of every statement. */
export async function expectFilled(db: Db, connection: Connection, now: Date): Promise<void> {
  await emptyTables(connection, ['settlements'])
  await inTransaction(db, async (tx) =>
    insertUnsealed(tx, await findUnstored(tx, await findUnsettled(tx))),
  )
  await expectSettledStates(db, now)
  expect(await settlementFindings(db, { limit: 10 })).toEqual([])
}
