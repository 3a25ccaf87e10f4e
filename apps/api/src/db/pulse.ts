import pg from 'pg'
import { every } from '../lib/every.ts'
import type { Log } from '../lib/log/log.ts'
import { asApp, type Connection } from './connection.ts'

/** `beats`: the database responds, however busy. `refuses`: it is unreachable, which is known at once. */
export type PulseState = 'beats' | 'refuses' | 'silent'

export type Pulse = {
  /** Checks now. `silent` if there is no response within `withinMs`. */
  feel(withinMs: number): Promise<PulseState>
  /**
   * While the database is silent, this pool hands out no sessions and closes busy ones: read-only sessions
   * first, later those that have begun to write.
   */
  guard(pool: pg.Pool): void
  /**
   * Rejects as soon as the database is silent, while `work` continues. For reads, whose callers need not wait for
   * accompanying writes: a fold, an entry of the common logs.
   */
  unlessSilent<T>(work: Promise<T>): Promise<T>
  stop(): Promise<void>
}

const ASK_EVERY_MS = 250
/** Under any load, a database answers `select 1` within milliseconds unless it is frozen. */
const SILENT_AFTER_MS = 1_500
/**
 * Closing a writing session leaves its outcome unknown, so writes get more time: about 4 s since the last
 * response.
 */
const WRITES_HOPE_MS = 2_500
/** Each check takes a new session on every worker. */
const ASK_WORKERS_EVERY_MS = 1_000

/**
 * Monitors the database with a heartbeat in a separate session, which distinguishes a slow report from a frozen
 * or disconnected server. Statement timeouts cannot.
 *
 * With `askWorkers`, it is a cluster's coordinator, through which all workers are asked, too. While one is silent, what takes no
 * rows from it goes on, and what has waited for long is ended.
 */
export function watchPulse(
  connection: Connection,
  { log, askWorkers = false }: { log: Log; askWorkers?: boolean },
): Pulse {
  const pools: GuardedPool[] = []
  const sessions = new Set<pg.Client>()
  /** With the times since when they wait. */
  const impatient = new Map<(reason: Error) => void, number>()
  let session: pg.Client | undefined
  let asking: Promise<PulseState> | undefined
  let isSilent = false
  let lastHope: NodeJS.Timeout | undefined

  const beats = every('check the database', ASK_EVERY_MS, beat, { log })
  void beats.runNow()

  async function beat(): Promise<void> {
    if ((await answerOf(ask(), SILENT_AFTER_MS)) === 'silent') fallSilent()
  }

  /** Resolves with the next response, or never if the database is silent. Only one check runs at a time. */
  function ask(): Promise<PulseState> {
    if (asking) return asking
    const asked: Promise<PulseState> = (session ? query(session) : connect()).then(
      hear,
      // An earlier check whose session ends now says nothing about the present.
      () => (asking === asked ? hear('refuses') : 'refuses'),
    )
    asking = asked
    return asked
  }

  async function connect(): Promise<PulseState> {
    const client = new pg.Client({
      connectionString: asApp(connection).url,
      application_name: 'tallyroom pulse',
      keepAlive: true,
    })
    sessions.add(client)
    client.on('error', () => undefined) // 'end' follows
    client.once('end', () => {
      sessions.delete(client)
      if (session === client) session = undefined
    })
    try {
      await client.connect()
      return await query(client)
    } catch (error) {
      void client.end().catch(() => undefined)
      throw error
    }
  }

  async function query(client: pg.Client): Promise<PulseState> {
    await client.query('select 1')
    session ??= client
    return 'beats'
  }

  function hear(state: PulseState): PulseState {
    asking = undefined
    endAllBut(session)
    if (isSilent) {
      isSilent = false
      clearTimeout(lastHope)
      log.warn('the database responds again')
    }
    return state
  }

  function fallSilent(): void {
    // The next check uses a new session in case this one is dead. The old one may still respond first.
    session = undefined
    asking = undefined
    endAllBut([...sessions][0])
    if (isSilent) return
    isSilent = true
    log.error('the database does not respond: refusing calls until it does')
    for (const pool of pools) pool.refuse('readers')
    for (const reject of impatient.keys()) reject(silence())
    lastHope = setTimeout(() => {
      for (const pool of pools) pool.refuse('everybody')
    }, WRITES_HOPE_MS).unref()
  }

  function endAllBut(kept: pg.Client | undefined): void {
    for (const client of sessions) if (client !== kept) void client.end().catch(() => undefined)
  }

  function unlessSilent<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      impatient.set(reject, performance.now())
      void work.then(resolve, reject).finally(() => impatient.delete(reject))
      if (isSilent) reject(silence())
    })
  }

  const workers = askWorkers ? watchWorkers(connection, { log, endWaiting }) : undefined

  /** Ends what has waited for a worker. What needs none is done within milliseconds. */
  function endWaiting(): void {
    const now = performance.now()
    for (const [reject, since] of impatient) if (now - since > SILENT_AFTER_MS) reject(silence())
    for (const pool of pools) {
      pool.endSince(now - SILENT_AFTER_MS, 'readers')
      pool.endSince(now - SILENT_AFTER_MS - WRITES_HOPE_MS, 'everybody')
    }
  }

  return {
    unlessSilent,
    feel: async (withinMs) => (isSilent ? 'silent' : answerOf(ask(), withinMs)),
    guard: (pool) => void pools.push(guardPool(pool, () => isSilent)),
    async stop() {
      clearTimeout(lastHope)
      const ended = Promise.all([...sessions].map((client) => client.end()))
      await Promise.all([beats.stop(), workers?.stop(), ended.catch(() => undefined)])
    },
  }
}

/** Calls `endWaiting` again and again while a worker of the cluster does not answer. One that refuses fails its statements by itself. */
function watchWorkers(
  connection: Connection,
  { log, endWaiting }: { log: Log; endWaiting: () => void },
): { stop(): Promise<void> } {
  let session: pg.Client | undefined
  let asking: Promise<PulseState> | undefined
  let isSilent = false

  const beats = every('check the workers', ASK_WORKERS_EVERY_MS, beat, { log })
  // A check of a silent worker takes as long as its silence.
  const ending = every(
    'end what waits for a worker',
    ASK_EVERY_MS,
    async () => {
      if (isSilent) endWaiting()
    },
    { log },
  )

  async function beat(): Promise<void> {
    asking ??= ask().finally(() => (asking = undefined))
    const state = await answerOf(asking, SILENT_AFTER_MS)
    if (isSilent === (state === 'silent')) return
    isSilent = state === 'silent'
    if (isSilent) log.error('a worker does not respond: refusing what waits for it until it does')
    else log.warn('all workers respond again')
  }

  async function ask(): Promise<PulseState> {
    const client =
      session ??
      new pg.Client({ connectionString: connection.url, application_name: 'tallyroom pulse' })
    try {
      if (!session) {
        client.on('error', () => undefined) // 'end' follows
        client.once('end', () => (session = undefined))
        await client.connect()
        session = client
      }
      await client.query(`select success from run_command_on_workers('select 1')`)
      return 'beats'
    } catch {
      session = undefined
      void client.end().catch(() => undefined)
      return 'refuses'
    }
  }

  return {
    async stop() {
      await Promise.all([ending.stop(), beats.stop()])
      void session?.end().catch(() => undefined)
    },
  }
}

/**
 * The response within the time limit. If this process itself was blocked, pending responses are read before the
 * verdict.
 */
function answerOf(asked: Promise<PulseState>, withinMs: number): Promise<PulseState> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => setImmediate(resolve, 'silent'), withinMs)
    void asked.then((state) => {
      clearTimeout(timer)
      resolve(state)
    })
  })
}

/** `isUnavailable` recognizes this message. */
const silence = (): Error => new Error('The database does not respond')

type GuardedPool = {
  refuse(whom: 'readers' | 'everybody'): void
  /** Closes sessions that were handed out before, in `performance.now()`. */
  endSince(before: number, whom: 'readers' | 'everybody'): void
}

const writes = /\b(insert|update|delete|merge|truncate|commit)\b/i

function guardPool(pool: pg.Pool, isSilent: () => boolean): GuardedPool {
  const clients = new Set<pg.PoolClient>()
  const writing = new WeakSet<pg.PoolClient>()
  const handedOut = new Map<pg.PoolClient, number>()
  const waiting = new Set<(reason: Error) => void>()

  pool.on('connect', (client) => {
    clients.add(client)
    const query = client.query.bind(client) as (...parts: unknown[]) => unknown // collapses eight overloads
    const noted = (statement: unknown, ...rest: unknown[]): unknown => {
      if (!writing.has(client) && writes.test(textOf(statement))) writing.add(client)
      return query(statement, ...rest)
    }
    client.query = noted as typeof client.query // the same overloads
  })
  pool.on('acquire', (client) => {
    writing.delete(client)
    handedOut.set(client, performance.now())
  })
  pool.on('release', (_error, client) => {
    writing.delete(client)
    handedOut.delete(client)
  })
  pool.on('remove', (client) => {
    clients.delete(client)
    handedOut.delete(client)
  })

  const connect = pool.connect.bind(pool)
  function connectUnlessSilent(): Promise<pg.PoolClient> {
    if (isSilent()) return Promise.reject(silence())
    return new Promise((resolve, reject) => {
      waiting.add(reject)
      connect().then(
        (client) => (waiting.delete(reject) ? resolve(client) : client.release()),
        (error: unknown) => {
          waiting.delete(reject)
          reject(error)
        },
      )
    })
  }
  pool.connect = connectUnlessSilent as typeof pool.connect // we never pass a callback

  return {
    refuse(whom) {
      for (const reject of waiting) reject(silence())
      waiting.clear()
      for (const client of clients) {
        if (whom === 'everybody' || !writing.has(client)) cutOff(client)
      }
    },
    endSince(before, whom) {
      for (const [client, since] of handedOut)
        if (since < before && (whom === 'everybody' || !writing.has(client))) cutOff(client)
    },
  }
}

/** `end` would wait for a server that does not respond. */
function cutOff(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: pg.Connection } // missing in the types; pg-pool does the same
  connection.stream.destroy()
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  const { text } = Object(statement) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}
