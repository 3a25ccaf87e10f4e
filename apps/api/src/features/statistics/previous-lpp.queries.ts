import { addDays } from '@tallyroom/domain/new-york'
import { daysInRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { columns } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { agentsOf, daysOf, keysOf, type RowKey } from './row-keys.ts'
import { isByDay, type StatsQuestion, totalsQuestion } from './report-question.ts'
import { totalsSource, type TotalsQuestion } from '../../totals/index.ts'

/** The points of the period of equal length just before, for the agents or offices of these rows. */
export async function findPreviousLpp(
  tx: Tx,
  scope: Scope,
  question: StatsQuestion,
  page: readonly RowKey[],
): Promise<(RowKey & { lpp_prev: number })[]> {
  if (page.length === 0) return []
  const agentIds = agentsOf(page)
  const { rows } = await previousLpp(
    scope,
    question,
    agentIds.length > 0 ? agentIds : question.filter.agentIds,
    isByDay(question) ? daysOf(page) : undefined,
  ).execute(tx)
  return rows
}

/** The sum of what all rows show: whoever has no row now is not in it. */
export async function findOverallPreviousLpp(
  tx: Tx,
  scope: Scope,
  question: StatsQuestion,
): Promise<number> {
  const keys = keysOf[question.groupBy]
  const isSameRow = keys.map(
    (key) => sql`${sql.ref(`present.${key}`)} = ${sql.ref(`before.${key}`)}`,
  )
  const { rows } = await sql<{ lpp: number }>`
    select coalesce(sum(lpp_prev), 0)::bigint as lpp
    from (${previousLpp(scope, question, question.filter.agentIds)}) as before
    where exists (
      select from ${totalsSource(scope, totalsQuestion(question), keys)} as present
      where ${sql.join(isSameRow, sql` and `)}
    )
  `.execute(tx)
  return rows[0]?.lpp ?? 0
}

/**
 * Points by the grouping's keys over the period of equal length just before `question.range`; a detail row is
 * compared with the same agent's day at the same place in that period. `days` narrows the rows that are compared.
 */
export function previousLpp(
  scope: Scope,
  question: StatsQuestion,
  agentIds: readonly number[] | undefined,
  days = question.range,
): RawBuilder<RowKey & { lpp_prev: number }> {
  const keys = keysOf[question.groupBy]
  const length = daysInRange(question.range)
  const totals: TotalsQuestion = {
    ...totalsQuestion(question),
    filter: { ...question.filter, agentIds },
    range: { start: addDays(days.start, -length), end: addDays(days.end, -length) },
  }
  const keyOrShifted = (key: keyof RowKey) =>
    key === 'day' ? sql`day + ${length}::integer as day` : sql.ref(key)
  return sql<RowKey & { lpp_prev: number }>`
    select ${sql.join(keys.map(keyOrShifted))}, sum(lpp)::bigint as lpp_prev
    from ${totalsSource(scope, totals, [...keys, 'lpp'])} as totals
    where lpp <> 0
    group by ${columns(keys)}
  `
}
