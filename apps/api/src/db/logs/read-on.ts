import { sql } from 'kysely'
import type { DbOrTx } from '../database.ts'
import { nowOf } from '../transaction.ts'

/** A place in a log by the time of recording. */
export type LogPlace = { at: Date; id: string }

/** What is recorded behind `after` and before an instant. */
export type Stretch = { after: LogPlace; before: Date }

/**
 * How long after its time of recording a row may be committed, beside the time of its transaction: an array of postbacks has the time of
 * its arrival, and clocks of machines differ.
 */
const LATE_MS = 2 * 60_000

/** A transaction that has written nothing for that long is taken for a reader: some hold a lock, or a download, for hours. */
const LONGEST_UNWRITTEN_MS = 5 * 60_000

/** The wait instead while somebody writes of whom the database doesn't say since when, as it does not to another login. */
const BLIND_MS = 60 * 60_000

/** Before all others of its instant. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** The first stretch that is looked at. Far back, in the log of somebody who has few rows, further ones are longer. */
const STRETCH_MS = 60 * 60_000

/**
 * The rows of a log behind a place, in the order of their recording, and where to read on. Rows that were recorded a moment ago are
 * held back until all that may stand before them is committed, so that whoever reads on gets each row, once.
 *
 * @param after an instant, or the `next` of an earlier answer.
 */
export async function readOn<Row>(
  db: DbOrTx,
  { after, limit }: { after: string; limit: number },
  find: (stretch: Stretch) => Promise<Row[]>,
  placeOf: (row: Row) => LogPlace,
): Promise<{ rows: Row[]; next: string }> {
  const place = placeIn(after)
  const horizon = await findHorizon(db)
  for (let ms = STRETCH_MS; place.at < horizon; ms *= 4) {
    const before = new Date(Math.min(place.at.getTime() + ms, horizon.getTime()))
    const rows = await find({ after: place, before })
    const last = rows.at(-1)
    if (last !== undefined && rows.length === limit) return { rows, next: textOf(placeOf(last)) }
    if (before >= horizon) return { rows, next: textOf({ at: horizon, id: FIRST_ID }) }
  }
  return { rows: [], next: after }
}

/** Everything that has an earlier time of recording is committed, or never will be. */
async function findHorizon(db: DbOrTx): Promise<Date> {
  const now = nowOf(db)
  const { rows } = await sql<{ oldestMs: number; unknownWriters: number }>`
    select
      coalesce(
        max(extract(epoch from clock_timestamp() - xact_start)) filter (
          where backend_xid is not null
            or xact_start > clock_timestamp() - ${LONGEST_UNWRITTEN_MS} * interval '1 millisecond'
        ),
        0
      )::float8 * 1000 as "oldestMs",
      count(*) filter (
        where backend_xid is not null and xact_start is null and usesysid is not null
      )::int as "unknownWriters"
    from pg_stat_activity
    where datname = current_database()
  `.execute(db)
  const { oldestMs = 0, unknownWriters = 0 } = rows[0] ?? {}
  const ms = LATE_MS + Math.max(0, oldestMs, unknownWriters > 0 ? BLIND_MS : 0)
  return new Date(Math.floor(now.getTime() - ms))
}

const placeIn = (after: string): LogPlace => ({
  at: new Date(after.slice(0, INSTANT)),
  id: after.slice(INSTANT + 1) || FIRST_ID,
})

const textOf = ({ at, id }: LogPlace): string => `${at.toISOString()}_${id}`

/** Characters of an instant. */
const INSTANT = '2026-03-10T16:00:00.000Z'.length
