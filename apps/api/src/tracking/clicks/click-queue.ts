import { setTimeout as sleep } from 'node:timers/promises'
import { dayOf } from '@tallyroom/domain/new-york'
import type pg from 'pg'
import { every } from '../../lib/every.ts'
import type { Log } from '../../lib/log/log.ts'
import type { Click } from './click.ts'
import { ClickLanes, type Lane } from './click-lanes.ts'
import type { ClickSpool } from './click-spool.ts'
import { MOST_CLICKS } from './clicks.queries.ts'

/** A click whose visitor waits for it to be stored. */
export type Waiting = {
  click: Click
  since: number
  resolve: (click: Click) => void
  reject: (reason: unknown) => void
}

/** Clicks that are stored by one machine. */
export type ClickQueue = {
  /** `starting` until the first session was made or refused. */
  readonly state: ClickLanes['state']
  /** Whether a session has ever been made. */
  readonly wasUp: boolean
  push(waiting: Waiting): void
  /** Stores what waits, then closes the sessions. Nothing may be pushed any more. */
  stop(): Promise<void>
}

type QueueOptions = {
  openSession: () => Promise<pg.Client>
  /** Stores clicks of one New York day. It may give them other nonces. */
  store: (session: pg.Client, batch: readonly Waiting[]) => Promise<void>
  /** Stores beside a batch what its clicks need, and says which of them have to be spooled, too. */
  beside?: (batch: readonly Waiting[]) => Promise<(click: Click) => boolean>
  spool: ClickSpool
  /** Number of concurrent batches. */
  lanes: number
  /** Timeout of a batch, after which its clicks are spooled. */
  longestBatchMs: number
  /** What is said when the first session is refused, if that does not mean that clicks are spooled. */
  unlessReached?: string
  log: Log
}

/** With fewer clicks, a second batch is not started: small batches cost PostgreSQL more than they gain. */
const WORTH_ANOTHER = 24
const RECONNECT_MS = 250

/**
 * Commits clicks in batches: those that arrive while batches are running form the next one, so they share a
 * commit and its fsync. There is no timer: an idle lane takes what waits.
 */
export function startClickQueue(options: QueueOptions): ClickQueue {
  const { openSession, store, beside, spool, longestBatchMs, unlessReached, log } = options
  const waiting: Waiting[] = []
  let isFlushPlanned = false
  const lanes = new ClickLanes(options.lanes, openSession, log, flush, unlessReached)
  const reconnecting = every('connect for clicks', RECONNECT_MS, () => lanes.connect(), { log })
  void reconnecting.runNow()

  function flush(): void {
    isFlushPlanned = false
    const [oldest] = waiting
    if (!oldest || lanes.state === 'starting') return
    if (lanes.state === 'down' || performance.now() - oldest.since > longestBatchMs) {
      void spoolAll(spool, waiting.splice(0))
      return
    }
    for (const lane of lanes.free) {
      if (waiting.length < (lanes.isAnyBusy ? WORTH_ANOTHER : 1)) return
      void run(lane, lane.session)
    }
  }

  async function run(lane: Lane, session: pg.Client): Promise<void> {
    lane.isBusy = true
    const batch = takeBatch(waiting)
    const done = beside?.(batch)
    const failure = await store(session, batch).catch((error: unknown) => error)
    lane.isBusy = false
    if (failure) lanes.fail(lane, failure)
    else lanes.succeed()
    flush()
    if (failure) await spoolAll(spool, batch)
    else await settle(batch, await done)
  }

  async function settle(
    batch: readonly Waiting[],
    isToSpool: ((click: Click) => boolean) | undefined,
  ): Promise<void> {
    const later: Waiting[] = []
    for (const one of batch)
      if (isToSpool?.(one.click)) later.push(one)
      else one.resolve(one.click)
    await spoolAll(spool, later)
  }

  return {
    get state() {
      return lanes.state
    },
    get wasUp() {
      return lanes.wasUp
    },
    push(one) {
      waiting.push(one)
      if (isFlushPlanned) return
      isFlushPlanned = true
      // Requests read from the network in one go share a batch.
      setImmediate(flush)
    },
    async stop() {
      await reconnecting.stop()
      flush()
      while (waiting.length > 0 || lanes.isAnyBusy) await sleep(5)
      await lanes.end()
    },
  }
}

/** Takes the oldest waiting clicks, all of one day. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  const day = waiting[0] && dayOf(waiting[0].click.clickedAtMs)
  const end = waiting.findIndex(({ click }) => dayOf(click.clickedAtMs) !== day)
  return waiting.splice(0, Math.min(MOST_CLICKS, end < 0 ? waiting.length : end))
}

/** Whether or not the database has these already, replaying the spool is idempotent. */
async function spoolAll(spool: ClickSpool, clicks: readonly Waiting[]): Promise<void> {
  await Promise.all(
    clicks.map(({ click, resolve, reject }) =>
      spool.append(click).then(() => resolve(click), reject),
    ),
  )
}
