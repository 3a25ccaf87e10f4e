import { type Day, dayOf } from '@tallyroom/domain/new-york'
import type { DbOrTx } from '../../db/database.ts'
import {
  findLinesOfPayees,
  findStatementsOfPayees,
  type MadeStatement,
  type PaidLine,
} from './statements.queries.ts'

/** What became of a statement. */
export type PaymentState = {
  state: 'paid' | 'running' | 'failed' | 'returned' | 'carried' | keyof Emptied
  /** On which day it was paid: the bank's or the voucher's; else the New York day on which that was entered. */
  paidOn: Day | null
  /** Whether some of the transfers of its last run were paid, and others were not. */
  paidInPart: boolean
  /** Whether the open run was approved. */
  isApproved: boolean
  /** Whether the file of its transfers was taken. */
  isSent: boolean
  /** The run that pays it, or has paid it. */
  by: PayingRun | null
  /** What that run pays, with what was carried, in minor units; null without a run. */
  amount: number | null
  /** What of that arrived, failed, and is under way, if the bank has answered for a part; null otherwise. */
  parts: PartsOfPayment | null
  /** The period of the statement that contains what was still owed. */
  carriedInto: string | null
}

/** How far the run is that pays it. */
export const openStepOf = ({ isApproved, isSent }: Pick<PaymentState, 'isApproved' | 'isSent'>) =>
  isSent ? 'sent' : isApproved ? 'approved' : 'prepared'

export type PartsOfPayment = { arrived: number; failed: number; underWay: number }

type PayingRun = Pick<PaidLine, 'institution' | 'lastCharacters'> & {
  run: string
  executionDay: Day
  bankReferences: string[]
}

/**
 * What became of statements by a moment, keyed by their ids: see {@link stateOf}. Nothing for a payee's last statement until
 * it is in a run, and for one that is held.
 */
export async function findPaymentStates(
  db: DbOrTx,
  ids: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, PaymentState>> {
  if (ids.length === 0) return new Map()
  const statements = Map.groupBy(await findStatementsOfPayees(db, ids), ({ balance }) => balance)
  const lines = Map.groupBy(await findPayments(db, ids), ({ balance }) => balance)
  const asked = new Set(ids)
  return new Map(
    [...statements].flatMap(([balance, own]) =>
      own.flatMap((statement, index) => {
        if (!asked.has(statement.id)) return []
        const later = own.slice(index + 1).filter(({ payableAt }) => payableAt <= now)
        const state = stateOf(statement, later, lines.get(balance) ?? [])
        return state ? [[statement.id, state] as const] : []
      }),
    ),
  )
}

/** What a run pays to a payee, be it in one transfer or in parts. */
export type Payment = PaidLine & {
  paidInPart: boolean
  bankReferences: string[]
  /** Null unless some of its transfers have a result, and others have none. */
  parts: PartsOfPayment | null
}

export async function findPayments(db: DbOrTx, ids: readonly number[]): Promise<Payment[]> {
  const lines = await findLinesOfPayees(db, ids)
  return [...Map.groupBy(lines, ({ balance, runId }) => `${balance} ${runId}`).values()].map(
    together,
  )
}

/** Parts are open until the last one has a result, and paid if all of them are. */
function together([first, ...more]: readonly PaidLine[]): Payment {
  if (!first) throw new RangeError('a payment has a line')
  const parts = [first, ...more]
  const open = parts.some((part) => part.open)
  const back = parts.flatMap((part) => (part.open || isPaid(part) ? [] : [part]))
  const last = back.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1)
  const paid = parts.filter(isPaid)
  return {
    ...(last ?? parts.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1) ?? first),
    ...(open && { open, paid: null, decidedAt: null, returnedAt: null }),
    paidOn: lastDayOf(paid),
    paidInPart: !open && paid.length > 0 && paid.length < parts.length,
    amount: sumOf(parts),
    parts: open && parts.some((part) => !part.open) ? answered(parts) : null,
    bankReferences: parts.flatMap(({ bankReference }) => bankReference || []),
  }
}

/** The last of the bank's days. */
const lastDayOf = (lines: readonly PaidLine[]): Day | null =>
  lines.reduce<Day | null>((last, { paidOn }) => {
    if (paidOn === null || last === null) return paidOn ?? last
    return paidOn > last ? paidOn : last
  }, null)

const sumOf = (lines: readonly PaidLine[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0)

const answered = (parts: readonly PaidLine[]): PartsOfPayment => ({
  arrived: sumOf(parts.filter(isPaid)),
  failed: sumOf(parts.filter(({ paid }) => paid === false)),
  underWay: sumOf(parts.filter((part) => part.open)),
})

const timeOf = ({ decidedAt, returnedAt }: PaidLine): number =>
  (returnedAt ?? decidedAt)?.getTime() ?? 0

/**
 * What became of a statement: of the payee's run line in that currency, prepared after it could be paid and before the
 * next one could; or `carried`, if what is still owed is paid with the next one. One transfer pays one statement, with
 * everything that was carried into it. What went back into the balance after the next statement could be paid is on that of
 * a later period, or is paid before.
 */
function stateOf(
  { closedAt, payableAt }: Pick<MadeStatement, 'closedAt' | 'payableAt'>,
  later: readonly MadeStatement[],
  lines: readonly Payment[],
): PaymentState | undefined {
  const emptiedWhileHeld = lines.find(
    ({ emptiedBy, preparedAt }) => emptiedBy && preparedAt >= closedAt && preparedAt < payableAt,
  )
  if (emptiedWhileHeld?.emptiedBy) return emptied(emptiedWhileHeld.emptiedBy)
  // One that was made before does not contain this one.
  const carriedInto = (one: MadeStatement | undefined) =>
    one && one.closedAt >= closedAt ? one.period : null
  let from = payableAt
  let next = later[0]
  let line = lineOf(lines, from, next)
  let wentBack = line && backOf(line)
  while (next && wentBack && wentBack.at >= next.payableAt) {
    const { at } = wentBack
    from = at
    next = later.find((one) => one.payableAt > at)
    const again = lineOf(lines, from, next)
    if (!again)
      return {
        ...nothing,
        paidInPart: line?.paidInPart ?? false,
        state: next ? 'carried' : wentBack.by,
        carriedInto: carriedInto(next),
      }
    line = again
    wentBack = backOf(line)
  }
  if (!line && !next) return undefined
  if (line?.emptiedBy) return emptied(line.emptiedBy)
  if (line && isPaid(line))
    return {
      ...nothing,
      state: 'paid',
      paidOn: paidOnOf(line),
      by: runOf(line),
      amount: line.amount,
    }
  if (line?.open) {
    const { isApproved, isSent, amount, parts } = line
    return { ...nothing, state: 'running', isApproved, isSent, by: runOf(line), amount, parts }
  }
  return {
    ...nothing,
    paidInPart: line?.paidInPart ?? false,
    state: next ? 'carried' : (wentBack?.by ?? 'failed'),
    carriedInto: carriedInto(next),
  }
}

export const nothing = {
  paidOn: null,
  paidInPart: false,
  isApproved: false,
  isSent: false,
  by: null,
  amount: null,
  parts: null,
  carriedInto: null,
}

/** What a statement becomes whose balance was emptied without a payment. */
type Emptied = {
  converted: 'conversion'
  'written-off': 'correction'
  'given-up': 'given up'
  'paid-back': 'received'
}

const emptiedStates = {
  conversion: 'converted',
  correction: 'written-off',
  'given up': 'given-up',
  received: 'paid-back',
} as const satisfies Record<Emptied[keyof Emptied], keyof Emptied>

export const isEmptying = (kind: string): kind is keyof typeof emptiedStates =>
  Object.hasOwn(emptiedStates, kind)

export const emptied = (by: keyof typeof emptiedStates): PaymentState => ({
  ...nothing,
  state: emptiedStates[by],
})

export const runOf = ({ run, executionDay, ...line }: Payment): PayingRun | null =>
  run === null || executionDay === null
    ? null
    : {
        run,
        executionDay,
        institution: line.institution,
        lastCharacters: line.lastCharacters,
        bankReferences: line.bankReferences,
      }

/** On which day a payment that was paid was. */
export const paidOnOf = ({ paidOn, decidedAt }: Payment): Day | null =>
  paidOn ?? (decidedAt && dayOf(decidedAt))

export const isPaid = ({ paid, returnedAt }: PaidLine): boolean =>
  paid === true && returnedAt === null

/**
 * The line that pays a statement: the first that was prepared since it could be paid, and before the next one could; instead of
 * one that went back, the first that was prepared after that. Others pay what else came into the balance.
 */
function lineOf(
  lines: readonly Payment[],
  from: Date,
  next: MadeStatement | undefined,
): Payment | undefined {
  const within = lines.filter(
    ({ preparedAt }) => preparedAt >= from && (!next || preparedAt < next.payableAt),
  )
  return within.reduce<Payment | undefined>((line, later) => {
    const back = line && backOf(line)
    return !line || line.isPart || (back && back.at <= later.preparedAt) ? later : line
  }, undefined)
}

/** When and how a line's amount went back into the balance. */
export function backOf({ paid, decidedAt, returnedAt }: PaidLine) {
  if (returnedAt) return { at: returnedAt, by: 'returned' as const }
  return paid === false && decidedAt ? { at: decidedAt, by: 'failed' as const } : undefined
}
