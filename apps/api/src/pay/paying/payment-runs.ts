import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import { problemsOfColumns } from '@tallyroom/contract/pay/files/files'
import type { LeftOut, paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { institutionName } from '@tallyroom/domain/institutions'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { insertRows } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { insertSealed, insertSealedRows } from '../../seals/index.ts'
import { type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { findLastEntryAt } from '../ledger/balances.queries.ts'
import { settle } from '../ledger/settle.ts'
import { refuseForged } from '../evidence/evidence.ts'
import { findCandidates, type PaidCandidate } from '../runs/candidates.ts'
import { changeRun, entryOf, type RunServices, stepOf } from './change-run.ts'
import { refuseDay } from '../runs/execution-day.ts'
import { findBank } from '../terms/bank.ts'
import { channelOf } from '../files/pay-file.ts'
import {
  closeLines,
  findClosedPeriods,
  insertLines,
  lockPay,
  removeLines,
} from '../runs/payment-runs.queries.ts'
import { linesByPayee, linesToPay, payeeOf } from '../runs/run.ts'
import { getTemplate } from '../runs/templates.ts'

type Calls = typeof paymentRunsEndpoints
type Asked = RequestOf<Calls['paymentRunCandidates']>['body']

export async function showCandidates(
  services: RunServices,
  asked: Asked,
): Promise<AnswerOf<Calls['paymentRunCandidates']>> {
  const { paid, leftOut, template } = await candidatesFor(services, services.db, asked)
  return {
    paid: paid.map(({ payee, amount, balance, later, parts, lastCharacters, transfer }) => ({
      ...payee,
      amount,
      balance,
      later,
      parts,
      institutionName: institutionName(transfer.institution),
      lastCharacters,
      channel: [
        ...new Set(
          parts.map((part) => channelOf(template.layout, { ...transfer, amount: part }) ?? ''),
        ),
      ].join(', '),
    })),
    leftOut,
  }
}

/**
 * Prepares a run over every balance that can be paid now, or only those of chosen payees, in full or a chosen part.
 *
 * @returns the run's id
 * @throws CONFLICT if pay is off, or nobody can be paid; VALIDATION_ERROR for a template whose columns can't pay, an execution
 * date that has passed or is far away, and chosen payees or parts that can't be paid.
 */
export async function prepareRun(
  services: RunServices,
  viewer: Viewer,
  asked: RequestOf<Calls['preparePaymentRun']>['body'],
): Promise<number> {
  refuseSignedInAs(viewer)
  return inTransaction(services.db, async (tx) => {
    const pay = await lockPay(tx)
    if (!pay) throw conflict('Pay is not switched on yet. Choose its settings first.')
    const { today } = await findBank(tx)
    const { executionDay = today } = asked
    refuseDay(executionDay, today)
    const { period, template, ...candidates } = await candidatesFor(services, tx, asked)
    const { paid, leftOut } = onlyChosen(candidates, asked)
    if (paid.length === 0) throw conflict('This run would pay nobody.')
    await refuseForged(tx, {
      payees: paid.map(({ payee }) => payee),
      templateId: asked.templateId,
    })
    const lastEntryAt = await findLastEntryAt(tx, {
      payees: paid.map(({ payee }) => payee),
      currency: asked.currency,
    })
    // The epoch keeps numbers and references distinct from those issued before a backup was restored.
    const epoch = pay.epoch === 1 ? '' : String(pay.epoch)
    const id = await insertSealed(tx, 'payment_runs', {
      number: `R${epoch}-${pay.year}-${String(pay.runs + 1).padStart(4, '0')}`,
      currency: asked.currency,
      period_id: period?.id ?? null,
      template_id: asked.templateId,
      layout: JSON.stringify(template.layout),
      left_out: JSON.stringify(leftOut),
      execution_day: executionDay,
      // What it pays was there before it, also if the clock was set back.
      prepared_at: lastEntryAt && lastEntryAt > tx.now ? lastEntryAt : tx.now,
      prepared_by: viewer.accountId,
      prepared_by_name: viewer.username,
    })
    const transfers = paid.flatMap(({ parts, ...one }) =>
      parts.map((amount, index) => ({
        ...one,
        amount,
        part: parts.length > 1 ? index + 1 : null,
      })),
    )
    await insertLines(
      tx,
      transfers.map(({ payee, amount, balance, part, partReason, accountId }, index) => ({
        run_id: id,
        payee_kind: payee.kind,
        payee_id: payee.id,
        payee_name: payee.name,
        currency: asked.currency,
        amount,
        part,
        of_balance: partReason === null ? null : balance,
        part_reason: partReason,
        account_id: accountId,
        reference: `P${pay.epoch}R${id}N${index + 1}`,
      })),
    )
    await settle(
      tx,
      paid.map(({ payee }) => payee),
    )
    return id
  })
}

/** Why somebody who was named can't be paid; undefined if all can. */
function whyNotChosen(
  { kept, paid, leftOut }: { kept: PaidCandidate[]; paid: PaidCandidate[]; leftOut: LeftOut[] },
  named: readonly PayeeKey[],
): string | undefined {
  const keys = new Set(kept.map(({ payee }) => payeeText(payee)))
  const cannot = named.find((payee) => !keys.has(payeeText(payee)))
  if (!cannot) return undefined
  const other = paid.find(({ payee }) => payeeText(payee) === payeeText(cannot))
  if (other) return `has a part of ${other.payee.name}, who is not chosen`
  const out = leftOut.find((one) => payeeText(one) === payeeText(cannot))
  return out
    ? `names ${out.name}, who can’t be paid: ${out.why}`
    : 'names a payee who can’t be paid'
}

/** Leaves out whoever was not chosen. */
function onlyChosen(
  { paid, leftOut }: Awaited<ReturnType<typeof findCandidates>>,
  { only, parts }: Pick<RequestOf<Calls['preparePaymentRun']>['body'], 'only' | 'parts'>,
): { paid: PaidCandidate[]; leftOut: LeftOut[] } {
  const chosen = only && new Set(only.map(payeeText))
  const isChosen = ({ payee }: PaidCandidate) => chosen?.has(payeeText(payee)) ?? true
  const kept = paid.filter(isChosen)
  const refusal = whyNotChosen({ kept, paid, leftOut }, [...(only ?? []), ...parts])
  if (refusal !== undefined) throw invalid({ only: [refusal] })
  const others = paid.filter((one) => !isChosen(one))
  return {
    paid: kept,
    leftOut: [
      ...leftOut,
      ...others.map(({ payee, balance }) => ({
        ...payee,
        balance,
        cause: 'not chosen' as const,
        why: 'It can be paid by another run.',
      })),
    ],
  }
}

/**
 * Takes out what a line's payee would get, in all its parts.
 *
 * @throws NOT_FOUND; CONFLICT once the run is approved or cancelled, or for its last payee.
 */
export async function removeLine(
  services: RunServices,
  viewer: Viewer,
  id: number,
  { lineId, reason }: RequestOf<Calls['removePaymentRunLine']>['body'],
): Promise<void> {
  refuseSignedInAs(viewer)
  await changeRun(services, id, async (tx, run) => {
    if (run.state !== 'prepared')
      throw conflict('Lines can be taken out only before the run is approved.')
    const lines = linesToPay(run)
    const line = lines.find((one) => one.id === lineId)
    if (!line) throw notFound('line')
    const parts = [...linesByPayee(lines).values()].find((all) => all.includes(line)) ?? []
    if (parts.length === lines.length)
      throw conflict('This run pays nobody else. Cancel the run instead.')
    await removeLines(
      tx,
      parts.map(({ id: partId }) => ({ id: partId, by: viewer.accountId, because: reason })),
    )
    await settle(tx, [payeeOf(line)])
  })
}

/**
 * Cancels a run. One that is only prepared has moved nothing, and may rest on what is forged: cancelling it is what is left to do.
 *
 * @throws CONFLICT once somebody has taken the files, or if a row on which the payments rest that it gives back is forged.
 */
export async function cancelRun(
  services: RunServices,
  viewer: Viewer,
  id: number,
  { reason }: { reason: string },
): Promise<void> {
  refuseSignedInAs(viewer)
  await changeRun(services, id, async (tx, run) => {
    if (run.state === 'cancelled') throw conflict('This run is already cancelled.')
    if (run.state === 'sent' || run.state === 'finished') {
      throw conflict(
        'Its files were downloaded, so it can no longer be cancelled. Enter its results.',
      )
    }
    const lines = linesToPay(run)
    if (run.state === 'approved') {
      await refuseForged(tx, { payees: lines.map(payeeOf), run })
      await insertRows(
        tx,
        'balance_entries',
        lines.map((line) => entryOf(tx, line, 'cancelled', viewer)),
      )
    }
    await closeLines(
      tx,
      lines.map((line) => line.id),
    )
    await insertSealedRows(tx, 'payment_run_steps', {
      ...stepOf(tx, run, viewer),
      step: 'cancelled',
      reason,
    })
    await settle(tx, lines.map(payeeOf))
  })
}

async function candidatesFor(services: RunServices, db: DbOrTx, asked: Asked) {
  const template = await getTemplate(db, asked.templateId)
  const [problem] = problemsOfColumns(template.layout.columns)
  if (problem) throw invalid({ templateId: [`can’t pay anybody: its columns ${problem.message}`] })
  const periods = asked.period === null ? [] : await findClosedPeriods(db)
  const period = periods.find(({ name }) => name === asked.period)
  if (asked.period !== null && !period) throw invalid({ period: ['is not a closed period'] })
  const candidates = await findCandidates(services, db, {
    periodId: period?.id ?? null,
    currency: asked.currency,
    template,
    parts: asked.parts,
  })
  return { ...candidates, template, period }
}
