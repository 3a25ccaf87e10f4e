import { laterText, moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Day } from '@tallyroom/domain/new-york'
import { type Currency, freeOf } from '@tallyroom/domain/pay'
import type { DbOrTx } from '../../db/database.ts'
import { findDeleted, payeeText } from '../terms/payees.queries.ts'
import { findStandings } from '../accounts/standings.ts'
import { findBalances } from './candidates.queries.ts'
import { WAS_DELETED, whyHeld, whyTooEarly } from './candidates.ts'
import type { LineRow } from './payment-runs.queries.ts'
import { linesToPay, payeeOf, type Run, withoutParts } from './run.ts'

export type RefusedLine = { line: LineRow; why: string }

/** The lines of a run that can no longer be paid, and why. */
export async function findRefused(db: DbOrTx, run: Run, today: Day): Promise<RefusedLine[]> {
  const unit = run.currency as Currency // payment_runs__currency
  const rows = await findBalances(db, { currency: unit, today }, { runId: run.id })
  const balances = new Map(rows.map((row) => [payeeText(row), row]))
  const standings = await findStandings(db)
  const lines = linesToPay(run)
  const deleted = await findDeleted(db, lines.map(payeeOf))
  // A balance pays all parts, or none.
  const amounts = new Map(
    withoutParts(lines).map((line) => [payeeText(payeeOf(line)), line.amount]),
  )
  return lines.flatMap((line) => {
    const key = payeeText(payeeOf(line))
    if (deleted.has(key)) return [{ line, why: WAS_DELETED }]
    const standing = standings.get(key)
    const { balance = 0, hold = null, held: parts = [] } = balances.get(key) ?? {}
    const { free, later } = freeOf(balance, parts)
    const held = whyHeld({ hold }, standing)
    if (held) return [{ line, why: `On hold: ${held}` }]
    const early = whyTooEarly(standing, today)
    if (early) return [{ line, why: early }]
    if (standing?.inForce?.id !== line.account_id)
      return [{ line, why: 'Its payment account has changed.' }]
    if (free < (amounts.get(key) ?? 0))
      return [
        {
          line,
          why:
            later.length > 0
              ? `Only ${moneyText(free, unit)} of its balance is free now. Later: ${laterText(later, unit)}.`
              : `Its balance is only ${moneyText(balance, unit)} now.`,
        },
      ]
    return []
  })
}

/** One of each payee: its parts are refused together. */
export const byPayee = (refused: readonly RefusedLine[]): RefusedLine[] => {
  const firsts = new Set(withoutParts(refused.map(({ line }) => line)).map(({ id }) => id))
  return refused.filter(({ line }) => firsts.has(line.id))
}
