import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Services } from '../../services.ts'
import { noteDoubles } from './likely-doubles.queries.ts'
import { hear } from './hear.ts'
import {
  addWords,
  deleteValues,
  findReceived,
  findWords,
  lockPlace,
  movePlace,
} from './words.queries.ts'

/** Postbacks that are read in one transaction. */
const BATCH = 1_000

/** Batches of a run, so that the first run after an upgrade can be stopped. */
const MOST_BATCHES = 20

/** A postback is stored with the time of its arrival, at the end of its transaction. */
const LATE_MS = 30_000

/**
 * Reads what was stored since the last run, adds it to what is known of each site, and notes what may be reported twice. The
 * first runs read all that there is. Apart from the postbacks' own transactions, so that it costs them nothing; one process at
 * a time, so that each is read once.
 */
export async function learnWords({ db }: Pick<Services, 'db'>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    if (!(await inTransaction(db, learnBatch))) return
  }
}

/** Whether there may be more. */
async function learnBatch(tx: Tx): Promise<boolean> {
  const until = new Date(tx.now.getTime() - LATE_MS)
  const place = await lockPlace(tx)
  if (!place || place.receivedAt >= until) return false
  const postbacks = await findReceived(tx, place, { until, limit: BATCH })
  const known = await findWords(tx, [...new Set(postbacks.map(({ siteId }) => siteId))])
  const { added, freed } = hear(postbacks, known)
  for (const { siteId, parameter } of freed) await deleteValues(tx, siteId, parameter)
  await addWords(tx, added)
  await noteDoubles(
    tx,
    postbacks.map(({ id }) => id),
  )
  const last = postbacks.at(BATCH - 1)
  await movePlace(
    tx,
    last
      ? { receivedAt: last.receivedAt, postbackId: last.id }
      : { receivedAt: until, postbackId: LAST_ID },
  )
  return last !== undefined
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
