import type { PostbackItem, postbacksSearchSchema } from '@tallyroom/contract/tracking/postbacks'
import { endOfDayExclusive, startOfDay, todayNewYork } from '@tallyroom/domain/new-york'
import { isPostbackEvent } from '@tallyroom/domain/event-types'
import { actsOf, HOLD_ACTS, holdActOf, isHoldKind } from '@tallyroom/domain/holds'
import type { z } from 'zod'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { readOn } from '../../db/logs/read-on.ts'
import type { ClickIds } from '../clicks/click-id-signer.ts'
import { findDoubles } from '../words/likely-doubles.queries.ts'
import type { Inbound } from './inbound.ts'
import {
  countPostbacks,
  findPostbacks,
  type PostbackFilter,
  type PostbackListRow,
  type SaleOfPostbacks,
} from './search-postbacks.queries.ts'
import { UNMATCHED_AFTER_MS } from './settle-waiting.ts'

type Search = z.output<typeof postbacksSearchSchema>

/** A page of the postbacks received, with their current outcomes. */
export async function searchPostbacks(
  { db, clock, clickIds }: Pick<Inbound, 'db' | 'clock' | 'clickIds'>,
  search: Search,
): Promise<{ items: PostbackItem[]; total: number; next?: string }> {
  const filter = filterOf(search, clickIds, clock.now())
  const { page, pageSize, sortAsc } = search
  if (search.after != null) {
    const { rows, next } = await readOn(
      db,
      { after: search.after, limit: pageSize },
      (arrived) =>
        findPostbacks(db, { ...filter, arrived }, { sortAsc: true, limit: pageSize, offset: 0 }),
      ({ receivedAt, id }) => ({ at: receivedAt, id }),
    )
    return { items: await presentPostbacks(db, rows), total: rows.length, next }
  }
  const total = await countPostbacks(db, filter)
  const rows = await findPostbacks(db, filter, {
    sortAsc,
    limit: pageSize,
    offset: (page - 1) * pageSize,
  })
  return { items: await presentPostbacks(db, rows), total }
}

/** The postbacks that name a sale's click or order number, oldest first, with their outcomes at `now`. */
export async function findPostbacksOfSale(
  tx: Tx,
  now: Date,
  sale: SaleOfPostbacks,
): Promise<PostbackItem[]> {
  const filter = { ...NO_FILTER, sale, unmatchedBefore: unmatchedBefore(now) }
  const rows = await findPostbacks(tx, filter, { sortAsc: true, limit: MOST_OF_SALE, offset: 0 })
  return presentPostbacks(tx, rows)
}

/** The newest postbacks that name an order, an address or a click by any of its ids, and how many do. */
export async function findPostbacksNaming(
  { db, now }: { db: DbOrTx; now: Date },
  named: { text: string } | { clickIds: readonly string[] },
  limit: number,
): Promise<{ items: PostbackItem[]; total: number }> {
  const filter = {
    ...NO_FILTER,
    ...('text' in named ? { transactionId: named.text } : { clickIds: named.clickIds }),
    unmatchedBefore: unmatchedBefore(now),
  }
  const rows = await findPostbacks(db, filter, { sortAsc: false, limit, offset: 0 })
  const total = rows.length < limit ? rows.length : await countPostbacks(db, filter)
  return { items: await presentPostbacks(db, rows), total }
}

/** The number of postbacks received in some time, of one site or all. */
export const countPostbacksIn = (
  { db, now }: { db: DbOrTx; now: Date },
  criteria: Pick<PostbackFilter, 'siteId' | 'from' | 'before'>,
): Promise<number> =>
  countPostbacks(db, { ...NO_FILTER, ...criteria, unmatchedBefore: unmatchedBefore(now) })

const NO_FILTER = {
  siteId: undefined,
  outcome: undefined,
  holdKind: undefined,
  event: undefined,
  clickIds: undefined,
  transactionId: undefined,
  from: undefined,
  before: undefined,
}

const MOST_OF_SALE = 200

const unmatchedBefore = (now: Date) => new Date(now.getTime() - UNMATCHED_AFTER_MS)

function filterOf(search: Search, clickIds: ClickIds, now: Date): PostbackFilter {
  const clickId = given(search.clickId)?.toLowerCase()
  return {
    siteId: search.siteId ?? undefined,
    outcome: search.outcome ?? undefined,
    holdKind: search.holdKind ?? undefined,
    due: search.due ?? undefined,
    decided: search.decided ?? undefined,
    today: todayNewYork(now),
    test: search.test ?? undefined,
    event: given(search.event)?.toLowerCase(),
    clickIds: clickId === undefined ? undefined : clickIds.spellings(clickId),
    transactionId: given(search.transactionId),
    from: search.start ? startOfDay(search.start) : undefined,
    before: search.end ? endOfDayExclusive(search.end) : undefined,
    unmatchedBefore: unmatchedBefore(now),
  }
}

/** An empty field does not filter. */
const given = (text: string | null | undefined): string | undefined => text?.trim() || undefined

async function presentPostbacks(
  db: DbOrTx,
  rows: readonly PostbackListRow[],
): Promise<PostbackItem[]> {
  const doubles = Map.groupBy(
    await findDoubles(
      db,
      rows.map(({ id }) => id),
    ),
    ({ postbackId }) => postbackId,
  )
  return rows.map((row) => {
    const found = doubles.get(row.id)?.map(({ postbackId: _of, receivedAt, ...double }) => ({
      ...double,
      receivedAt: receivedAt.toISOString(),
    }))
    return { ...presentPostback(row), ...(found && { doubles: found }) }
  })
}

const presentPostback = ({
  holdKind,
  heldAt,
  putOffUntil,
  assignedTo,
  assignedName,
  decidedAct,
  decidedBy,
  undoUntil,
  wordName,
  word,
  wordEvent,
  ...row
}: PostbackListRow): PostbackItem => ({
  ...row,
  receivedAt: row.receivedAt.toISOString(),
  settledAt: row.settledAt?.toISOString() ?? null,
  occurredAt: row.occurredAt?.toISOString() ?? null,
  earliestAt: row.earliestAt?.toISOString() ?? null,
  hold: holdOf({
    holdKind,
    heldAt,
    putOffUntil,
    assignedTo,
    assignedName,
    decidedAct,
    decidedBy,
    undoUntil,
    wordName,
    word,
    wordEvent,
    ...row,
  }),
})

function holdOf(row: PostbackListRow): PostbackItem['hold'] {
  const { holdKind, heldAt, outcome, receivedAt } = row
  if (outcome === 'unmatched') {
    const since = new Date(receivedAt.getTime() + UNMATCHED_AFTER_MS)
    return { kind: 'unmatched', acts: [...HOLD_ACTS.unmatched], since: since.toISOString() }
  }
  if (holdKind === null || !isHoldKind(holdKind) || !heldAt) return null
  const { putOffUntil, assignedTo, assignedName, decidedBy, undoUntil } = row
  const act = holdActOf(row.decidedAct)
  const word = wordOf(row)
  return {
    kind: holdKind,
    acts: act ? [] : [...actsOf(holdKind, word !== undefined)],
    since: heldAt.toISOString(),
    ...(word && { word }),
    ...(putOffUntil !== null && { putOffUntil }),
    ...(assignedTo !== null &&
      assignedName !== null && { assignedTo: { id: assignedTo, username: assignedName } }),
    ...(act &&
      undoUntil && {
        decided: { act, by: decidedBy ?? '', undoUntil: undoUntil.toISOString() },
      }),
  }
}

const wordOf = ({ wordName, word, wordEvent }: PostbackListRow) =>
  wordName !== null && word !== null && wordEvent !== null && isPostbackEvent(wordEvent)
    ? { parameter: wordName, value: word, event: wordEvent }
    : undefined
