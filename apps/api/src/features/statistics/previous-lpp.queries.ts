import { addDays } from '@tallyroom/domain/new-york'
import { type DateRange, daysInRange } from '@tallyroom/domain/periods'
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
    select coalesce(sum(lpp), 0)::bigint as lpp
    from (${pointsBefore(scope, question, question.filter.agentIds, question.range)}) as before
    where exists (
      select from ${totalsSource(scope, totalsQuestion(question), keys)} as present
      where ${sql.join(isSameRow, sql` and `)}
    )
  `.execute(tx)
  return rows[0]?.lpp ?? 0
}

/** Points by the grouping's keys, as {@link pointsBefore} gives them. */
export function previousLpp(
  scope: Scope,
  question: StatsQuestion,
  agentIds: readonly number[] | undefined,
  days = question.range,
): RawBuilder<RowKey & { lpp_prev: number }> {
  const keys = columns(keysOf[question.groupBy])
  return sql`
    select ${keys}, sum(lpp)::bigint as lpp_prev
    from (${pointsBefore(scope, question, agentIds, days)}) as before
    group by ${keys}
  `
}

/**
 * Points of the period of equal length just before `question.range`, row by row: a total has no use for groups, which
 * take longer than the sum. A detail row is compared with the same agent's day at the same place in that period.
 * `days` narrows the rows that are compared.
 */
function pointsBefore(
  scope: Scope,
  question: StatsQuestion,
  agentIds: readonly number[] | undefined,
  days: DateRange,
) {
  const keys = keysOf[question.groupBy]
  const length = daysInRange(question.range)
  const totals: TotalsQuestion = {
    ...totalsQuestion(question),
    filter: { ...question.filter, agentIds },
    range: { start: addDays(days.start, -length), end: addDays(days.end, -length) },
  }
  const keyOrShifted = (key: keyof RowKey) =>
    key === 'day' ? sql`day + ${length}::integer as day` : sql.ref(key)
  return sql`
    select ${sql.join(keys.map(keyOrShifted))}, lpp
    from ${totalsSource(scope, totals, [...keys, 'lpp'])} as totals
    where lpp <> 0
  `
}
