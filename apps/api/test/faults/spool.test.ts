import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { trackedLinkPath } from '@tallyroom/domain/tracked-link'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../database.ts'
import { startDatabaseProxy } from '../database-proxy.ts'
import { until } from '../until.ts'
import { makeApp } from './app-process.ts'
import { makeClient } from './client.ts'
import { buildFaultWorld, makeDataDir } from './fault-world.ts'
import { flawsIn, form } from './form.ts'
import { browser, startLoad, visitsBetween } from './load.ts'
import { judge } from './oracle.ts'
import { mountSmallDisk } from './small-disk.ts'

const { connection } = await testDatabase()
const proxy = await startDatabaseProxy(connection)
const home = await makeDataDir('spool')
const disk = await mountSmallDisk(join(home.path, 'disk'), 2_000)
// The log is on the same disk.
const dataDir = join(home.path, 'disk', 'data')
const app = await makeApp({ dataDir, databaseUrl: proxy.connection.url })
afterAll(async () => {
  await app.kill()
  disk?.unmount()
  await proxy.close()
  await home.remove()
})
await app.start()
const world = await buildFaultWorld(app.url, dataDir, connection)
const client = makeClient(app.url, 2)
afterAll(() => client.close())

test.skipIf(!disk)(
  `while database and disk take nothing visitors are asked to come again${disk ? '' : ' (not run: it needs the right to mount a disk)'}`,
  async () => {
    const load = startLoad(world, form)
    await sleep(500)
    proxy.cut()
    const startedAt = performance.now()
    await until(async () => (await visit()) === '302')
    await disk?.fill()
    const fullAt = performance.now()
    await until(async () => (await visit()) === '503, again in 5 s')
    expect(await report()).toBe('503, again in 5 s')
    await keepFull(form.outageMs / 2)
    expect(visitsBetween(load.sent, fullAt, performance.now()).sentOn).toBeLessThan(50)

    await disk?.free()
    await until(async () => (await visit()) === '302')
    await sleep(500)

    await disk?.fill()
    proxy.mend()
    await until(async () => (await visit()) === '302', 20_000)
    await disk?.free()
    await app.untilReady()
    await sleep(500)
    const sent = await load.finish()
    const visits = visitsBetween(sent, startedAt, performance.now())
    expect(sent.visits.filter(({ status }) => status === 0)).toEqual([])
    expect(
      flawsIn('database away and disk full', await judge(world, sent), {
        'asked to come again': visits.count - visits.sentOn,
        'p99 ms': visits.p99Ms,
        'max ms': visits.longestMs,
      }),
    ).toEqual([])
  },
  form.timeoutMs,
)

/** Giving up a file makes room for the first clicks of another. */
async function keepFull(ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(20)) {
    await disk?.fill()
  }
}

/** The status of a visit that is not part of the load, so that the oracle ignores its click. */
async function visit(): Promise<string> {
  const [link] = world.links
  if (!link) throw new Error('there is no link')
  const answer = await client.ask('GET', `${trackedLinkPath(link)}?sub1=probe`, {
    'user-agent': browser,
  })
  return inWords(answer)
}

async function report(): Promise<string> {
  const [link] = world.links
  const query = new URLSearchParams({ key: link?.key ?? '', transaction_id: 'probe' })
  return inWords(await client.ask('GET', `/api/postback/${link?.siteId}?${query.toString()}`, {}))
}

const inWords = (answer: Awaited<ReturnType<typeof client.ask>>): string =>
  `${answer?.status}${answer?.retryAfter ? `, again in ${answer.retryAfter} s` : ''}`

test(
  'a torn write at the end of a spool file loses no answered click',
  async () => {
    const load = startLoad(world, form)
    for (let kills = 0; kills < form.kills; kills++) {
      proxy.cut()
      await sleep(500 + Math.random() * 500)
      await until(async () => (await spoolFiles('.writing.')).length > 0)
      await app.kill()
      const torn = await tearFiles(kills)
      expect(torn).toBeGreaterThan(0)
      proxy.mend()
      await app.start()
      await until(async () => (await spoolFiles('.damaged')).length > kills)
    }
    expect(flawsIn('torn ends of the spool', await judge(world, await load.finish()))).toEqual([])
  },
  form.timeoutMs,
)

/**
 * Adds to the files of the dead process what a power failure leaves there. Returns their number.
 */
async function tearFiles(kind: number): Promise<number> {
  const files = await spoolFiles(`.writing.`)
  for (const name of files) {
    const path = join(dataDir, 'spool', name)
    const line = (await readFile(path)).toString().split('\n').at(-2) ?? ''
    const half = Buffer.from(line.slice(0, 1 + Math.floor(Math.random() * (line.length - 1))))
    const ends = [half, Buffer.concat([half, Buffer.alloc(4_096)]), Buffer.from([0xff, 10, 0xc3])]
    await appendFile(path, ends[kind % ends.length] ?? half)
  }
  return files.length
}

const spoolFiles = async (part: string) =>
  (await readdir(join(dataDir, 'spool'))).filter((name) => name.includes(part))
