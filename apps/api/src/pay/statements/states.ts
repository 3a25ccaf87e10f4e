import type { DbOrTx } from '../../db/database.ts'
import {
  backOf,
  emptied,
  findPayments,
  isEmptying,
  isPaid,
  nothing,
  paidOnOf,
  type Payment,
  type PaymentState,
  runOf,
} from './payment-states.ts'
import { findStatementsOfPayees, type MadeStatement } from './statements.queries.ts'
import { findSettledBooks, type Settled } from '../ledger/settle.ts'

/**
 * What became of statements by a moment, keyed by their ids, as their settlements say. Nothing for one that nothing pays yet,
 * and that no later statement has taken over.
 */
export async function findSettledStates(
  db: DbOrTx,
  ids: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, PaymentState>> {
  if (ids.length === 0) return new Map()
  const made = await findStatementsOfPayees(db, ids)
  const statements = new Map(made.map((one) => [one.id, one]))
  const paid = Map.groupBy(await findPayments(db, ids), ({ balance }) => balance)
  const asked = new Set(ids)
  const payees = made.map(({ balance }) => payeeOf(balance))
  return new Map(
    [...(await findSettledBooks(db, now, payees))].flatMap(([balance, { settlements }]) => {
      const payments = new Map((paid.get(balance) ?? []).map((one) => [one.runId, one]))
      return [...Map.groupBy(settlements, ({ statementId }) => statementId)].flatMap(
        ([id, own]) => {
          const statement = id !== null && asked.has(id) ? statements.get(id) : undefined
          const state = statement && stateOf(statement, own, { payments, statements })
          return state ? [[statement.id, state] as const] : []
        },
      )
    }),
  )
}

function payeeOf(balance: string) {
  const [kind, id] = balance.split(' ')
  return { kind: kind === 'office' ? ('office' as const) : ('agent' as const), id: Number(id) }
}

type Beside = {
  payments: ReadonlyMap<number, Payment>
  statements: ReadonlyMap<number, MadeStatement>
}

/** What closed a statement, with its place among its settlements. */
type Closing = {
  by: Settled
  place: number
  /** Where the last transfer of it went back; undefined if none did. */
  back: number | undefined
}

/**
 * What became of a statement that has settlements: what closed it first, or first after that went back. As long as a transfer of
 * a run that closed it is under way, it is under way. Others pay what else came into the balance. A part of a balance at the bank
 * pays it until it has a result; what a part gives back does not undo what closed the statement.
 */
function stateOf(
  statement: MadeStatement,
  settlements: readonly Settled[],
  { payments, statements }: Beside,
): PaymentState | undefined {
  const isOpen = ({ runId }: Settled) => runId !== null && payments.get(runId)?.open === true
  const closing = closingsOf(settlements).filter(({ by }) => by.closes || isOpen(by))
  const underWay = closing.find(({ by }) => by.closes && isOpen(by))
  const open = underWay && payments.get(underWay.by.runId ?? 0)
  if (open) return runningBy(open)
  const last = closing.reduce<Closing | undefined>((one, later) => {
    if (!one) return later
    if (!one.by.closes) return later.by.kind === 'carried' ? one : later
    return one.back !== undefined && one.back < later.place ? later : one
  }, undefined)
  if (!last) return undefined
  const { kind, runId, proposalId, intoStatementId } = last.by
  if (isEmptying(kind)) return emptied(kind)
  const payer = runId ?? (proposalId === null ? null : -proposalId)
  const payment = payer === null ? undefined : payments.get(payer)
  if (payment && isPaid(payment))
    return {
      ...nothing,
      state: 'paid',
      paidOn: paidOnOf(payment),
      by: runOf(payment),
      amount: payment.amount,
    }
  if (payment?.open) return runningBy(payment)
  // What was carried says nothing of what went back before.
  const back = runId === null ? closing.findLast((one) => one.back !== undefined) : last
  const returned = back && payments.get(back.by.runId ?? 0)
  const paidInPart = returned?.paidInPart ?? false
  if (kind === 'carried') {
    const into = statements.get(intoStatementId ?? 0)
    // One that was made before does not contain this one.
    const isLater = into !== undefined && into.closedAt >= statement.closedAt
    return { ...nothing, paidInPart, state: 'carried', carriedInto: isLater ? into.period : null }
  }
  return returned && { ...nothing, paidInPart, state: backOf(returned)?.by ?? 'failed' }
}

/** What settled a statement, in its order: the transfers of a run together, without runs that were cancelled. */
function closingsOf(settlements: readonly Settled[]): Closing[] {
  const closings = new Map<string, Closing>()
  for (const [place, by] of settlements.entries()) {
    const act = by.runId === null ? `${place}` : `run ${by.runId}`
    const one = closings.get(act) ?? { by, place, back: undefined }
    if (by.kind === 'failed' || by.kind === 'returned') one.back = place
    if (by.kind === 'cancelled') closings.delete(act)
    else closings.set(act, one)
  }
  return [...closings.values()]
}

const runningBy = (payment: Payment): PaymentState => {
  const { isApproved, isSent, amount, parts } = payment
  return { ...nothing, state: 'running', isApproved, isSent, by: runOf(payment), amount, parts }
}
