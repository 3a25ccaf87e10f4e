import { isPostbackEvent, type PostbackEvent } from '@tallyroom/domain/event-types'
import { type HoldKind, isHoldKind } from '@tallyroom/domain/holds'
import type { Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { isDue, joinFollowUps } from '../held/held.queries.ts'
import type { HeldWord } from '../sales/report.ts'

/** A word of a site for which postbacks are held, and how many are. */
export type WaitingWord = HeldWord & {
  siteId: number
  sitename: string
  count: number
  /** When the first of them came. */
  since: Date
  /** What was decided about words of the site, as stored. */
  wordReadings: unknown
}

/**
 * The words for which postbacks are held, the longest wait first; `isNew`: only those that were never sent before, without tests;
 * `dueOn`: only of postbacks that wait for a decision on that day.
 */
export async function findWaitingWords(
  db: DbOrTx,
  { isNew, dueOn, limit }: { isNew: boolean; dueOn?: Day | undefined; limit: number },
): Promise<WaitingWord[]> {
  const { rows } = await sql<Omit<WaitingWord, 'event'> & { event: string }>`
    select
      site.id as "siteId", site.sitename, site.word_readings as "wordReadings",
      waiting.parameter, waiting.name, waiting.word, waiting.event, waiting.count, waiting.since
    from (
      select
        held.word_site_id as site_id, held.word_parameter as parameter, min(held.word_name) as name,
        held.word_value as word, held.word_event as event, count(*) as count, min(held.held_at) as since
      from held_postbacks as held
      join postbacks as postback on postback.id = held.postback_id
      ${dueOn === undefined ? sql`` : joinFollowUps(sql`held.postback_id`)}
      where held.word_site_id is not null and ${dueOn === undefined ? sql`true` : isDue(dueOn)}
        and (not ${isNew}::boolean or (held.kind = 'new-word' and not postback.test))
      group by held.word_site_id, held.word_parameter, held.word_value, held.word_event
    ) as waiting
    join sites as site on site.id = waiting.site_id
    where site.deleted_at is null
    order by waiting.since, waiting.site_id, waiting.parameter, waiting.word, waiting.event
    limit ${limit}
  `.execute(db)
  return rows.flatMap(({ event, ...row }) => (isPostbackEvent(event) ? [{ ...row, event }] : []))
}

type OneWord = { siteId: number; event: PostbackEvent } & Pick<HeldWord, 'parameter' | 'word'>

/** What for the postbacks with a word are held that a decision about it settles. Empty if there are none. */
export async function findKindsOfWord(
  db: DbOrTx,
  { siteId, parameter, word, event }: OneWord,
): Promise<HoldKind[]> {
  const rows = await db
    .selectFrom('held_postbacks')
    .select('kind')
    .distinct()
    .where('word_site_id', '=', siteId)
    .where('word_parameter', '=', parameter)
    .where('word_value', '=', word)
    .where('word_event', '=', event)
    .execute()
  return rows.flatMap(({ kind }) => (isHoldKind(kind) ? [kind] : []))
}

/** The postbacks that are held for a word, in the order in which they came. */
export async function findHeldForWord(
  db: DbOrTx,
  { siteId, parameter, word, event }: OneWord,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select held.postback_id as id
    from held_postbacks as held
    join postbacks as postback on postback.id = held.postback_id
    where held.word_site_id = ${siteId} and held.word_parameter = ${parameter}
      and held.word_value = ${word} and held.word_event = ${event}
    order by postback.received_at, postback.id
    limit ${limit}
  `.execute(db)
  return rows.map(({ id }) => id)
}
