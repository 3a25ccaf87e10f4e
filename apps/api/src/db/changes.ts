import { sql } from 'kysely'
import pg from 'pg'
import { every } from '../lib/every.ts'
import type { Log } from '../lib/log.ts'
import { type Connection, withSettings } from './connection.ts'
import { appRole, type Tx } from './database.ts'
import { valueTypes } from './value-types.ts'

/** What processes keep in memory, each a row of `change_counters`. */
export type Topic = 'destinations' | 'ip-blacklist' | 'options' | 'site-keys'

/**
 * Tells every process that what it keeps in memory of a topic is out of date, once the transaction commits.
 * Call it last: until then, other transactions that announce the same topic wait for this one.
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
   * Calls `reload` as soon as the database can be reached, and again after every change of the topic. When it
   * fails it is called again at the next look; what was loaded before stays in use until then. Within `restMs`
   * after a reload, below a look's interval, changes gather for the next one.
   */
  keepFresh(topic: Topic, reload: () => Promise<void>, rest?: { restMs: number }): void
  stop(): Promise<void>
}

const CHANNEL = 'changes'

type Kept = {
  topic: Topic
  reload: () => Promise<void>
  /** The counter that was read before the last reload. */
  loaded?: number
  restMs: number
  restsUntil: number
}

/** A look that takes longer has lost its session. */
const longestLookMs = 5_000

/**
 * Watches `change_counters`. Notifications make it quick, but they get lost with a session, so a look at the
 * counters every `lookMs` is what counts.
 */
export function watchChanges(
  connection: Connection,
  { log, lookMs = 500 }: { log: Log; lookMs?: number },
): ChangeWatch {
  const kept: Kept[] = []
  let session: pg.Client | undefined
  let isFailing = false

  const looks = every('look for changes', lookMs, look, { log })

  async function look(): Promise<void> {
    const failure = await reloadChanged().catch((error: unknown) => {
      void disconnect()
      return error
    })
    // Once for a whole outage, not at every look.
    if (failure && !isFailing) log.warn({ err: failure }, 'changes can not be followed')
    if (!failure && isFailing) log.info('changes can be followed again')
    isFailing = failure !== undefined
  }

  /** Answers why a topic could not be loaded, which keeps no other from being loaded. */
  async function reloadChanged(): Promise<unknown> {
    const counters = await readCounters((session ??= await connect()))
    let failure: unknown
    for (const one of kept) {
      const changes = counters.get(one.topic) ?? 0
      if (one.loaded === changes || performance.now() < one.restsUntil) continue
      try {
        // The counter was read before the data, so what is loaded is at least as new as it says.
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
    const { url } = withSettings(connection, { role: appRole })
    const client = new pg.Client({
      connectionString: url,
      application_name: 'tallyroom changes',
      connectionTimeoutMillis: longestLookMs,
      query_timeout: longestLookMs,
      keepAlive: true,
      types: valueTypes,
    })
    client.on('error', () => undefined) // the next look fails and connects anew
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
    keepFresh(topic, reload, { restMs } = { restMs: 0 }) {
      kept.push({ topic, reload, restMs, restsUntil: 0 })
      void looks.runNow()
    },
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
