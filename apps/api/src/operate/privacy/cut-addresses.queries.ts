import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A table with addresses, and the column that dates a row. */
export type Addressed = { table: 'clicks' | 'sessions' | 'postbacks' | 'api_tokens'; at: string }

/** Only complete addresses; those cut before are networks. */
const isWhole = sql`masklen(ip) = (case family(ip) when 4 then 32 else 128 end)`

const network = sql`network(set_masklen(ip, case family(ip) when 4 then 24 else 48 end))`

/** The number of complete addresses in a table before an instant, and the earliest one. */
export async function countWhole(db: Db, { table, at }: Addressed, before: Date) {
  const { rows } = await sql<{ count: number; first: Date | null }>`
    select count(*) as count, min(${sql.ref(at)}) as first
    from ${sql.table(table)}
    where ${sql.ref(at)} < ${before} and ${isWhole}
  `.execute(db)
  return rows[0] ?? { count: 0, first: null }
}

/** Cuts the addresses of a time span to their network: /24, or /48 for IPv6. Returns their number. */
export async function cutWhole(
  db: Db,
  { table, at }: Addressed,
  from: Date,
  before: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ip = ${network}
    where ${sql.ref(at)} >= ${from} and ${sql.ref(at)} < ${before} and ${isWhole}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

export async function countSeen(db: Db, before: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from seen_visitors where day < ${before}
  `.execute(db)
  return rows[0]?.count ?? 0
}
