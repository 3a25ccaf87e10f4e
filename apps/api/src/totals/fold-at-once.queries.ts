import type { Day } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import { columns } from '../db/list-query.ts'
import type { Tx } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import {
  insertInto,
  keptRows,
  type PendingDays,
  raise,
  sums,
  weekOf,
} from './fold-totals.queries.ts'
import {
  agentWeekLevel,
  finestLevel,
  hasOpenDay,
  type Level,
  metrics,
  officeWeekLevel,
  summedLevels,
} from './levels.ts'

/** A week of an agent: `day` is its Monday. */
type AgentWeek = { agentId: number; day: Day }

/**
 * Applies pending rows to every level, in one statement that each session plans only once. An
 * agent's rows are joined with the week's row of their AVP sales so far, so the cost depends only
 * on the rows that change. For a single server. The caller holds the totals.
 * @returns the weeks of agents whose AVP sales changed, for `keepWeekAvp`.
 */
export async function foldAtOnce(
  tx: Tx,
  { openDay, areAllOpen }: PendingDays,
): Promise<AgentWeek[]> {
  const { rows } = await sql<AgentWeek>`
    ${prepared}
    with pending as (delete from totals_pending returning *),
    added as materialized (
      select day, ${columns(finestLevel.dimensions)}, ${sums(metrics)}
      from pending
      group by day, ${columns(finestLevel.dimensions)}
    ),
    new_details as materialized (
      select *
      from (select distinct day, agent_id, office_id from added) as keys
      where ${isNewDetail}
    ),
    details as materialized (
      select day, office_id, count(*)::integer as detail_rows
      from new_details
      group by day, office_id
    ),
    weeks as materialized (
      select *, ${avpSalesSoFar} as week_avp_sales
      from (
        select ${weekOf(sql`day`)} as day, agent_id, office_id, ${sums(metrics)}
        from ${keptRows(agentWeekLevel, sql`select * from added`, openDay)} as kept
        group by ${weekOf(sql`day`)}, agent_id, office_id
      ) as keys
      where ${changesWeek}
    ),
    ${sql.join(
      summedLevels
        .filter((level) => level !== agentWeekLevel && (hasOpenDay(level.unit) || !areAllOpen))
        .map((level) => folded(level, openDay)),
    )},
    agent_weeks as (
      insert into totals_week_agent as present (${columns(weekColumns)})
      select ${columns(weekColumns)} from weeks
      on conflict (${columns(agentWeekLevel.key)}) do update set ${raised}
    ),
    office_weeks as (
      insert into totals_week_office_avp as present (${columns(officeWeekColumns)})
      select day, ${columns(officeWeekLevel.dimensions)}, ${sums(metrics)}
      from weeks
      group by day, ${columns(officeWeekLevel.dimensions)}
      on conflict (${columns(officeWeekLevel.key)}) do update set ${raised}
    )
    select distinct agent_id as "agentId", ${weekOf(sql`day`)} as day
    from pending
    where avp_sales <> 0
  `.execute(tx)
  return rows
}

/** These weeks as rows of `agent_id` and `day`. */
export const rowsOf = (weeks: readonly AgentWeek[]): RawBuilder<unknown> => sql`
  select *
  from unnest(
    ${weeks.map(({ agentId }) => agentId)}::integer[], ${weeks.map(({ day }) => day)}::date[]
  ) as weeks (agent_id, day)
`

/**
 * Looks rows up by key, because a join would read the whole table whenever the planner
 * overestimates the number of pending rows.
 */
export const isNewDetail = sql`(
  select true from totals_day_agent as known
  where known.agent_id = keys.agent_id and known.day = keys.day and known.office_id = keys.office_id
) is null`
/** Whether a week gets more than clicks of the open day, which it leaves out, or may have no row yet. */
const changesWeek = sql`(
  ${sql.join(
    metrics.map((name) => sql`${sql.ref(name)} <> 0`),
    sql` or `,
  )}
  or (agent_id, day, office_id) in (
    select agent_id, ${weekOf(sql`day`)}, office_id from new_details
  )
)`
const avpSalesSoFar = sql`coalesce((
  select week_avp_sales from totals_week_agent as known
  where known.agent_id = keys.agent_id and known.day = keys.day
  limit 1
), 0)`

const addition = { rows: sql`select * from added`, detailRows: sql`select * from details` }

/** A part of a statement, which has `added` and `details` before it. */
export const folded = (level: Level, openDay: Day | undefined): RawBuilder<unknown> =>
  sql`${sql.table(`to_${level.table}`)} as (${insertInto(level, addition, openDay)})`

const weekColumns = ['day', ...agentWeekLevel.dimensions, 'week_avp_sales', ...metrics]
const officeWeekColumns = ['day', ...officeWeekLevel.dimensions, ...metrics]
const raised = sql.join(metrics.map(raise))
