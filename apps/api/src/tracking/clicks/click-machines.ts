import type pg from 'pg'
import { type Connection, toMachine } from '../../db/connection.ts'
import { every } from '../../lib/every.ts'
import type { Log } from '../../lib/log/log.ts'
import { openClickSession } from './click-lanes.ts'
import { type ClickQueue, startClickQueue, type Waiting } from './click-queue.ts'
import type { ClickSpool } from './click-spool.ts'
import type { Machine, MachinesStore, Places } from './click-store.ts'
import { startClickTexts } from './click-texts.ts'
import type { KnownTexts } from './clicks-to-store.ts'

/** The machines of a cluster that take clicks without the coordinator. */
export type ClickMachines = {
  /** The queue of an agent's clicks; undefined if they go by the coordinator. */
  of(agentId: number): ClickQueue | undefined
  stop(): Promise<void>
}

/** How old the picture of where agents are may be. An older one costs a hop between machines, never a click. */
const LOOK_MS = 3_000
const LOOK_STATEMENT_MS = 10_000

/**
 * Keeps sessions with every machine. An agent's clicks go by the coordinator until their machine has taken a session; from
 * then on only to it, so that a machine that is slow or away delays nobody else's.
 */
export function startMachines(options: {
  /** With the coordinator. */
  connection: Connection
  store: MachinesStore
  openSession: (to: Connection, agentIds?: readonly number[]) => Promise<pg.Client>
  storeBatch: (session: pg.Client, batch: readonly Waiting[]) => Promise<void>
  known: KnownTexts
  spool: ClickSpool
  lanes: number
  longestBatchMs: number
  log: Log
}): ClickMachines {
  const { connection, store, openSession, storeBatch, known, log } = options
  const { spool, lanes, longestBatchMs } = options
  const queues = new Map<string, ClickQueue>()
  const bypassed = new Set<string>()
  let places: Places | undefined
  let session: pg.Client | undefined
  const texts = startClickTexts({
    openSession: () => openClickSession(connection, longestBatchMs),
    store,
    known,
    log,
  })
  const looking = every('look where agents are', LOOK_MS, look, { log })
  void looking.runNow()

  async function look(): Promise<void> {
    try {
      session ??= await openClickSession(connection, LOOK_STATEMENT_MS)
      places = await store.find(session, places)
    } catch (error) {
      void session?.end().catch(() => undefined)
      session = undefined
      // While the coordinator is away, agents stay where they are.
      if (places) return
      throw error
    }
    for (const { name, why } of places.unfit) {
      if (!bypassed.has(name))
        log.warn({ machine: name }, `clicks of a worker go by the coordinator: ${why}`)
      bypassed.add(name)
    }
    for (const machine of places.machines)
      if (!queues.has(machine.name)) queues.set(machine.name, open(machine))
    await retire(new Set(places.machines.map(({ name }) => name)))
  }

  function open({ name, host, port, nobody }: Machine): ClickQueue {
    return startClickQueue({
      spool,
      lanes,
      longestBatchMs,
      openSession: () => openSession(toMachine(connection, host, port), nobody),
      store: storeBatch,
      beside: (batch) => texts.store(batch.map(({ click }) => click)),
      log: ofMachine(log, name),
      unlessReached:
        'the app has no session with a worker: until it has one, clicks go by the coordinator',
    })
  }

  /** Machines that have left the cluster, or have another address now. */
  async function retire(present: ReadonlySet<string>): Promise<void> {
    for (const [name, queue] of queues) {
      if (present.has(name)) continue
      queues.delete(name)
      await queue.stop()
    }
  }

  return {
    of(agentId) {
      const name = places?.machineOf.get(places.shardOf.get(agentId) ?? '')
      const queue = name === undefined ? undefined : queues.get(name)
      return queue?.wasUp ? queue : undefined
    },
    async stop() {
      await looking.stop()
      await Promise.all([...queues.values()].map((queue) => queue.stop()))
      await texts.stop()
      await session?.end().catch(() => undefined)
    },
  }
}

/** Says of which machine each line is. */
function ofMachine(log: Log, machine: string): Log {
  const say = (level: keyof Log) => (first: object | string, message?: string) =>
    typeof first === 'string'
      ? log[level]({ machine }, first)
      : log[level]({ ...first, machine }, message ?? '')
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
}
