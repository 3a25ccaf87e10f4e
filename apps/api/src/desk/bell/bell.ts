import { type bellEndpoints, MOST_UNREAD } from '@tallyroom/contract/desk/bell'
import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import { factKindsFor, isInBell } from '@tallyroom/domain/facts'
import { startOfDay, todayNewYork } from '@tallyroom/domain/new-york'
import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import { findVisibleAmounts } from '../../catalogue/index.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { forbidden } from '../../errors.ts'
import type { Services } from '../../services.ts'
import {
  type BellReader,
  countUnread,
  findActs,
  findReadUntil,
  findSales,
  readAct,
  readAll,
} from './bell.queries.ts'
import { wordsOf } from './fact-words.ts'

type Needed = Pick<Services, 'db' | 'clock'>
type Calls = typeof bellEndpoints

const KEEP_MS = 90 * 86_400_000
/** No act takes longer until it is committed. */
const LATE_MS = 10 * 60_000
const MOST_ACTS = 50
const MOST_SITES = 5

/** What of the bell this viewer may read. */
async function bellReaderOf(db: DbOrTx, viewer: Viewer): Promise<BellReader> {
  const reader = await readerOf(db, viewer)
  return { ...reader, kinds: reader.kinds.filter(isInBell) }
}

/** What of it this viewer may read. */
export async function readerOf(db: DbOrTx, viewer: Viewer): Promise<BellReader> {
  const kinds = factKindsFor(viewer, await findVisibleAmounts(db, viewer))
  return { accountId: viewer.accountId, sight: sightOf(viewer), kinds }
}

/** Earlier than this, everything is read or forgotten. */
const unreadFromOf = (readUntil: Date, now: Date) =>
  new Date(Math.max(readUntil.getTime() - LATE_MS, now.getTime() - KEEP_MS))

export async function countBell(
  { db, clock }: Needed,
  viewer: Viewer,
): Promise<AnswerOf<Calls['bellCount']>> {
  const reader = await bellReaderOf(db, viewer)
  const { readUntil } = await findReadUntil(db, viewer.accountId)
  const unreadFrom = unreadFromOf(readUntil, clock.now())
  return { unread: await countUnread(db, reader, { unreadFrom, most: MOST_UNREAD }) }
}

/** What happened to theirs, newest first, in words. */
export async function listBell(
  { db, clock }: Needed,
  viewer: Viewer,
): Promise<AnswerOf<Calls['bell']>> {
  const now = clock.now()
  const reader = await bellReaderOf(db, viewer)
  const { readUntil, wasMarked } = await findReadUntil(db, viewer.accountId)
  const today = startOfDay(todayNewYork(now))
  const since = wasMarked && readUntil > today ? readUntil : today
  const acts = await findActs(db, reader, {
    from: new Date(now.getTime() - KEEP_MS),
    unreadFrom: unreadFromOf(readUntil, now),
    limit: MOST_ACTS,
  })
  return {
    lines: acts.map(({ id, kind, at, count, unread, subjects }) => ({
      id,
      kind,
      at: at.toISOString(),
      count,
      unread,
      ...wordsOf(kind, subjects, { count, scope: reader.sight.scope }),
    })),
    sales: await findSales(db, reader, { since, limit: MOST_SITES }),
    since: since.toISOString(),
    asOf: now.toISOString(),
  }
}

/** Marks an act as read, or all until then. @throws FORBIDDEN after *Sign in as*: it is somebody else's bell. */
export async function readBell(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  asked: RequestOf<Calls['readBell']>['body'],
): Promise<void> {
  if (viewer.signedInBy !== undefined) throw forbidden('Only its holder marks this as read.')
  await inTransaction(db, async (tx) => {
    const { now } = tx
    const reader = await readerOf(tx, viewer)
    const { readUntil } = await findReadUntil(tx, viewer.accountId)
    const unreadFrom = unreadFromOf(readUntil, now)
    if ('id' in asked) return readAct(tx, reader, { id: asked.id, unreadFrom })
    const until = new Date(Math.min(Date.parse(asked.until), now.getTime()))
    const late = new Date(Math.max(until.getTime() - LATE_MS, unreadFrom.getTime()))
    return readAll(tx, reader, { until, unreadFrom, late })
  })
}
