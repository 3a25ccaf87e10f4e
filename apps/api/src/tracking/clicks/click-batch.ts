import type pg from 'pg'
import type { Connection } from '../../db/connection.ts'
import { errorCode, lostToAnother } from '../../db/transaction.ts'
import { every } from '../../lib/every.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log/log.ts'
import type { Click } from './click.ts'
import { openClickSession } from './click-lanes.ts'
import { type ClickMachines, startMachines } from './click-machines.ts'
import { startClickQueue, type Waiting } from './click-queue.ts'
import type { ClickSpool } from './click-spool.ts'
import type { ClickStore } from './click-store.ts'
import { startKnownTexts } from './clicks-to-store.ts'
import { type StoreAndTexts, storeClicks, warmUp } from './clicks.queries.ts'
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
  /** Number of concurrent batches, on each machine. */
  lanes?: number
  /** Timeout of a batch, after which its clicks are spooled. */
  longestBatchMs?: number
}

const LOAD_SPOOL_MS = 1_000
const LOAD_STATEMENT_MS = 30_000
const MOST_TRIES = 5

/** Stores clicks in batches, on a cluster in those of the machine that has their agent. */
export function startRecorder(options: RecorderOptions): ClickRecorder {
  const { connection, clickStore, spool, nextNonce, clock, log } = options
  const { lanes = 2, longestBatchMs = 2_000 } = options
  const store = { clickStore, known: startKnownTexts() }

  async function openSession(to: Connection, agentIds?: readonly number[]): Promise<pg.Client> {
    const session = await openClickSession(to, longestBatchMs)
    try {
      await warmUp(session, nextNonce(), store, agentIds)
      return session
    } catch (error) {
      void session.end().catch(() => undefined)
      throw error
    }
  }
  const common = { spool, lanes, longestBatchMs, log }
  const queue = startClickQueue({
    ...common,
    openSession: () => openSession(connection),
    store: (session, batch) => storeBatch(session, batch, store, nextNonce),
  })
  const machines: ClickMachines | undefined =
    clickStore.onMachines &&
    startMachines({
      ...common,
      connection,
      store: clickStore.onMachines,
      openSession,
      storeBatch: (session, batch) =>
        storeBatch(session, batch, { ...store, withoutTexts: true }, nextNonce),
      known: store.known,
    })
  const loading = every('load the spool', LOAD_SPOOL_MS, loadWhenUp, { log })

  async function loadWhenUp(): Promise<void> {
    if (queue.state !== 'up') return
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
    isReady: () => queue.state !== 'starting',

    record: (click) =>
      new Promise((resolve, reject) => {
        const stores = machines?.of(click.agentId) ?? queue
        stores.push({ click, since: performance.now(), resolve, reject })
      }),

    async stop() {
      await loading.stop()
      await machines?.stop()
      await queue.stop()
      await spool.release()
    },
  }
}

/** Stores a batch. Clicks get other nonces if one of theirs is taken. */
async function storeBatch(
  session: pg.Client,
  batch: readonly Waiting[],
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
