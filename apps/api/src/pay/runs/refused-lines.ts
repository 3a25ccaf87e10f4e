import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import type { Day } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import type { DbOrTx } from '../../db/database.ts'
import { payeeText } from '../periods/payees.queries.ts'
import { findStandings } from '../accounts/standings.ts'
import { findBalances } from './candidates.queries.ts'
import { whyHeld, whyTooEarly } from './candidates.ts'
import type { LineRow } from './payment-runs.queries.ts'
import { linesToPay, payeeOf, type Run } from './run.ts'

export type RefusedLine = { line: LineRow; why: string }

/** The lines of a run that can no longer be paid, and why. */
export async function findRefused(db: DbOrTx, run: Run, today: Day): Promise<RefusedLine[]> {
  const unit = run.currency as Currency // payment_runs__currency
  const rows = await findBalances(db, unit, { runId: run.id })
  const balances = new Map(rows.map((row) => [payeeText(row), row]))
  const standings = await findStandings(db)
  return linesToPay(run).flatMap((line) => {
    const key = payeeText(payeeOf(line))
    const standing = standings.get(key)
    const { balance = 0, hold = null } = balances.get(key) ?? {}
    const held = whyHeld({ hold }, standing)
    if (held) return [{ line, why: `On hold: ${held}` }]
    const early = whyTooEarly(standing, today)
    if (early) return [{ line, why: early }]
    if (standing?.inForce?.id !== line.account_id)
      return [{ line, why: 'Its payment account has changed.' }]
    if (balance < line.amount)
      return [{ line, why: `Its balance is only ${moneyText(balance, unit)} now.` }]
    return []
  })
}
