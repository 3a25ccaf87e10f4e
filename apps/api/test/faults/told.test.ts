import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EVENT_TYPE } from '@tallyroom/domain/event-types'
import { NOTICE_KINDS } from '@tallyroom/domain/partner-postback'
import { afterAll, expect, test } from 'vitest'
import { announceChange } from '../../src/db/changes.ts'
import { openDatabase } from '../../src/db/database.ts'
import { findPostmaster } from '../../src/db/engine/postmaster.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { until } from '../until.ts'
import { makeApp } from './app-process.ts'
import { buildFaultWorld, embeddedConnection, makeDataDir } from './fault-world.ts'
import { flawsIn, form } from './form.ts'
import { startLoad } from './load.ts'
import { judge } from './oracle.ts'
import { freezeTree, killTree } from './postgres-server.ts'

/** One program answers, one never does, and one when nobody waits any more. What it could not answer, it has not heard. */
const heard: string[] = []
const programs = createServer(({ url = '', headers: { host = '' }, socket }, answer) => {
  if (host.startsWith('127.0.1.2:')) return
  const late = host.startsWith('127.0.1.3:')
  const end = () => {
    if (socket.destroyed) return
    if (!late) heard.push(new URL(url, 'http://program').searchParams.get('id') ?? '')
    answer.end()
  }
  setTimeout(end, late ? 30_000 : 50).unref()
})
await new Promise<void>((done) => programs.listen(0, '0.0.0.0', done))
const { port } = programs.address() as AddressInfo // a TCP server has such an address

const home = await makeDataDir('told')
const dataDir = join(home.path, 'data')
const app = await makeApp({
  dataDir,
  processes: 2,
  environment: { WEBHOOK_ALLOW: `127.0.1.0/24:${port}` },
})
await app.start()
const connection = await embeddedConnection(dataDir)
const world = await buildFaultWorld(app.url, dataDir, connection)
const { db, close } = openDatabase(connection, { max: 2, applicationName: 'faults' })
const postmaster = async () => {
  const pid = await findPostmaster(join(dataDir, 'postgres'))
  if (pid === undefined) throw new Error('no engine is running')
  return pid
}
afterAll(async () => {
  await close()
  await app.kill()
  await killTree(await postmaster())
  programs.closeAllConnections()
  programs.close()
  await home.remove()
})

test(
  'with both processes killed, and a database that hangs and is killed, under load, each event is told under its id, and nothing else',
  async () => {
    await inTransaction(db, async (tx) => {
      await tx
        .insertInto('postback_targets')
        .values(
          [1, 2, 3].map((last) => ({
            url: `http://127.0.1.${last}:${port}/?id={event_id}`,
            host: `127.0.1.${last}:${port}`,
            token: `token ${last}`,
            events: [...NOTICE_KINDS],
            created_at: new Date(),
          })),
        )
        .execute()
      await announceChange(tx, 'listeners')
    })
    await sleep(2_000)
    const load = startLoad(world, form)
    for (let kills = 0; kills < form.kills; kills++) {
      await sleep(500 + Math.random() * 1_000)
      await app.kill()
      await app.start()
    }
    await sleep(500)
    if (process.platform === 'linux') {
      const thaw = await freezeTree(await postmaster())
      await sleep(form.outageMs).finally(thaw)
      await app.untilReady()
    }
    await killTree(await postmaster())
    await app.untilReady()
    await sleep(500)
    const sent = await load.finish()
    expect(
      flawsIn('kill -9 and a frozen database while partners are told', await judge(world, sent)),
    ).toEqual([])

    const events = await db
      .selectFrom('sale_events')
      .select('id')
      .where('event_type', '<>', EVENT_TYPE.click)
      .execute()
    const wanted = events.map(({ id }) => id).toSorted()
    // What a killed process had leased is sent again after half a minute.
    await until(() => new Set(heard).size >= wanted.length, 90_000).catch(() => undefined)
    expect([...new Set(heard)].toSorted()).toEqual(wanted)
  },
  form.timeoutMs,
)
