import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { PAY_TABLES } from '../../../test/pay-world.ts'
import {
  buildBalance,
  buildPaidRun,
  buildPay,
  buildPayment,
  buildRun,
} from '../../../test/payment-world.ts'
import { buildSealedRows } from '../../../test/sealed-rows.ts'
import { openDatabase } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { beginSeals } from '../../seals/index.ts'
import { settlementFindings } from '../evidence/balance-findings.ts'
import { fillSettlements } from './fill-settlements.ts'
import { settle } from './settle.ts'

const { db, connection } = await testDatabase()
const owner = openDatabase(connection, {
  max: 2,
  applicationName: 'tallyroom tests',
  asOwner: true,
})
afterAll(() => owner.close())

beforeEach(() => emptyTables(connection, PAY_TABLES))

/** What is stored of each line or entry that paid, and of what went back. */
const settledBy = () =>
  db.selectFrom('settlements').select(['kind', 'amount', 'closes']).orderBy('id').execute()

const fill = async () => {
  await emptyTables(connection, ['settlements', 'pay_seals'])
  await fillSettlements({ db: owner.db })
}

describe('an upgrade stores what was paid before', () => {
  test('of a run that is prepared, and of one that was approved', async () => {
    await buildRun(db, [])
    await buildRun(db, ['approved', 'files taken'])
    await fill()
    const payment = { kind: 'payment', amount: 1_000_00, closes: true }
    expect(await settledBy()).toEqual([payment, payment, payment, payment])
    expect(await settlementFindings(db, { limit: 10 })).toEqual([])
  })

  test('and nothing of a run that was cancelled, or a line that was taken out', async () => {
    const cancelled = await buildRun(db, ['cancelled'])
    const { lineId } = await buildRun(db, [])
    await owner.db
      .updateTable('payment_run_lines')
      .set({ open: false })
      .where('run_id', '=', cancelled.id)
      .execute()
    await owner.db
      .updateTable('payment_run_lines')
      .set({ open: false, removed_because: 'On hold' })
      .where('id', '=', lineId)
      .execute()
    await fill()
    expect(await settledBy()).toEqual([{ kind: 'payment', amount: 1_000_00, closes: true }])
    expect(await settlementFindings(db, { limit: 10 })).toEqual([])
  })

  test('of transfers that failed, that came back, and were paid again', async () => {
    await buildPay(db)
    const office = await buildOffice(db, { name: `Office ${crypto.randomUUID()}` })
    await buildBalance(db, office)
    const transfer = { currency: 'PHP', amount: 2_000_00 } as const
    const at = (hour: number) => new Date(Date.UTC(2026, 1, 21, hour))
    await buildPayment(db, office, { ...transfer, paid: false, at: at(1) })
    await buildPayment(db, office, { ...transfer, paid: true, returned: true, at: at(2) })
    await buildPayment(db, office, { ...transfer, paid: true, at: at(3) })
    await fill()
    const [there, back] = [
      { kind: 'payment', amount: 2_000_00, closes: true },
      { amount: -2_000_00, closes: true },
    ]
    expect(await settledBy()).toEqual([
      there,
      { ...back, kind: 'failed' },
      there,
      { ...back, kind: 'returned' },
      there,
    ])
    expect(await settlementFindings(db, { limit: 10 })).toEqual([])
  })

  test('of balances in two currencies, each by itself', async () => {
    await buildPay(db)
    const office = await buildOffice(db, { name: `Office ${crypto.randomUUID()}` })
    await buildBalance(db, office, { amount: 300 })
    await buildBalance(db, office, { amount: 500, currency: 'USD' })
    const at = new Date(Date.UTC(2026, 1, 21))
    await buildPayment(db, office, { currency: 'USD', amount: 500, paid: true, at })
    await fill()
    expect(await settledBy()).toEqual([{ kind: 'payment', amount: 500, closes: true }])
  })

  test('once: not again at the next start', async () => {
    await buildPaidRun(db)
    await fill()
    const stored = await settledBy()
    await beginSeals({ db: owner.db })
    await fillSettlements({ db: owner.db })
    expect(stored).toHaveLength(2)
    expect(await settledBy()).toEqual(stored)
  })

  test('so that a run that was sent before it can fail after it', async () => {
    const { lineId } = await buildRun(db, ['approved', 'files taken'])
    await fill()
    const { payee_id: office } = await db
      .selectFrom('payment_run_lines')
      .select('payee_id')
      .where('id', '=', lineId)
      .executeTakeFirstOrThrow()
    await inTransaction(db, async (tx) => {
      await buildSealedRows(tx, 'payment_results', {
        run_line_id: lineId,
        paid: false,
        by_hand: true,
        made_at: tx.now,
        made_by: 1,
        made_by_name: 'somebody',
      })
      await tx
        .updateTable('payment_run_lines')
        .set({ open: false })
        .where('id', '=', lineId)
        .execute()
      await settle(tx, [{ kind: 'office', id: office }])
    })
    expect((await settledBy()).at(-1)).toEqual({
      kind: 'failed',
      amount: -1_000_00,
      closes: true,
    })
    expect(await settlementFindings(db, { limit: 10 })).toEqual([])
  })
})
