import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type {
  Queue,
  queueEndpoints,
  QueueState,
  QueueTrouble,
} from '@tallyroom/contract/desk/queue'
import { announceChange } from '../../db/changes.ts'
import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict } from '../../errors.ts'
import {
  countMails,
  decideHeldMails,
  findTroubledMails,
  GIVE_UP_AFTER_MS,
  holdMails,
  tryMailsAgain,
} from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { skipDueFactMails } from '../bell/mail-facts.queries.ts'
import {
  countDeliveries,
  decideHeldDeliveries,
  findTroubledDeliveries,
  holdDeliveries,
  spreadNotices,
  tryDeliveriesAgain,
} from '../partner-postbacks/deliveries.queries.ts'
import { skipDueViews } from '../saved-views/mail-views.ts'

type Calls = typeof queueEndpoints
type QueueServices = Pick<Services, 'db'>

/** How many troubles of each queue are shown. */
const SHOWN = 100

export async function showQueue({ db }: Pick<Services, 'db'>): Promise<AnswerOf<Calls['queue']>> {
  const mails = await findTroubledMails(db, SHOWN)
  const deliveries = await findTroubledDeliveries(db, SHOWN)
  return {
    queues: [
      stateOf('mails', await countMails(db)),
      stateOf('deliveries', await countDeliveries(db)),
    ],
    troubles: [
      ...mails.map((one) => present('mails', { ...one, kind: null, target: null })),
      ...deliveries.map((one) => present('deliveries', { ...one, subject: null })),
    ].toSorted((a, b) => (b.triedAt ?? '').localeCompare(a.triedAt ?? '')),
  }
}

function stateOf(
  queue: Queue,
  counts: readonly { state: string; count: number; oldest: Date | null }[],
): QueueState {
  const of = (state: string) => counts.find((one) => one.state === state)
  return {
    queue,
    waiting: of('waiting')?.count ?? 0,
    waitingSince: of('waiting')?.oldest?.toISOString() ?? null,
    failed: of('failed')?.count ?? 0,
    held: of('held')?.count ?? 0,
  }
}

type Found = Omit<QueueTrouble, 'queue' | 'state' | 'triedAt' | 'nextTryAt'> & {
  state: string
  triedAt: Date | null
  nextTryAt: Date | null
}

const present = (queue: Queue, { triedAt, nextTryAt, ...found }: Found): QueueTrouble => ({
  ...found,
  queue,
  state: STATES.find((state) => state === found.state) ?? 'waiting',
  triedAt: triedAt?.toISOString() ?? null,
  nextTryAt: nextTryAt?.toISOString() ?? null,
})

const STATES = ['waiting', 'failed', 'held'] as const

/** @throws CONFLICT if the one that was asked for can't be tried again. */
export function tryAgain(
  { db }: QueueServices,
  { queue, id }: RequestOf<Calls['tryQueueAgain']>['body'],
): Promise<{ count: number }> {
  return inTransaction(db, async (tx) => {
    const now = tx.now
    const giveUpAt = new Date(now.getTime() + GIVE_UP_AFTER_MS)
    const count =
      queue === 'mails'
        ? await tryMailsAgain(tx, { id, now, giveUpAt })
        : await tryDeliveriesAgain(tx, { id, now })
    if (id !== undefined && count === 0) {
      throw conflict('It is being sent, is sent, or can’t be tried again. Reload the page.')
    }
    if (queue === 'mails') await announceChange(tx, 'mails')
    return { count }
  })
}

/** @throws CONFLICT if the one that was asked for is not held any more. */
export function decideHeld(
  { db }: QueueServices,
  { queue, id, decision }: RequestOf<Calls['decideHeld']>['body'],
): Promise<{ count: number }> {
  return inTransaction(db, async (tx) => {
    const decide = queue === 'mails' ? decideHeldMails : decideHeldDeliveries
    const count = await decide(tx, { id, decision, now: tx.now })
    if (id !== undefined && count === 0) {
      throw conflict('Somebody else has decided about it. Reload the page.')
    }
    if (queue === 'mails') await announceChange(tx, 'mails')
    return { count }
  })
}

/**
 * Holds all that waits, until somebody decides: whoever ran on after the backup may have sent it. Reports and
 * mails about facts that became due since are left out: the next reports come, and bells have the facts.
 */
export async function holdWhatWaits(db: Db, now: Date): Promise<void> {
  while (await spreadNotices(db, now));
  await inTransaction(db, async (tx) => {
    await holdDeliveries(tx)
    await holdMails(tx)
    await skipDueViews(tx, now)
    await skipDueFactMails(tx, now)
  })
}
