import type { ClickIdFields } from '@tallyroom/domain/click-id'
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
  { agentId, typeId, clickedAtMs }: ClickIdFields,
): Promise<SealedClick | undefined> {
  const row = await db
    .selectFrom('click_seals')
    .select(['office_id as officeId', 'clicks', 'blacklisted'])
    .where('agent_id', '=', agentId)
    .where('day', '=', dayOf(clickedAtMs))
    .where('type_id', '=', typeId)
    .where('month', '=', monthOf(new Date(clickedAtMs).toISOString().slice(0, 10)))
    .orderBy('clicks', 'desc')
    .orderBy('office_id')
    .limit(1)
    .executeTakeFirst()
  // If some of these clicks counted, this one gets the benefit of the doubt: no fraud mark.
  return row && { officeId: row.officeId, isBlacklisted: row.blacklisted === row.clicks }
}

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
