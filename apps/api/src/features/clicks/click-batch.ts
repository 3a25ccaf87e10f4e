import { setTimeout as sleep } from 'node:timers/promises'
import { dayOf } from '@tallyroom/domain/new-york'
import type pg from 'pg'
import type { Layout } from '../../db/citus/layout.ts'
import type { Connection } from '../../db/connection.ts'
import { errorCode, isUnavailable, lostToAnother } from '../../db/transaction.ts'
import { every } from '../../lib/every.ts'
import type { Log } from '../../lib/log.ts'
import type { Click } from './click.ts'
import { openClickSession } from './click-sessions.ts'
import type { ClickSpool } from './click-spool.ts'
import { startKnownTexts } from './clicks-to-store.ts'
import { MOST_CLICKS, storeClicks } from './clicks.queries.ts'
import { loadSpool } from './load-spool.ts'

export type ClickRecorder = {
  /**
   * Resolves once the click is committed, or on disk while the database can't take it, to the click as it was
   * kept: with another nonce when its own was taken. Rejects when the disk can't take it either.
   */
  record(click: Click): Promise<Click>
  /** Keeps what waits, then ends the sessions. No click may come any more. */
  stop(): Promise<void>
}

export type RecorderOptions = {
  connection: Connection
  layout: Layout
  spool: ClickSpool
  nextNonce: () => number
  log: Log
  /** How many batches may be under way at once. */
  lanes?: number
  /** How long a batch may take until its clicks go to disk instead. */
  longestBatchMs?: number
}

/** A session and whether a batch is under way on it. Without a session: it was lost. */
type Lane = { session: pg.Client | undefined; isBusy: boolean; restsUntil: number }

type Waiting = {
  click: Click
  since: number
  resolve: (click: Click) => void
  reject: (reason: unknown) => void
}

/** Fewer clicks than this wait for the batch that is under way: small ones cost PostgreSQL more than they win. */
const WORTH_ANOTHER = 24
const RECONNECT_MS = 250
const LOAD_SPOOL_MS = 1_000
/** Each try of a database that is too slow keeps visitors waiting. */
const REST_MS = 5_000
const LOAD_STATEMENT_MS = 30_000
const MOST_TRIES = 5

/**
 * Keeps clicks in groups: those that arrive while batches are under way form the next one, so that one commit,
 * and its wait for the disk, is shared by all of them. There is no timer: an idle lane takes what waits.
 */
export function startRecorder(options: RecorderOptions): ClickRecorder {
  const { connection, layout, spool, nextNonce, log, longestBatchMs = 2_000 } = options
  const lanes = Array.from({ length: options.lanes ?? 2 }, (): Lane => {
    return { session: undefined, isBusy: false, restsUntil: 0 }
  })
  const store = { layout, known: startKnownTexts() }
  const waiting: Waiting[] = []
  let isFlushPlanned = false
  let state: 'starting' | 'up' | 'down' = 'starting'

  const reconnecting = every('connect for clicks', RECONNECT_MS, connectLanes, { log })
  const loading = every('load the spool', LOAD_SPOOL_MS, loadWhenUp, { log })
  void reconnecting.runNow()

  function record(click: Click): Promise<Click> {
    return new Promise((resolve, reject) => {
      waiting.push({ click, since: performance.now(), resolve, reject })
      if (isFlushPlanned) return
      isFlushPlanned = true
      // Requests that were read from the network together share a batch.
      setImmediate(flush)
    })
  }

  function flush(): void {
    isFlushPlanned = false
    const [oldest] = waiting
    if (!oldest || state === 'starting') return
    if (state === 'down' || performance.now() - oldest.since > longestBatchMs) {
      void spoolAll(waiting.splice(0))
      return
    }
    for (const lane of lanes) {
      const isOneUnderWay = lanes.some(({ isBusy }) => isBusy)
      if (waiting.length < (isOneUnderWay ? WORTH_ANOTHER : 1)) return
      if (lane.session && !lane.isBusy) void run(lane, lane.session)
    }
  }

  async function run(lane: Lane, session: pg.Client): Promise<void> {
    lane.isBusy = true
    const batch = takeBatch()
    const failure = await storeBatch(session, batch).catch((error: unknown) => error)
    lane.isBusy = false
    if (failure) lose(lane, failure)
    flush()
    if (failure) await spoolAll(batch)
    else for (const { click, resolve } of batch) resolve(click)
  }

  /** The oldest clicks that wait, all of one day. */
  function takeBatch(): Waiting[] {
    const day = waiting[0] && dayOf(waiting[0].click.clickedAtMs)
    const end = waiting.findIndex(({ click }) => dayOf(click.clickedAtMs) !== day)
    return waiting.splice(0, Math.min(MOST_CLICKS, end < 0 ? waiting.length : end))
  }

  async function storeBatch(session: pg.Client, batch: Waiting[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const clicks = batch.map(({ click }) => click)
        await storeClicks(session, 'new', clicks, store)
        return
      } catch (error) {
        const isNonceTaken = errorCode(error) === UNIQUE_VIOLATION
        if (tries === MOST_TRIES || !(isNonceTaken || lostToAnother(error))) throw error
        // Nothing was stored and no id has left yet.
        if (isNonceTaken) {
          for (const one of batch) one.click = { ...one.click, nonce: nextNonce() }
        }
      }
    }
  }

  /** What the database may or may not have of these, storing them from the spool will settle. */
  async function spoolAll(clicks: readonly Waiting[]): Promise<void> {
    await Promise.all(
      clicks.map(({ click, resolve, reject }) =>
        spool.append(click).then(() => resolve(click), reject),
      ),
    )
  }

  function lose(lane: Lane, reason: unknown): void {
    // A lost connection is tried again at once; a database that is slow or refuses is left alone for a while.
    if (isTimeout(reason) || !isUnavailable(reason)) lane.restsUntil = performance.now() + REST_MS
    void lane.session?.end().catch(() => undefined)
    lane.session = undefined
    if (state !== 'up' || lanes.some(({ session }) => session)) return
    state = 'down'
    log.error({ err: reason }, 'the database takes no clicks; they go to disk')
    flush()
  }

  async function connectLanes(): Promise<void> {
    for (const lane of lanes) {
      if (!lane.session && !lane.isBusy && lane.restsUntil < performance.now()) await connect(lane)
    }
  }

  async function connect(lane: Lane): Promise<void> {
    try {
      const session = await openClickSession(connection, longestBatchMs)
      session.once('end', () => {
        if (lane.session === session) lose(lane, new Error('Connection terminated'))
      })
      lane.session = session
      if (state === 'down') log.info('the database takes clicks again')
      state = 'up'
    } catch (error) {
      if (state !== 'starting') return
      state = 'down'
      log.error({ err: error }, 'the database takes no clicks; they go to disk')
    }
    flush()
  }

  async function loadWhenUp(): Promise<void> {
    if (state !== 'up') return
    await spool.release()
    await loadSpool({
      spool,
      openSession: () => openClickSession(connection, LOAD_STATEMENT_MS),
      store,
      log,
    })
  }

  async function stop(): Promise<void> {
    await Promise.all([reconnecting.stop(), loading.stop()])
    flush()
    while (waiting.length > 0 || lanes.some(({ isBusy }) => isBusy)) await sleep(5)
    await spool.release()
    const sessions = lanes.map(({ session }) => session)
    for (const lane of lanes) lane.session = undefined
    state = 'down'
    await Promise.all(sessions.map(async (session) => session?.end()))
  }

  return { record, stop }
}

const UNIQUE_VIOLATION = '23505'
const QUERY_CANCELED = '57014'

/** The statement took too long, by the server's clock or by the driver's. */
const isTimeout = (error: unknown): boolean =>
  errorCode(error) === QUERY_CANCELED ||
  (error instanceof Error && error.message === 'Query read timeout')
