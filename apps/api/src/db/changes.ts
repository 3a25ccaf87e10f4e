import { sql } from 'kysely'
import pg from 'pg'
import { every } from '../lib/every.ts'
import type { Log } from '../lib/log/log.ts'
import { asApp, type Connection } from './connection.ts'
import type { Tx } from './database.ts'
import { valueTypes } from './value-types.ts'

/**
 * What every process learns of at once: new versions of the data that it caches, and mails to send. Each topic has a row in
 * `change_counters`.
 */
export type Topic =
  | 'destinations'
  | 'domains'
  | 'ip-blacklist'
  | 'listeners'
  | 'mails'
  | 'options'
  | 'short-links'
  | 'site-keys'

/**
 * Announces a change to every process once the transaction commits. Call it last: other transactions
 * that announce the same topic wait until this one commits.
 */
export async function announceChange(tx: Tx, topic: Topic): Promise<void> {
  await sql`
    insert into change_counters as present (topic, changes)
    values (${topic}, 1)
    on conflict (topic) do update set changes = present.changes + 1
  `.execute(tx)
  await sql`select pg_notify(${CHANNEL}, ${topic})`.execute(tx)
}

export type ChangeWatch = {
  /**
   * Calls `reload` once the database is reachable, and after every change of one of the topics. If it fails, it is
   * retried at the next poll, and the previous data stays in use. At most one reload runs per `restMs` (shorter
   * than the polling interval); changes in between are coalesced.
   */
  keepFresh(topics: readonly Topic[], reload: () => Promise<void>, rest?: { restMs: number }): void
  /** Whether everything that is kept was up to date a moment ago. */
  isCurrent(): boolean
  stop(): Promise<void>
}

const CHANNEL = 'changes'

type Kept = {
  topics: readonly Topic[]
  reload: () => Promise<void>
  /** The sum of the counters, which only increase, as read before the last reload. */
  loaded?: number
  restMs: number
  restsUntil: number
}

/** A poll that takes longer has lost its session. */
const longestLookMs = 5_000

/**
 * Watches `change_counters`. Notifications make it fast but are lost with the session, so polling every
 * `lookMs` makes it reliable.
 */
export function watchChanges(
  connection: Connection,
  { log, lookMs = 500 }: { log: Log; lookMs?: number },
): ChangeWatch {
  const kept: Kept[] = []
  let session: pg.Client | undefined
  let isFailing = false
  let lookedAt = -Infinity

  const looks = every('check for changes', lookMs, look, { log })

  async function look(): Promise<void> {
    const failure = await reloadChanged().catch((error: unknown) => {
      void disconnect()
      return error
    })
    if (!failure) lookedAt = performance.now()
    // Logged once per outage, not on every poll.
    if (failure && !isFailing) log.warn({ err: failure }, 'cannot watch for changes')
    if (!failure && isFailing) log.info('watching for changes again')
    isFailing = failure !== undefined
  }

  /** Returns the error if a topic failed to load. Other topics are loaded regardless. */
  async function reloadChanged(): Promise<unknown> {
    const counters = await readCounters((session ??= await connect()))
    let failure: unknown
    for (const one of kept) {
      const changes = one.topics.reduce((sum, topic) => sum + (counters.get(topic) ?? 0), 0)
      if (one.loaded === changes || performance.now() < one.restsUntil) continue
      try {
        // The counter was read before the data, so the data is at least as new.
        await one.reload()
        one.loaded = changes
        one.restsUntil = performance.now() + one.restMs
      } catch (error) {
        failure = error
      }
    }
    return failure
  }

  async function connect(): Promise<pg.Client> {
    const { url } = asApp(connection)
    const client = new pg.Client({
      connectionString: url,
      application_name: 'tallyroom changes',
      connectionTimeoutMillis: longestLookMs,
      query_timeout: longestLookMs,
      keepAlive: true,
      types: valueTypes,
    })
    client.on('error', () => undefined) // the next poll fails and reconnects
    client.on('notification', () => void looks.runNow())
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
  }

  async function disconnect(): Promise<void> {
    const ended = session
    session = undefined
    await ended?.end().catch(() => undefined)
  }

  return {
    keepFresh(topics, reload, { restMs } = { restMs: 0 }) {
      kept.push({ topics, reload, restMs, restsUntil: 0 })
      void looks.runNow()
    },
    isCurrent: () => performance.now() - lookedAt < 4 * lookMs,
    async stop() {
      await looks.stop()
      await disconnect()
    },
  }
}

async function readCounters(session: pg.Client): Promise<Map<string, number>> {
  const { rows } = await session.query<{ topic: string; changes: number }>(
    'select topic, changes from change_counters',
  )
  return new Map(rows.map(({ topic, changes }) => [topic, changes]))
}
