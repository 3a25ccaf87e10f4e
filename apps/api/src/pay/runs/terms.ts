import type { DbOrTx } from '../../db/database.ts'
import { type AsOf, findBegunAt } from '../../seals/index.ts'
import type { NextPayment } from './news.queries.ts'
import { type AgentMove, findAgentMoves } from './agent-moves.queries.ts'
import { findSettingsChanges, type SettingsChange } from './changed-settings.queries.ts'
import {
  findBookedSales,
  findPaidStatements,
  findTermChanges,
  type PaidStatement,
  type TermChange,
} from './terms.queries.ts'

/** A change of terms, and a line that is the first to pay by it. */
export type NewTerm = (TermChange | SettingsChange | AgentMove) & OfLine
type OfLine = { lineId: number; payee: string }

/**
 * The changes of terms that took effect within the statements which these lines pay, and after their payees' statements before.
 * What was changed before the releases that seal them bars nobody, as it is not known to be complete.
 */
export async function findNewTerms(
  db: DbOrTx,
  of: number | NextPayment,
  asOf: AsOf,
): Promise<NewTerm[]> {
  const paid = await findPaidStatements(db, of, asOf)
  if (paid.length === 0) return []
  return [
    ...(await findNewSiteTerms(db, paid, asOf)),
    ...(await findNewSettings(db, paid, asOf)),
    ...(await findNewMoves(db, paid, asOf)),
  ]
}

/** The changes of rates, sites and bonuses: of what was sold on them, at least one sale is paid. */
async function findNewSiteTerms(
  db: DbOrTx,
  paid: readonly PaidStatement[],
  asOf: AsOf,
): Promise<(TermChange & OfLine)[]> {
  const since = await findBegunAt(db, 'former_site_flags')
  if (since === undefined) return []
  const changes = await findTermChanges(db, spanOf(paid), { since, ...asOf })
  if (changes.length === 0) return []
  const sold = await findBookedSales(db, {
    periodIds: [...new Set(paid.map(({ periodId }) => periodId))],
    payeeIds: [...new Set(paid.map(({ payeeId }) => payeeId))],
    siteIds: [...new Set(changes.map(({ siteId }) => siteId))],
  })
  return changes.flatMap((change) =>
    paid
      .filter(
        (statement) =>
          isNewIn(statement, change) &&
          sold.some((sale) => isOf(statement, sale) && isPaidBy(change, sale)),
      )
      .map(({ lineId, name }) => ({ ...change, lineId, payee: name })),
  )
}

/**
 * The changes of the settings of pay, for which each payee is paid something. Who has had no statement yet is paid by them as the
 * network is: they are not new again with each new payee.
 */
async function findNewSettings(
  db: DbOrTx,
  paid: readonly PaidStatement[],
  asOf: AsOf,
): Promise<(SettingsChange & OfLine)[]> {
  // Their seals are older, but only since then do they bar.
  const since = await findBegunAt(db, 'agent_moves')
  if (since === undefined) return []
  const changes = await findSettingsChanges(db, { since, ...asOf })
  return changes.flatMap((change) =>
    paid
      .filter(({ after, afterAny, until }) => isNewIn({ after: after ?? afterAny, until }, change))
      .map(({ lineId, name }) => ({ ...change, lineId, payee: name })),
  )
}

/** The moves of agents to the office that is paid, or of the agent who is, whether they have sold since or not. */
async function findNewMoves(
  db: DbOrTx,
  paid: readonly PaidStatement[],
  asOf: AsOf,
): Promise<(AgentMove & OfLine)[]> {
  const since = await findBegunAt(db, 'agent_moves')
  if (since === undefined) return []
  const moves = await findAgentMoves(db, spanOf(paid), { since, ...asOf })
  return moves.flatMap((move) =>
    paid
      .filter(
        (statement) =>
          isNewIn(statement, move) &&
          statement.payeeId === (statement.kind === 'office' ? move.toOfficeId : move.agentId),
      )
      .map(({ lineId, name }) => ({ ...move, lineId, payee: name })),
  )
}

/** All days of the statements together. */
function spanOf(paid: readonly PaidStatement[]): Pick<PaidStatement, 'after' | 'until'> {
  const until =
    paid
      .map((one) => one.until)
      .toSorted()
      .at(-1) ?? ''
  if (paid.some(({ after }) => after === null)) return { after: null, until }
  return { after: paid.flatMap(({ after }) => after ?? []).toSorted()[0] ?? null, until }
}

const isNewIn = (
  { after, until }: Pick<PaidStatement, 'after' | 'until'>,
  { from }: Pick<NewTerm, 'from'>,
): boolean => (after === null || from > after) && from <= until

type Sale = Awaited<ReturnType<typeof findBookedSales>>[number]

const isOf = (statement: PaidStatement, sale: Sale): boolean =>
  statement.periodId === sale.periodId &&
  statement.kind === sale.kind &&
  statement.payeeId === sale.payeeId

const isPaidBy = ({ siteId, typeId, officeId }: TermChange, sale: Sale): boolean =>
  siteId === sale.siteId &&
  (typeId === null || typeId === sale.typeId) &&
  (officeId === null || officeId === sale.officeId)
