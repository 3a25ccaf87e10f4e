import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { publicNameOf } from '../apps/api/test/public-names.ts'
import { announceChange } from '../apps/api/src/db/changes.ts'
import type { Db } from '../apps/api/src/db/database.ts'
import { inTransaction } from '../apps/api/src/db/transaction.ts'

/** The server's process looks up the names of targets with it. */
export const PUBLIC_NAMES = new URL('open-public-names.ts', import.meta.url).href

/** Targets of postbacks, one of each of the first offices, each on a host of its own. */
export type Targets = {
  /** Switches all of them on or off. */
  switch(on: boolean): Promise<void>
  /** Waits at most a minute, and returns how many deliveries to those that answer have arrived, and how many not. */
  heard(): Promise<{ told: number; untold: number }>
  close(): void
}

/** Every tenth never answers. */
export async function openTargets(db: Db, count: number): Promise<Targets> {
  const server = createServer((request, answer) => {
    if (request.url?.startsWith('/hears')) answer.end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo // a TCP server has such an address
  await sql`
    insert into postback_targets (office_id, url, host, token, events, state, created_at)
    select i,
      'http://' || host || case when i % 10 = 0 then '/hangs' else '/hears' end || '?id={event_id}',
      host, 'token', '{sale.recorded}', 'off', now()
    from generate_series(1, ${count}) as i,
      lateral (select 't' || i || '.' || ${publicNameOf(port)}::text as host) as place
  `.execute(db)
  const counted = async () => {
    const { rows } = await sql<{ told: number; untold: number }>`
      select
        count(*) filter (where delivery.state = 'sent')::int as told,
        (select count(*) from notices)::int
          + count(*) filter (where delivery.state <> 'sent')::int as untold
      from deliveries as delivery
      join postback_targets as target on target.id = delivery.target_id
      where target.url like '%/hears%'
    `.execute(db)
    return rows[0] ?? { told: 0, untold: 0 }
  }
  return {
    switch: (on) =>
      inTransaction(db, async (tx) => {
        await sql`
          update postback_targets
          set state = ${on ? 'on' : 'off'}, failures = 0, failing_since = null
        `.execute(tx)
        await announceChange(tx, 'listeners')
      }),
    async heard() {
      for (let second = 0; second < 60 && (await counted()).untold > 0; second++) await sleep(1_000)
      return counted()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
