import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { LevelRow } from './fold-totals.ts'
import type { Level } from './levels.ts'
import { metrics } from './totals-delta.ts'

export async function deletePendingOf(tx: Tx, agentId: number): Promise<void> {
  await tx.deleteFrom('totals_pending').where('agent_id', '=', agentId).execute()
}

export const deleteFromLevel = (tx: Tx, { table }: Level, agentId: number) =>
  sql`delete from ${sql.table(table)} where agent_id = ${agentId}`.execute(tx)

/** What the finest level holds of an agent. */
export async function findFinestRows(tx: Tx, agentId: number): Promise<LevelRow[]> {
  return tx
    .selectFrom('totals_day_agent_type')
    .select(['day', 'agent_id', 'office_id', 'site_id', 'type_id', ...metrics])
    .where('agent_id', '=', agentId)
    .execute()
}

/** The days and offices that count a detail row of an agent. */
export const findDetailRows = (
  tx: Tx,
  agentId: number,
): Promise<{ day: string; office_id: number }[]> =>
  tx
    .selectFrom('totals_day_agent')
    .select(['day', 'office_id'])
    .where('agent_id', '=', agentId)
    .execute()

/**
 * Deletes those of an office level's rows below which nothing is left. Sums of zero alone don't say so: a
 * sale and its reversal on one day make a row of zeros.
 */
export async function deleteEmptied(
  tx: Tx,
  level: Level,
  rows: readonly LevelRow[],
): Promise<void> {
  const touched = sql`unnest(
    ${rows.map(({ day }) => day)}::date[],
    ${rows.map((row) => Number(row['office_id']))}::bigint[],
    ${rows.map((row) => Number(row['type_id'] ?? 0))}::bigint[]
  ) as touched (day, office_id, type_id)`
  const table = sql.table(level.table)
  if (level.sums.includes('detail_rows')) {
    await sql`
      delete from ${table} as present
      using ${touched}
      where present.office_id = touched.office_id and present.day = touched.day
        and present.detail_rows = 0
    `.execute(tx)
    return
  }
  const finer = sql.table(`totals_${level.unit}_agent_type`)
  const zeros = sql.join(
    metrics.map((metric) => sql`${sql.ref(`present.${metric}`)} = 0`),
    sql` and `,
  )
  await sql`
    with zeros as materialized (
      select present.day, present.office_id, present.site_id, present.type_id
      from ${table} as present
      join ${touched}
        on touched.office_id = present.office_id and touched.day = present.day
        and touched.type_id = present.type_id
      where ${zeros}
    )
    delete from ${table} as present
    using zeros
    left join ${finer} as below
      on below.site_id = zeros.site_id and below.day = zeros.day
      and below.office_id = zeros.office_id and below.type_id = zeros.type_id
    where present.office_id = zeros.office_id and present.day = zeros.day
      and present.type_id = zeros.type_id
      and below.agent_id is null
  `.execute(tx)
}
