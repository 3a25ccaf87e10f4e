import {
  type HoldAct,
  type HoldKind,
  isHoldKind,
  isWordReading,
  type WordReading,
} from '@tallyroom/domain/holds'
import { isPostbackEvent } from '@tallyroom/domain/event-types'
import { type Insertable, sql } from 'kysely'
import { siteValueAt } from '../../catalogue/index.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { Postbacks } from '../../db/types.ts'
import type { HeldWord } from '../sales/report.ts'

/** A complete row of `postbacks`. `params` is JSON text. */
export type PostbackRow = Required<Insertable<Postbacks>> & { params: string }

export async function insertPostback(db: DbOrTx, row: PostbackRow): Promise<void> {
  await db.insertInto('postbacks').values(row).execute()
}

/** Inserts a postback and its place in the queue in one statement. */
export async function insertWaitingPostback(
  db: DbOrTx,
  row: PostbackRow,
  waiting: { waitsFor: 'click' | 'sale'; nextTryAt: Date },
): Promise<void> {
  await db
    .with('queued', (query) =>
      query.insertInto('waiting_postbacks').values({
        postback_id: row.id,
        waits_for: waiting.waitsFor,
        received_at: row.received_at,
        next_try_at: waiting.nextTryAt,
      }),
    )
    .insertInto('postbacks')
    .values(row)
    .execute()
}

/** The data for redelivering a stored postback. */
export type KeptPostback = {
  id: string
  siteId: number | null
  /** The site's flag at the time of the report, or its current one if that was not stored; null without a site. */
  useApproveSale: boolean | null
  receivedAt: Date
  clickId: string | null
  transactionId: string | null
  event: string | null
  standing: string | null
  approved: boolean
  /** The event that it reverses, if the merchant named one. */
  reverses: string | null
  /** The parameter for which a person has to decide. */
  takesBack: string | null
  typeAlias: string | null
  customerEmail: string | null
  occurredAt: Date | null
  params: unknown
  amountE4: number | null
  currency: string | null
  outcome: string
  settledOutcome: string | null
  /** Why it awaits a decision; null if it does not. */
  heldKind: HoldKind | null
  /** The words for which it does. */
  heldWords: readonly HeldWord[] | undefined
  /** What its word was decided to mean, if it is held for something else by now. */
  reading: WordReading | null
  /** The site's rules for orders, as they were when it arrived. */
  severalProducts: boolean | null
  countsForDays: number | null
  partRule: string | null
  /** The names that the site's merchant uses now. */
  clickParam: string | null
  transactionIdIsClick: boolean | null
  tracker: string | null
}

const ruleThen = <Rule extends 'several_products' | 'counts_for_days' | 'part_rule'>(rule: Rule) =>
  siteValueAt(rule, 'site', sql.ref('postback.received_at'))

export async function findKeptPostback(db: DbOrTx, id: string): Promise<KeptPostback | undefined> {
  const row = await db
    .selectFrom('postbacks as postback')
    .leftJoin('postback_settlements as settlement', 'settlement.postback_id', 'postback.id')
    .leftJoin('held_postbacks as held', 'held.postback_id', 'postback.id')
    .leftJoin('sites as site', 'site.id', 'postback.site_id')
    .select([
      'postback.id',
      'postback.site_id as siteId',
      (eb) =>
        eb.fn.coalesce('postback.use_approve_sale', 'site.use_approve_sale').as('useApproveSale'),
      'postback.received_at as receivedAt',
      'postback.click_id as clickId',
      'postback.transaction_id as transactionId',
      'postback.event',
      'postback.standing',
      'postback.approved',
      'postback.reverses',
      'postback.takes_back as takesBack',
      'postback.type_alias as typeAlias',
      'postback.customer_email as customerEmail',
      'postback.occurred_at as occurredAt',
      'postback.params',
      'postback.amount_e4 as amountE4',
      'postback.currency',
      'postback.outcome',
      'settlement.outcome as settledOutcome',
      'held.kind as heldKind',
      'held.word_parameter as wordParameter',
      'held.word_name as wordName',
      'held.word_value as wordValue',
      'held.word_event as wordEvent',
      'held.more_words as moreWords',
      'held.reading',
      ruleThen('several_products').as('severalProducts'),
      ruleThen('counts_for_days').as('countsForDays'),
      ruleThen('part_rule').as('partRule'),
      'site.click_param as clickParam',
      'site.transaction_id_is_click as transactionIdIsClick',
      'site.tracker',
    ])
    .where('postback.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const {
    heldKind,
    wordParameter,
    wordName,
    wordValue,
    wordEvent,
    moreWords,
    reading,
    ...postback
  } = row
  const first = heldWordOf({
    parameter: wordParameter,
    name: wordName,
    word: wordValue,
    event: wordEvent,
    takesBack: heldKind === 'takes-back',
  })
  const more: unknown[] = Array.isArray(moreWords) ? moreWords : []
  return {
    ...postback,
    heldKind: heldKind !== null && isHoldKind(heldKind) ? heldKind : null,
    heldWords: first && [first, ...more.flatMap((one) => heldWordOf(one) ?? [])],
    reading: isWordReading(reading) ? reading : null,
  }
}

/** A word as stored. */
function heldWordOf(stored: unknown): HeldWord | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { parameter, name, word, event, takesBack } = stored as Record<string, unknown> // checked below
  const isWord =
    typeof parameter === 'string' && typeof name === 'string' && typeof word === 'string'
  return isWord && typeof event === 'string' && isPostbackEvent(event)
    ? { parameter, name, word, event, ...(takesBack === true && { takesBack }) }
    : undefined
}

export type Settlement = {
  postbackId: string
  settledAt: Date
  outcome: 'recorded' | 'duplicate' | 'refused' | 'rejected'
  reason: string | null
  eventId: string | null
  settledBy: number | null
  /** What staff chose, and why. */
  act: HoldAct | null
  note: string | null
}

/** Keeps the first settlement. */
export async function insertSettlement(tx: Tx, settlement: Settlement): Promise<void> {
  await tx
    .insertInto('postback_settlements')
    .values({
      postback_id: settlement.postbackId,
      settled_at: settlement.settledAt,
      outcome: settlement.outcome,
      reason: settlement.reason,
      event_id: settlement.eventId,
      settled_by: settlement.settledBy,
      act: settlement.act,
      note: settlement.note,
    })
    .onConflict((conflict) => conflict.column('postback_id').doNothing())
    .execute()
}

export async function deleteWaiting(tx: DbOrTx, postbackId: string): Promise<void> {
  await tx.deleteFrom('waiting_postbacks').where('postback_id', '=', postbackId).execute()
}

export type WaitingPostback = { postbackId: string; receivedAt: Date; tries: number }

/**
 * Locks the first due postback in the queue, skipping locked ones. A retry after `latest` was scheduled by a
 * clock that has been set back since, so it is due too.
 */
export const findDueWaiting = (
  tx: Tx,
  { now, latest }: { now: Date; latest: Date },
): Promise<WaitingPostback | undefined> =>
  tx
    .selectFrom('waiting_postbacks')
    .select(['postback_id as postbackId', 'received_at as receivedAt', 'tries'])
    .where((eb) => eb.or([eb('next_try_at', '<=', now), eb('next_try_at', '>', latest)]))
    .orderBy('next_try_at')
    .orderBy('postback_id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

export async function postponeWaiting(tx: Tx, postbackId: string, nextTryAt: Date): Promise<void> {
  await tx
    .updateTable('waiting_postbacks')
    .set((row) => ({ next_try_at: nextTryAt, tries: row('tries', '+', 1) }))
    .where('postback_id', '=', postbackId)
    .execute()
}

/** Waits for a concurrent settlement of this postback. */
export async function lockWaiting(tx: Tx, postbackId: string): Promise<void> {
  await tx
    .selectFrom('waiting_postbacks')
    .select('postback_id')
    .where('postback_id', '=', postbackId)
    .forUpdate()
    .execute()
}

/** A pending decision: since when, why, and the time at which the postback may be recorded, if only that is in doubt. */
export type HeldRow = {
  postbackId: string
  heldAt: Date
  kind: HoldKind
  reason: string
  earliestAt: Date | null
  siteId: number | null
  /** Why, if it is for words in it. The first is asked about. */
  words?: readonly HeldWord[] | undefined
  reading?: WordReading | null
}

/** Inserts a postback and the pending decision in one statement. */
export async function insertHeldPostback(
  db: DbOrTx,
  row: PostbackRow,
  held: HeldRow,
): Promise<void> {
  await db
    .with('held', (query) => heldRow(query, held))
    .insertInto('postbacks')
    .values(row)
    .execute()
}

/** For a postback that is already stored. If it was held before, it is now held for this. */
export async function insertHeld(tx: Tx, held: HeldRow): Promise<void> {
  await heldRow(tx, held).execute()
}

const heldRow = (db: Pick<DbOrTx, 'insertInto'>, held: HeldRow) =>
  db
    .insertInto('held_postbacks')
    .values({
      postback_id: held.postbackId,
      held_at: held.heldAt,
      kind: held.kind,
      earliest_at: held.earliestAt,
      reason: held.reason,
      ...wordColumns(held),
      reading: held.reading ?? null,
    })
    .onConflict((conflict) =>
      conflict.column('postback_id').doUpdateSet({
        kind: (row) => row.ref('excluded.kind'),
        earliest_at: (row) => row.ref('excluded.earliest_at'),
        reason: (row) => row.ref('excluded.reason'),
        word_site_id: (row) => row.ref('excluded.word_site_id'),
        word_parameter: (row) => row.ref('excluded.word_parameter'),
        word_name: (row) => row.ref('excluded.word_name'),
        word_value: (row) => row.ref('excluded.word_value'),
        word_event: (row) => row.ref('excluded.word_event'),
        more_words: (row) => row.ref('excluded.more_words'),
        reading: (row) => row.ref('excluded.reading'),
      }),
    )

function wordColumns({ siteId, words = [] }: HeldRow) {
  const [first, ...more] = words
  return {
    word_site_id: first ? siteId : null,
    word_parameter: first?.parameter ?? null,
    word_name: first?.name ?? null,
    word_value: first?.word ?? null,
    word_event: first?.event ?? null,
    more_words: more.length === 0 ? null : JSON.stringify(more),
  }
}

export async function deleteHeld(tx: Tx, postbackId: string): Promise<void> {
  await tx.deleteFrom('held_postbacks').where('postback_id', '=', postbackId).execute()
}

/** Waits for a concurrent decision about this postback. */
export async function lockHeld(tx: Tx, postbackId: string): Promise<void> {
  await tx
    .selectFrom('held_postbacks')
    .select('postback_id')
    .where('postback_id', '=', postbackId)
    .forUpdate()
    .execute()
}
