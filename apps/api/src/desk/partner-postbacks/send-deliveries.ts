import { setTimeout as sleep } from 'node:timers/promises'
import { NOTICE_KINDS } from '@tallyroom/domain/partner-postback'
import { announceChange } from '../../db/changes.ts'
import { insertRows } from '../../db/rows.queries.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { MOST_SKEW_MS } from '../../lib/clock.ts'
import { every, type Recurring } from '../../lib/every.ts'
import { latestTries, pauseAfter } from '../../lib/pause-after.ts'
import type { Outgoing } from '../../lib/net/safe-fetch.ts'
import type { Services } from '../../services.ts'
import {
  type Answered,
  type Ask,
  ask,
  isGone,
  isSuccess,
  LONGEST_RETRY_AFTER_MS,
  postbackAsk,
} from './ask.ts'
import {
  bringForward,
  commitSoon,
  deleteOldDeliveries,
  findLastFailure,
  keepContent,
  type LeasedDelivery,
  leaseDue,
  missWaiting,
  spreadNotices,
  updateLeased,
} from './deliveries.queries.ts'
import { findFact, findFacts } from './facts.queries.ts'
import { macroValues } from './macro-values.ts'
import { countFailure, endFailures, lockUntold, updateTarget } from './targets.queries.ts'
import { tellOfFailures, tellOfStop } from './tell-owner.ts'
import { saleData, webhookAsk } from './webhooks.ts'

export type SendServices = Pick<
  Services,
  'config' | 'db' | 'clock' | 'log' | 'secret' | 'formerSecrets'
> & {
  outgoing: Outgoing
}

/** How long a process has a delivery to itself: longer than a target may take. */
const LEASE_MS = 30_000
/** How many are under way in a process, and of those how many to targets that fail. */
const MOST_RUNNING = 64
const MOST_FAILING = 16
/** How soon new notices are seen while something is under way. */
const LOOK_MS = 200
/** The shortest time between two looks, however quickly hosts answer. */
const SOON_MS = 25

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** After each failed try. After the last one, a delivery has failed. */
const PAUSES_MS = [
  10 * SECOND,
  1 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  8 * HOUR,
  24 * HOUR,
] as const

/** One outage of a second is many failures in a row. */
const TELL_AFTER_MS = HOUR
const STOP_AFTER = 20
const STOP_AFTER_MS = 24 * HOUR
const KEEP_MS = 30 * 24 * HOUR

/** Sends what partners want to hear, in every process. A slow or hostile target delays nobody else. */
export function startDeliveries(services: SendServices): Pick<Recurring, 'stop'> {
  const stopping = new AbortController()
  const sender = makeSender(services, stopping.signal)
  const sending = every('send postbacks', SECOND, sender.sendDue, services)
  return {
    async stop() {
      stopping.abort()
      await sending.stop()
      await sender.idle()
    },
  }
}

/** `sendDue` starts all that may be sent now, and returns while it is under way. `idle` waits for its end. */
export function makeSender(services: SendServices, stopping?: AbortSignal) {
  const { db, clock, log } = services
  const running = new Set<Promise<void>>()
  let failing = 0

  async function sendDue(): Promise<void> {
    const since = performance.now()
    do {
      while (await spreadNotices(db, clock.now())) if (stopping?.aborted) return
      const now = clock.now()
      const until = new Date(now.getTime() + LEASE_MS)
      const room = MOST_RUNNING - running.size
      const failingRoom = Math.max(0, MOST_FAILING - failing)
      const due = room > 0 ? await leaseDue(db, { now, until, room, failingRoom }) : []
      for (const delivery of due) start(delivery)
      if (running.size === 0) return
      // What answers makes room for the next one of its host.
      const wait = (ms: number) => sleep(ms, undefined, { ref: false })
      await Promise.all([wait(SOON_MS), Promise.race([...running, wait(LOOK_MS)])])
    } while (!stopping?.aborted && performance.now() - since < SECOND)
  }

  function start(delivery: LeasedDelivery): void {
    if (delivery.isFailing) failing += 1
    const one = deliver(services, delivery, stopping)
      .catch((error: unknown) => {
        // Its lease ends by itself, and it is tried again.
        log.error({ err: error, delivery: delivery.id }, 'a postback could not be sent')
      })
      .finally(() => {
        running.delete(one)
        if (delivery.isFailing) failing -= 1
      })
    running.add(one)
  }

  return {
    sendDue,
    idle: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** Tries a delivery once. It counts as sent once its target has answered; if the process dies just then, it is sent again. */
async function deliver(
  services: SendServices,
  delivery: LeasedDelivery,
  stopping?: AbortSignal,
): Promise<void> {
  const { db, outgoing } = services
  const asking = await askOf(services, delivery)
  if (!asking) {
    await inTransaction(db, (tx) =>
      updateLeased(tx, delivery, { state: 'failed', next_try_at: null, done_at: tx.now }),
    )
    return
  }
  const startedAt = performance.now()
  const answer = await ask(outgoing, asking, stopping)
  const tried = {
    took_ms: Math.round(performance.now() - startedAt),
    ...asking.shown,
    ...answer.kept,
  }
  await inTransaction(db, async (tx) => {
    await commitSoon(tx)
    if (stopping?.aborted && answer.kept.status === null) {
      await updateLeased(tx, delivery, { next_try_at: tx.now, tries: delivery.tries - 1 })
      return
    }
    const isOurs = await updateLeased(tx, delivery, outcomeOf(answer, delivery.tries, tx.now))
    if (!isOurs) return
    await insertRows(tx, 'delivery_tries', { delivery_id: delivery.id, tried_at: tx.now, ...tried })
    await judgeTarget(tx, services, delivery, answer)
  })
}

/** What to ask for a delivery now. Undefined if what it tells of was erased, or another process has taken it. */
async function askOf(services: SendServices, delivery: LeasedDelivery): Promise<Ask | undefined> {
  const { target, ofAgent, ofOffice, agentId, eventId, kind } = delivery
  const { db } = services
  if (!NOTICE_KINDS.some((one) => one === kind)) {
    const fact = await findFact(db, eventId)
    if (!fact) return undefined
    const data = { ...Object(fact.subject), agentId: fact.agentId, officeId: fact.officeId }
    return webhookAsk(services, target, { id: eventId, type: kind, at: fact.at, data })
  }
  const facts = agentId === null ? undefined : await findFacts(db, { agentId, eventId })
  if (!facts) return undefined
  if (target.format === 'webhook') {
    const data = await asFirstSaid(db, delivery, () => saleData(db, facts))
    return (
      data && webhookAsk(services, target, { id: eventId, type: kind, at: facts.occurredAt, data })
    )
  }
  const ofNetwork = ofAgent === null && ofOffice === null
  const { url, token } = target
  const said = await asFirstSaid(
    db,
    delivery,
    async () => ({ url, values: await macroValues(db, { url, ofNetwork }, facts) }),
    // Its owner has changed what they want to hear.
    (kept) => kept.url === url,
  )
  return said && postbackAsk(services, { url, ofNetwork }, { ...said.values, token })
}

/** What a delivery says: what its first try has said, so that an id has one content, whatever is renamed or hidden meanwhile. */
async function asFirstSaid<Said>(
  db: SendServices['db'],
  delivery: LeasedDelivery,
  make: () => Promise<Said>,
  isStill: (kept: Said) => boolean = () => true,
): Promise<Said | undefined> {
  if (delivery.content !== null) {
    const kept = JSON.parse(delivery.content) as Said // it was made here
    if (isStill(kept)) return kept
  }
  const said = await make()
  return (await keepContent(db, delivery, JSON.stringify(said))) ? said : undefined
}

function outcomeOf(answer: Answered, tries: number, now: Date) {
  if (isSuccess(answer)) return { state: 'sent', next_try_at: null, done_at: now }
  const pause = pauseAfter(PAUSES_MS, tries)
  if (isGone(answer) || pause === undefined)
    return { state: 'failed', next_try_at: null, done_at: now }
  const ms = Math.max(pause, answer.retryAfterMs ?? 0)
  return { state: 'waiting', next_try_at: new Date(now.getTime() + ms), done_at: null }
}

/** Remembers how a target answers, and stops what is beyond hope, which its owner is told. */
async function judgeTarget(
  tx: Tx,
  services: SendServices,
  { targetId }: LeasedDelivery,
  answer: Answered,
): Promise<void> {
  if (isSuccess(answer)) return endFailures(tx, targetId)
  const now = tx.now
  const target = await countFailure(tx, targetId, now)
  if (!target) return
  if (answer.retryAfterMs !== undefined) {
    await updateTarget(tx, targetId, { wait_until: new Date(now.getTime() + answer.retryAfterMs) })
  }
  const failingMs = now.getTime() - (target.failing_since ?? now).getTime()
  const isHopeless = target.failures >= STOP_AFTER && failingMs >= STOP_AFTER_MS
  if (target.state === 'on' && (isGone(answer) || isHopeless)) {
    const state = isGone(answer) ? 'gone' : 'failing'
    await updateTarget(tx, targetId, { state })
    await missWaiting(tx, targetId)
    if (state === 'gone') await announceChange(tx, 'listeners')
    await tellOfStop(tx, services, target, state)
  }
}

/** Tells the owner of a target that has failed for an hour, once until it answers again. Runs every minute. */
export async function tellOfLastingFailures(
  services: Pick<Services, 'config' | 'db' | 'secret'>,
): Promise<void> {
  const tellOne = () =>
    inTransaction(services.db, async (tx) => {
      const { now } = tx
      const target = await lockUntold(tx, new Date(now.getTime() - TELL_AFTER_MS))
      if (!target) return false
      await updateTarget(tx, target.id, { told_at: now })
      await tellOfFailures(tx, services, target, await findLastFailure(tx, target.id))
      return true
    })
  while (await tellOne());
}

/** Tries soon what a clock that was ahead has put off. Runs every minute. */
export async function bringDeliveriesForward({
  db,
  clock,
}: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const after = (ms: number) => new Date(now.getTime() + ms + MOST_SKEW_MS)
  const latest = latestTries(now, PAUSES_MS, LEASE_MS)
  const [longestLease, longestWait] = [after(LEASE_MS), after(LONGEST_RETRY_AFTER_MS)]
  await bringForward(db, { now, latest, longestLease, longestWait })
}

/** Deletes the log of deliveries after 30 days. Runs every hour. */
export const forgetDeliveries = ({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> =>
  deleteOldDeliveries(db, new Date(clock.now().getTime() - KEEP_MS))
