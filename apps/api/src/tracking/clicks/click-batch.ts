import { setTimeout as sleep } from 'node:timers/promises'
import { dayOf } from '@tallyroom/domain/new-york'
import type pg from 'pg'
import type { Connection } from '../../db/connection.ts'
import { errorCode, lostToAnother } from '../../db/transaction.ts'
import { every } from '../../lib/every.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Click } from './click.ts'
import type { ClickStore } from './click-store.ts'
import { ClickLanes, type Lane, openClickSession } from './click-lanes.ts'
import type { ClickSpool } from './click-spool.ts'
import { startKnownTexts } from './clicks-to-store.ts'
import { MOST_CLICKS, type StoreAndTexts, storeClicks, warmUp } from './clicks.queries.ts'
import { loadSpool } from './load-spool.ts'

export type ClickRecorder = {
  /** False until a session is warmed up, or the first attempt has failed. */
  isReady(): boolean
  /**
   * Resolves with the stored click once it is committed, or on disk while the database is unavailable. Its
   * nonce differs if the given one was taken. Rejects if the disk fails too.
   */
  record(click: Click): Promise<Click>
  /** Stores waiting clicks, then closes the sessions. Call it only after the last click. */
  stop(): Promise<void>
}

export type RecorderOptions = {
  connection: Connection
  clickStore: ClickStore
  spool: ClickSpool
  nextNonce: () => number
  clock: Clock
  log: Log
  /** Number of concurrent batches. */
  lanes?: number
  /** Timeout of a batch, after which its clicks are spooled. */
  longestBatchMs?: number
}

type Waiting = {
  click: Click
  since: number
  resolve: (click: Click) => void
  reject: (reason: unknown) => void
}

/** With fewer clicks, a second batch is not started: small batches cost PostgreSQL more than they gain. */
const WORTH_ANOTHER = 24
const RECONNECT_MS = 250
const LOAD_SPOOL_MS = 1_000
const LOAD_STATEMENT_MS = 30_000
const MOST_TRIES = 5

/**
 * Commits clicks in batches: those that arrive while batches are running form the next one, so they share a
 * commit and its fsync. There is no timer: an idle lane takes what waits.
 */
export function startRecorder(options: RecorderOptions): ClickRecorder {
  const { connection, clickStore, spool, nextNonce, clock, log, longestBatchMs = 2_000 } = options
  const store = { clickStore, known: startKnownTexts() }
  const waiting: Waiting[] = []
  let isFlushPlanned = false

  async function openSession(): Promise<pg.Client> {
    const session = await openClickSession(connection, longestBatchMs)
    try {
      await warmUp(session, nextNonce(), store)
      return session
    } catch (error) {
      void session.end().catch(() => undefined)
      throw error
    }
  }
  const lanes = new ClickLanes(options.lanes ?? 2, openSession, log, flush)
  const reconnecting = every('connect for clicks', RECONNECT_MS, () => lanes.connect(), { log })
  const loading = every('load the spool', LOAD_SPOOL_MS, loadWhenUp, { log })
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
    const failure = await storeBatch(session, batch, store, nextNonce).catch(
      (error: unknown) => error,
    )
    lane.isBusy = false
    if (failure) lanes.fail(lane, failure)
    else lanes.succeed()
    flush()
    if (failure) await spoolAll(spool, batch)
    else for (const { click, resolve } of batch) resolve(click)
  }

  async function loadWhenUp(): Promise<void> {
    if (lanes.state !== 'up') return
    await spool.release()
    await loadSpool({
      spool,
      openSession: () => openClickSession(connection, LOAD_STATEMENT_MS),
      store,
      clock,
      log,
    })
  }

  return {
    isReady: () => lanes.state !== 'starting',

    record: (click) =>
      new Promise((resolve, reject) => {
        waiting.push({ click, since: performance.now(), resolve, reject })
        if (isFlushPlanned) return
        isFlushPlanned = true
        // Requests read from the network in one go share a batch.
        setImmediate(flush)
      }),

    async stop() {
      await Promise.all([reconnecting.stop(), loading.stop()])
      flush()
      while (waiting.length > 0 || lanes.isAnyBusy) await sleep(5)
      await spool.release()
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

/** Stores a batch. Clicks get other nonces if one of theirs is taken. */
async function storeBatch(
  session: pg.Client,
  batch: Waiting[],
  store: StoreAndTexts,
  nextNonce: () => number,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const clicks = batch.map(({ click }) => click)
      await storeClicks(session, 'new', clicks, store)
      return
    } catch (error) {
      const isNonceTaken = errorCode(error) === UNIQUE_VIOLATION
      if (tries === MOST_TRIES || !(isNonceTaken || lostToAnother(error))) throw error
      // Nothing was stored, and no id has been sent yet.
      if (isNonceTaken) {
        for (const one of batch) one.click = { ...one.click, nonce: nextNonce() }
      }
    }
  }
}

const UNIQUE_VIOLATION = '23505'

/** Whether or not the database has these already, replaying the spool is idempotent. */
async function spoolAll(spool: ClickSpool, clicks: readonly Waiting[]): Promise<void> {
  await Promise.all(
    clicks.map(({ click, resolve, reject }) =>
      spool.append(click).then(() => resolve(click), reject),
    ),
  )
}
