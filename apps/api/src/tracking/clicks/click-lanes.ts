import pg from 'pg' // oxlint-disable-line no-restricted-imports -- sessions beside the pool, not SQL
import { asApp, type Connection, withSettings } from '../../db/connection.ts'
import { errorCode, isUnavailable } from '../../db/transaction.ts'
import type { Log } from '../../lib/log/log.ts'

/** A session, and whether it is running a batch. Without a session, the connection was lost. */
export type Lane = { session: pg.Client | undefined; isBusy: boolean; restsUntil: number }

type OpenLane = Lane & { session: pg.Client }

/** Each attempt on a slow database keeps visitors waiting. */
const REST_MS = 5_000

/** The pause after the second refused batch; it doubles up to {@link REST_MS}. */
const FIRST_REST_MS = 250

/** The sessions that clicks are stored on, and whether the database takes any clicks. */
export class ClickLanes {
  readonly #lanes: Lane[]
  readonly #open: () => Promise<pg.Client>
  readonly #log: Log
  readonly #onChange: () => void
  #state: 'starting' | 'up' | 'down' = 'starting'
  /** Consecutive refused batches. A coordinator that has lost a worker accepts sessions but no clicks. */
  #refusals = 0
  #refusedAt = 0
  #pausedAt = Number.NEGATIVE_INFINITY
  #hasSaidDown = false
  #wasUp = false
  readonly #unlessReached: string | undefined

  /**
   * @param onChange is called when a lane has been connected, and when the last one is lost.
   * @param unlessReached is logged while no session was ever made, if clicks are not spooled for that.
   */
  constructor(
    count: number,
    open: () => Promise<pg.Client>,
    log: Log,
    onChange: () => void,
    unlessReached?: string,
  ) {
    this.#unlessReached = unlessReached
    this.#lanes = Array.from({ length: count }, () => ({
      session: undefined,
      isBusy: false,
      restsUntil: 0,
    }))
    this.#open = open
    this.#log = log
    this.#onChange = onChange
  }

  /** `starting` until the first connection has been made or refused. */
  get state() {
    return this.#state
  }

  /** Whether a session has ever been made. */
  get wasUp(): boolean {
    return this.#wasUp
  }

  get isAnyBusy(): boolean {
    return this.#lanes.some(({ isBusy }) => isBusy)
  }

  /** The lanes that can take a batch. */
  get free(): OpenLane[] {
    return this.#lanes.filter(
      (lane): lane is OpenLane => !lane.isBusy && lane.session !== undefined,
    )
  }

  /** Discards a lane's session after a failed batch. */
  fail(lane: Lane, reason: unknown): void {
    const restMs = this.#restAfter(reason)
    lane.restsUntil = performance.now() + restMs
    this.#lose(lane, reason)
    if (restMs > 0) this.#sayPaused(reason)
  }

  /** Call this after each stored batch. */
  succeed(): void {
    if (this.#refusals === 0 || performance.now() - this.#refusedAt < REST_MS) return
    this.#refusals = 0
    this.#sayUp()
  }

  /** Reconnects at once after a lost connection, but pauses after a timeout, an error, or a second refusal. */
  #restAfter(reason: unknown): number {
    if (isTimeout(reason) || !isUnavailable(reason)) return REST_MS
    if (!(reason instanceof pg.DatabaseError)) return 0
    this.#refusedAt = performance.now()
    return Math.min(REST_MS, FIRST_REST_MS * (2 ** this.#refusals++ - 1))
  }

  #lose(lane: Lane, reason: unknown): void {
    void lane.session?.end().catch(() => undefined)
    lane.session = undefined
    if (this.#state === 'up' && this.#lanes.every(({ session }) => !session)) this.#goDown(reason)
  }

  /** Connects the lanes that have no session and are not pausing. Call it repeatedly. */
  async connect(): Promise<void> {
    for (const lane of this.#lanes) {
      if (!lane.session && !lane.isBusy && lane.restsUntil < performance.now()) {
        await this.#connectLane(lane)
      }
    }
  }

  async end(): Promise<void> {
    const sessions = this.#lanes.map(({ session }) => session)
    for (const lane of this.#lanes) lane.session = undefined
    this.#state = 'down'
    await Promise.all(sessions.map(async (session) => session?.end()))
  }

  async #connectLane(lane: Lane): Promise<void> {
    try {
      const session = await this.#open()
      session.once('end', () => {
        if (lane.session === session) this.#lose(lane, new Error('Connection terminated'))
      })
      lane.session = session
      this.#state = 'up'
      this.#wasUp = true
      if (this.#refusals === 0) this.#sayUp()
      this.#onChange()
    } catch (error) {
      if (this.#state === 'starting') this.#goDown(error)
      else if (this.#state === 'up') this.#sayPaused(error)
    }
  }

  /** Logs a series of failures once. While another session goes on, {@link #goDown} logs nothing. */
  #sayPaused(reason: unknown): void {
    const now = performance.now()
    if (now - this.#pausedAt > 2 * REST_MS) {
      this.#log.warn({ err: reason }, 'a database session for clicks pauses after failures')
    }
    this.#pausedAt = now
  }

  #goDown(reason: unknown): void {
    this.#state = 'down'
    if (!this.#hasSaidDown) {
      const err = reason
      if (this.#unlessReached !== undefined && !this.#wasUp)
        this.#log.warn({ err }, this.#unlessReached)
      else this.#log.error({ err }, 'the database does not accept clicks: spooling to disk')
    }
    this.#hasSaidDown = true
    this.#onChange()
  }

  #sayUp(): void {
    if (this.#hasSaidDown) this.#log.info('the database accepts clicks again')
    this.#hasSaidDown = false
  }
}

/**
 * A database session dedicated to clicks: its statements stay prepared, and reports cannot starve it. A
 * statement that exceeds `longestMs` fails, on server and client.
 */
export async function openClickSession(
  connection: Connection,
  longestMs: number,
): Promise<pg.Client> {
  const { url } = withSettings(asApp(connection), {
    statement_timeout: longestMs,
    // The app logs failed batches itself. At full load PostgreSQL would log that it summarizes an index later.
    ...(connection.kind === 'embedded' && { log_min_messages: 'fatal' }),
  })
  const session = new pg.Client({
    connectionString: url,
    application_name: 'tallyroom clicks',
    connectionTimeoutMillis: 2_000,
    // The server's own timeout comes first, unless the server does not respond at all.
    query_timeout: longestMs + 500,
    keepAlive: true,
  })
  session.on('error', () => undefined) // 'end' follows
  try {
    await session.connect()
    return session
  } catch (error) {
    void session.end().catch(() => undefined)
    throw error
  }
}

const QUERY_CANCELED = '57014'

/** The statement timed out, on the server or in the driver. */
const isTimeout = (error: unknown): boolean =>
  errorCode(error) === QUERY_CANCELED ||
  (error instanceof Error && error.message === 'Query read timeout')
