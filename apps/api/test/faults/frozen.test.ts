import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UNATTENDED_HEADER } from '@tallyroom/contract/endpoint'
import { trackedLinkPath } from '@tallyroom/domain/tracked-link'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { until } from '../until.ts'
import { makeApp } from './app-process.ts'
import { makeClient } from './client.ts'
import { buildFaultWorld, makeDataDir } from './fault-world.ts'
import { browser } from './load.ts'
import { startPostgres } from './postgres-server.ts'

/** What callers are told, and how soon, while the database is running but not responding. */

const home = await makeDataDir('frozen')
const postgres = await startPostgres(home.path)
const dataDir = join(home.path, 'app')
await mkdir(dataDir)
const app = await makeApp({ dataDir, databaseUrl: postgres.connection.url })
const client = makeClient(app.url, 64)
afterAll(async () => {
  client.close()
  await app.kill()
  await postgres.kill()
  await home.remove()
})
await app.start()
const { links, session } = await buildFaultWorld(app.url, dataDir, postgres.connection)
const [link] = links
if (!link) throw new Error('there are no links')

const question = { groupBy: 'company', start: '2026-03-02', end: '2026-03-08' }
const bearer = { authorization: `Bearer ${session}` }
const read = () => client.ask('GET', '/api/accounts/me', bearer)
const report = () => client.ask('POST', '/api/stats/sites', bearer, question)
const write = (ip = '192.0.2.1') => client.ask('PUT', '/api/black-list-ip', bearer, { ip })
const postback = () =>
  client.ask('GET', `/api/postback/${link.siteId}?key=${link.key}&transaction_id=x`, {})
/** What open pages poll without any user. */
const polls = (
  [
    ['GET', '/api/home'],
    ['GET', '/api/dashboard'],
    ['POST', '/api/avp-week', {}],
    ['GET', '/api/demo-visitors'],
    ['GET', '/api/alerts/login'],
    ['GET', '/api/accounts/unapproved/count'],
    ['POST', '/api/sale-logs', {}],
  ] as const
).map(
  ([method, path, body]) =>
    () =>
      client.ask(method, path, { ...bearer, [UNATTENDED_HEADER]: '1' }, body),
)
const visit = () => client.ask('GET', trackedLinkPath(link), { 'user-agent': browser })
const health = () => client.ask('GET', '/api/health', {})

/**
 * Twice what is promised on an idle machine: health within 1 s, reads 2 s, writes and postbacks 5
 * s.
 */
const longestMs = { health: 2_000, read: 4_000, write: 10_000 }

test.runIf(process.platform === 'linux')(
  'with a frozen database, callers get an answer in time, visitors are redirected, and recovery is immediate',
  async () => {
    // Sessions are open, and some requests are in flight when it freezes.
    const before = await Promise.all([read(), report(), write(), health(), visit()])
    expect(before.map((answer) => answer?.status)).toEqual([200, 200, 200, 200, 302])
    const underWay = Array.from({ length: 30 }, (_, i) =>
      i % 3 === 0 ? timed(write(`192.0.2.${i}`)) : timed(i % 3 === 1 ? read() : postback()),
    )
    await sleep(5)
    const thaw = await postgres.freeze()
    try {
      const [first, ...asked] = await Promise.all([
        timed(health()),
        ...[read, report, read, report].map((ask) => timed(ask())),
        ...[write, postback].map((ask) => timed(ask())),
        timed(visit()),
      ])
      expect(first).toMatchObject({
        status: 503,
        body: { message: expect.stringMatching(/does not respond/) },
      })
      expect(first.ms).toBeLessThan(longestMs.health)
      const reads = asked.slice(0, 4)
      expect(reads.map(({ status }) => status)).toEqual([503, 503, 503, 503])
      expect(Math.max(...reads.map(({ ms }) => ms))).toBeLessThan(longestMs.read)
      expect(asked.slice(4).map(({ status }) => status)).toEqual([503, 503, 302])
      expect(Math.max(...asked.slice(4).map(({ ms }) => ms))).toBeLessThan(longestMs.write)
      const ended = await Promise.all(underWay)
      expect(Math.max(...ended.map(({ ms }) => ms))).toBeLessThan(longestMs.write)

      // By now the state is known, so nobody waits at all.
      await sleep(3_000)
      const known = await Promise.all(
        [read, report, write, postback, health].map((ask) => timed(ask())),
      )
      expect(known.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
      expect(known.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
    } finally {
      thaw()
    }
    await until(async () => (await health())?.status === 200, longestMs.read)
    const after = await Promise.all([
      ...Array.from({ length: 20 }, read),
      report(),
      write('192.0.2.99'),
    ])
    expect(after.map((answer) => answer?.status)).toEqual(after.map(() => 200))
  },
)

test.runIf(process.platform === 'linux')(
  'polls of open pages are refused in time, those under way included',
  async () => {
    expect((await Promise.all(polls.map((ask) => ask()))).map((answer) => answer?.status)).toEqual(
      polls.map(() => 200),
    )
    const underWay = Array.from({ length: 10 }, () => polls.map((ask) => timed(ask()))).flat()
    await sleep(5)
    const thaw = await postgres.freeze()
    try {
      const asked = await Promise.all(polls.map((ask) => timed(ask())))
      expect(asked.map(({ status }) => status)).toEqual(polls.map(() => 503))
      expect(asked.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
      const all = [...asked, ...(await Promise.all(underWay))]
      expect(Math.max(...all.map(({ ms }) => ms))).toBeLessThan(longestMs.read)
    } finally {
      thaw()
    }
    await until(async () => (await health())?.status === 200, longestMs.read)
    expect((await Promise.all(polls.map((ask) => ask()))).map((answer) => answer?.status)).toEqual(
      polls.map(() => 200),
    )
  },
)

test.runIf(process.platform === 'linux')(
  'a read does not wait for its own entry in the common logs, or for the entries before it',
  async () => {
    const { pool, close } = openDatabase(postgres.connection, {
      max: 1,
      applicationName: 'faults',
      asOwner: true,
    })
    const holder = await pool.connect()
    let thaw = () => {}
    try {
      await holder.query('begin; select from audit_head for update')
      const reads = [timed(report())]
      await sleep(500)
      reads.push(timed(report()))
      await sleep(500)
      thaw = await postgres.freeze()
      const frozenAt = performance.now()
      const answers = await Promise.all(reads)
      expect(answers.map(({ status }) => status)).toEqual([503, 503])
      expect(performance.now() - frozenAt).toBeLessThan(longestMs.read)
    } finally {
      thaw()
      await holder.query('rollback')
      holder.release()
      await close()
    }
    await until(async () => (await report())?.status === 200, longestMs.read)
  },
)

test('a slow statement does not count as a frozen database: it gets its answer and affects nobody else', async () => {
  const { db, pool, close } = openDatabase(postgres.connection, {
    max: 1,
    applicationName: 'faults',
    asOwner: true,
  })
  void db
  const holder = await pool.connect()
  try {
    await holder.query('begin; lock table ip_blacklist in access exclusive mode')
    const slow = Array.from({ length: 3 }, (_, i) => timed(write(`192.0.2.${200 + i}`)))
    await sleep(6_000)
    const others = await Promise.all([health(), read(), report()])
    expect(others.map((answer) => answer?.status)).toEqual([200, 200, 200])
    await holder.query('commit')
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200])
  } finally {
    holder.release()
    await close()
  }
})

async function timed(asked: ReturnType<typeof read>) {
  const startedAt = performance.now()
  const answer = await asked
  const ms = performance.now() - startedAt
  const body: unknown = answer?.body.startsWith('{') ? JSON.parse(answer.body) : undefined
  return { ms, status: answer?.status, retryAfter: answer?.retryAfter, body }
}
