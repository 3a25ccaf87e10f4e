import type { AnswerOf } from '@tallyroom/contract/endpoint'
import type { paymentRunsEndpoints } from '@tallyroom/contract/payment-runs'
import { moneyText } from '@tallyroom/contract/statement-sections'
import type { Currency } from '@tallyroom/domain/pay'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { conflict, forbidden, invalid } from '../../errors.ts'
import { payeeText } from '../pay/index.ts'
import { findStandings } from '../payee-accounts/index.ts'
import { findBalances } from './candidates.queries.ts'
import { whyHeld } from './candidates.ts'
import { changeRun, entryOf, type RunServices, stepOf } from './change-run.ts'
import { insertEntries, insertStep, type LineRow, removeLines } from './payment-runs.queries.ts'
import {
  findApprovers,
  linesToPay,
  payeeOf,
  problemsOf,
  type Run,
  sumOf,
  transfersOf,
} from './run.ts'

/**
 * Approves a run. Removes lines that a hold, a changed account or a changed balance no longer allows, and writes the
 * payments of the others. Cancels a run that has no lines left.
 *
 * @throws FORBIDDEN to whoever prepared or changed the run or confirmed one of its accounts; CONFLICT if the run has
 * changed since the approver saw it; VALIDATION_ERROR for values that its files can't carry.
 */
export async function approveRun(
  services: RunServices,
  viewer: Viewer,
  id: number,
  { amount }: { amount: number },
): Promise<AnswerOf<(typeof paymentRunsEndpoints)['approvePaymentRun']>> {
  refuseSignedInAs(viewer)
  return changeRun(services, id, async (tx, run) => {
    if (run.state !== 'prepared') throw conflict(`This run is ${run.state}.`)
    const approvers = await findApprovers(tx, run)
    const approver = approvers.find((one) => one.id === viewer.accountId)
    if (!approver) throw forbidden()
    const { whyNot } = approver
    if (whyNot) throw forbidden(`You ${whyNot}. Somebody else must approve it.`)
    const lines = linesToPay(run)
    if (sumOf(lines) !== amount) {
      throw conflict(
        'The run has changed since you opened it. Reload the page and check it before you approve it.',
      )
    }
    const { transfers } = await transfersOf(services, tx, run)
    const problems = problemsOf(run, transfers)
    if (problems.length > 0) throw invalid({ _form: problems })

    const refused = await findRefused(tx, run, lines)
    await removeLines(
      tx,
      refused.map(({ line, why }) => ({ id: line.id, by: null, because: why })),
    )
    const approved = lines.filter((line) => !refused.some((one) => one.line.id === line.id))
    await insertEntries(
      tx,
      approved.map((line) => entryOf(line, 'payment', services, viewer)),
    )
    await insertStep(tx, {
      ...stepOf(run, services, viewer),
      ...(approved.length > 0
        ? { step: 'approved' }
        : { step: 'cancelled', reason: 'No line of this run can be paid any more.' }),
    })
    return {
      approved: approved.length,
      refused: refused.map(({ line, why }) => ({ name: line.payee_name, why })),
    }
  })
}

/** The lines that can no longer be paid, and why. */
async function findRefused(
  tx: Tx,
  { id, currency }: Run,
  lines: readonly LineRow[],
): Promise<{ line: LineRow; why: string }[]> {
  const unit = currency as Currency // payment_runs__currency
  const rows = await findBalances(tx, unit, { runId: id })
  const balances = new Map(rows.map((row) => [payeeText(row), row]))
  const standings = await findStandings(tx)
  return lines.flatMap((line) => {
    const key = payeeText(payeeOf(line))
    const standing = standings.get(key)
    const { balance = 0, hold = null } = balances.get(key) ?? {}
    const held = whyHeld({ hold }, standing)
    if (held) return [{ line, why: `On hold: ${held}` }]
    if (standing?.inForce?.id !== line.account_id)
      return [{ line, why: 'Its payment account has changed.' }]
    if (balance < line.amount)
      return [{ line, why: `Its balance is only ${moneyText(balance, unit)} now.` }]
    return []
  })
}
