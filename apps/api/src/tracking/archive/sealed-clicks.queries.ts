import type { ClickIdFields } from '@tallyroom/domain/click-id'
import { sql } from 'kysely'
import { addMonths, type Day, dayOf, monthOf } from '@tallyroom/domain/new-york'
import type { DbOrTx } from '../../db/database.ts'
import { startOfMonth } from './archives.queries.ts'

/** What the seals of an archived month say about one of its clicks. */
export type SealedClick = { officeId: number; isBlacklisted: boolean }

/**
 * The office of an archived click: the one with most of the agent's clicks on that link type and
 * day; of two with equally many, the one with the smaller id. It can be wrong only on a day on
 * which the agent changed offices. Undefined if there are no clicks or the month is not archived.
 */
export async function findSealedClick(
  db: DbOrTx,
  click: ClickIdFields,
): Promise<SealedClick | undefined> {
  const { rows } = await sealedClick(click).execute(db)
  return rows[0]
}

/** The query of {@link findSealedClick}, to be part of another. */
export const sealedClick = ({ agentId, typeId, clickedAtMs }: ClickIdFields) =>
  // If some of these clicks counted, this one gets the benefit of the doubt: no fraud mark.
  sql<SealedClick>`
    select office_id as "officeId", blacklisted = clicks as "isBlacklisted"
    from click_seals
    where agent_id = ${agentId} and day = ${dayOf(clickedAtMs)} and type_id = ${typeId}
      and month = ${monthOf(new Date(clickedAtMs).toISOString().slice(0, 10))}
    order by clicks desc, office_id
    limit 1`

/** The first New York day whose clicks are all in the database; null if none was ever archived. */
export async function findDetailsSince(db: DbOrTx): Promise<Day | null> {
  const row = await db
    .selectFrom('click_archives')
    .select('month')
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  // Partitions end at midnight UTC, so the month's last New York day is incomplete: its evening is in the next one.
  return row ? dayOf(startOfMonth(addMonths(row.month, 1)).getTime() + DAY_MS) : null
}

const DAY_MS = 86_400_000
