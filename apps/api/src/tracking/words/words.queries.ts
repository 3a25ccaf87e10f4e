import { type Insertable, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { SiteWords } from '../../db/types.ts'

/** Where the reading of postbacks stands, in the order of their arrival. */
export type Place = { receivedAt: Date; postbackId: string }

/** Undefined while another process reads on. */
export const lockPlace = (tx: Tx): Promise<Place | undefined> =>
  tx
    .selectFrom('site_words_read')
    .select(['received_at as receivedAt', 'postback_id as postbackId'])
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

export const findPlace = (db: DbOrTx): Promise<Place> =>
  db
    .selectFrom('site_words_read')
    .select(['received_at as receivedAt', 'postback_id as postbackId'])
    .executeTakeFirstOrThrow()

export async function movePlace(tx: Tx, { receivedAt, postbackId }: Place): Promise<void> {
  await tx
    .updateTable('site_words_read')
    .set({ received_at: receivedAt, postback_id: postbackId })
    .execute()
}

export type ReceivedPostback = { id: string; siteId: number; receivedAt: Date; params: unknown }

/**
 * The next postbacks, oldest first. Without tests, those of strangers, and of those with a key those whose body could not be
 * read: only of what was read, the site's flag is stored.
 */
export const findReceived = (
  tx: Tx,
  { receivedAt, postbackId }: Place,
  { until, limit }: { until: Date; limit: number },
): Promise<ReceivedPostback[]> =>
  tx
    .selectFrom('postbacks')
    .select(['id', 'site_id as siteId', 'received_at as receivedAt', 'params'])
    .where('received_at', '>=', receivedAt)
    .where('received_at', '<=', until)
    .where((eb) => eb.or([eb('received_at', '>', receivedAt), eb('id', '>', postbackId)]))
    .where('site_id', 'is not', null)
    .where('test', '=', false)
    // Older rows have no flag.
    .where((eb) => eb.or([eb('use_approve_sale', 'is not', null), eb('outcome', '<>', 'refused')]))
    .orderBy('received_at')
    .orderBy('id')
    .limit(limit)
    .$narrowType<{ siteId: number }>()
    .execute()

export type WordRow = {
  siteId: number
  parameter: string
  value: string
  name: string
  isFree: boolean
  firstAt: Date
  lastAt: Date
  times: number
  lastPostback: string
}

/** What is known of these sites. */
export const findWords = (db: DbOrTx, siteIds: readonly number[]): Promise<WordRow[]> =>
  siteIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('site_words')
        .select([
          'site_id as siteId',
          'parameter',
          'value',
          'name',
          'is_free as isFree',
          'first_at as firstAt',
          'last_at as lastAt',
          'times',
          'last_postback as lastPostback',
        ])
        .where('site_id', 'in', siteIds)
        .orderBy('site_id')
        .orderBy('first_at')
        .orderBy('parameter')
        .orderBy('value')
        .execute()

/** Adds to what is known. */
export async function addWords(tx: Tx, words: readonly WordRow[]): Promise<void> {
  for (let at = 0; at < words.length; at += AT_ONCE) {
    await tx
      .insertInto('site_words')
      .values(words.slice(at, at + AT_ONCE).map(rowOf))
      .onConflict((conflict) =>
        conflict.columns(['site_id', 'parameter', 'value']).doUpdateSet({
          last_at: (row) => row.ref('excluded.last_at'),
          last_postback: (row) => row.ref('excluded.last_postback'),
          times: sql`site_words.times + excluded.times`,
          is_free: sql`site_words.is_free or excluded.is_free`,
        }),
      )
      .execute()
  }
}

const AT_ONCE = 1_000

const rowOf = (word: WordRow): Insertable<SiteWords> => ({
  site_id: word.siteId,
  parameter: word.parameter,
  value: word.value,
  name: word.name,
  is_free: word.isFree,
  first_at: word.firstAt,
  last_at: word.lastAt,
  times: word.times,
  last_postback: word.lastPostback,
})

/** Forgets the values of a parameter, which have become too many. */
export async function deleteValues(tx: Tx, siteId: number, parameter: string): Promise<void> {
  await tx
    .deleteFrom('site_words')
    .where('site_id', '=', siteId)
    .where('parameter', '=', parameter)
    .where('value', '<>', '')
    .execute()
}

/** The parameters of postbacks, as they are kept. */
export const findParams = (
  db: DbOrTx,
  ids: readonly string[],
): Promise<{ id: string; params: unknown }[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('postbacks').select(['id', 'params']).where('id', 'in', ids).execute()

/** The postbacks of a site that came since, newest first, and are perhaps not read yet. Without tests. */
export const findReceivedOf = (
  db: DbOrTx,
  siteId: number,
  { since, limit }: { since: Date; limit: number },
): Promise<{ params: unknown }[]> =>
  db
    .selectFrom('postbacks')
    .select('params')
    .where('site_id', '=', siteId)
    .where('received_at', '>=', since)
    .where('use_approve_sale', 'is not', null)
    .where('test', '=', false)
    .orderBy('received_at', 'desc')
    .limit(limit)
    .execute()

/** The words of a site about which a decision waits, because they were never sent before: those that are asked about now, and those that are asked about after them. */
export async function findAsked(
  db: DbOrTx,
  siteId: number,
): Promise<{ parameter: string; word: string }[]> {
  const { rows } = await sql<{ parameter: string; word: string }>`
    select word_parameter as parameter, word_value as word
    from held_postbacks
    where word_site_id = ${siteId} and kind = 'new-word'
    union
    select further.word ->> 'parameter', further.word ->> 'word'
    from (
      select jsonb_array_elements(more_words) as word from held_postbacks where word_site_id = ${siteId}
    ) as further
  `.execute(db)
  return rows
}
