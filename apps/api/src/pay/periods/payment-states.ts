import type { DbOrTx } from '../../db/database.ts'
import {
  findLinesOfPayees,
  findStatementsOfPayees,
  type MadeStatement,
  type PaidLine,
} from './statements.queries.ts'

/** What became of a statement. */
export type PaymentState = {
  state: 'paid' | 'running' | 'failed' | 'returned' | 'carried'
  paidAt: Date | null
  /** Whether the open run was approved. */
  isApproved: boolean
  /** Whether a file of the open run was taken. */
  isSent: boolean
  /** The period of the statement that contains what was still owed. */
  carriedInto: string | null
}

/**
 * What became of statements, keyed by their ids: see {@link stateOf}. Nothing for a payee's last statement until it is in a
 * run.
 */
export async function findPaymentStates(
  db: DbOrTx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PaymentState>> {
  if (ids.length === 0) return new Map()
  const statements = Map.groupBy(await findStatementsOfPayees(db, ids), ({ balance }) => balance)
  const lines = Map.groupBy(await findLinesOfPayees(db, ids), ({ balance }) => balance)
  const asked = new Set(ids)
  return new Map(
    [...statements].flatMap(([balance, own]) =>
      own.flatMap((statement, index) => {
        if (!asked.has(statement.id)) return []
        const state = stateOf(statement, own.slice(index + 1), lines.get(balance) ?? [])
        return state ? [[statement.id, state] as const] : []
      }),
    ),
  )
}

/**
 * What became of a statement: of the payee's last run line in that currency, prepared before the next statement was made; or
 * `carried`, if the next one contains what is still owed. One transfer pays one statement, with everything that was carried
 * into it. What went back into the balance after the next statement was made is on that of a later period, or is paid
 * before.
 */
function stateOf(
  { closedAt }: Pick<MadeStatement, 'closedAt'>,
  later: readonly MadeStatement[],
  lines: readonly PaidLine[],
): PaymentState | undefined {
  let from = closedAt
  let next = later[0]
  let line = lastLine(lines, from, next)
  let wentBack = line && backOf(line)
  while (next && wentBack && wentBack.at >= next.closedAt) {
    const { at } = wentBack
    from = at
    next = later.find((one) => one.closedAt > at)
    const again = lastLine(lines, from, next)
    if (!again)
      return {
        ...nothing,
        state: next ? 'carried' : wentBack.by,
        carriedInto: next?.period ?? null,
      }
    line = again
    wentBack = backOf(line)
  }
  if (!line && !next) return undefined
  if (line && isPaid(line)) return { ...nothing, state: 'paid', paidAt: line.decidedAt }
  if (line?.open) {
    const { isApproved, isSent } = line
    return { ...nothing, state: 'running', isApproved, isSent }
  }
  return {
    ...nothing,
    state: next ? 'carried' : (wentBack?.by ?? 'failed'),
    carriedInto: next?.period ?? null,
  }
}

const nothing = { paidAt: null, isApproved: false, isSent: false, carriedInto: null }

const isPaid = ({ paid, returnedAt }: PaidLine): boolean => paid === true && returnedAt === null

/** The last line that was prepared before the next statement: one that was paid, if there is one. */
function lastLine(
  lines: readonly PaidLine[],
  from: Date,
  next: MadeStatement | undefined,
): PaidLine | undefined {
  const within = lines.filter(
    ({ preparedAt }) => preparedAt >= from && (!next || preparedAt < next.closedAt),
  )
  return within.findLast(isPaid) ?? within.at(-1)
}

/** When and how a line's amount went back into the balance. */
function backOf({ paid, decidedAt, returnedAt }: PaidLine) {
  if (returnedAt) return { at: returnedAt, by: 'returned' as const }
  return paid === false && decidedAt ? { at: decidedAt, by: 'failed' as const } : undefined
}
