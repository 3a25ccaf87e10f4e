import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { webhooksEndpoints } from '@tallyroom/contract/desk/webhooks'
import { payFilesEndpoints } from '@tallyroom/contract/pay/files/files'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints, type RunState } from '@tallyroom/contract/pay/runs/runs'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { inSnapshot, isUnavailable } from '../../src/db/transaction.ts'
import { webhooksRoutes } from '../../src/desk/partner-postbacks/webhooks.routes.ts'
import { makeSender } from '../../src/desk/partner-postbacks/send-deliveries.ts'
import { movingClock } from '../../src/lib/clock.ts'
import { outgoingOf } from '../../src/lib/net/safe-fetch.ts'
import { payRoutes } from '../../src/pay/pay.routes.ts'
import { paymentRunsRoutes } from '../../src/pay/paying/payment-runs.routes.ts'
import { seenNow } from '../../src/pay/paying/review.ts'
import { storesOf } from '../../src/start/stores.ts'
import { verifyTotals } from '../../src/totals/index.ts'
import { callRoutes, viewer } from '../call-routes.ts'
import { loopbackAt } from '../loopback-at.ts'
import { buildPayWorld } from '../pay-world.ts'
import { buildAccountInForce, buildPerson, genericLayout, resultFileOf } from '../payment-world.ts'
import { testServices } from '../services.ts'
import { verifyWorld } from '../verify-world.ts'
import {
  type CitusCluster,
  isCitusInstalled,
  startCluster,
  startClusterWorld,
} from './citus-cluster.ts'
import { makeDataDir } from './fault-world.ts'
import { flawsIn, form } from './form.ts'
import { startLoad } from './load.ts'
import { judge } from './oracle.ts'

/** Runs where Debian's PostgreSQL has Citus. */
describe.runIf(await isCitusInstalled())('while shards move between two workers', () => {
  let started: Awaited<ReturnType<typeof startClusterWorld>>
  beforeAll(async () => {
    started = await startClusterWorld('moves')
    return () => started.close()
  })

  const open = () =>
    openDatabase(started.cluster.coordinator.connection, {
      max: 3,
      applicationName: 'tallyroom cli',
      asOwner: true,
    })

  test(
    'a snapshot in which a shard moves lacks its rows, and is read again',
    async () => {
      const { cluster, world } = started
      const load = startLoad(world, form)
      await sleep(2_000)
      await load.finish()
      const { db, close } = open()
      const { rows } = await sql<{ agentId: number }>`
        select agent_id as "agentId" from clicks group by agent_id order by count(*) desc limit 1
      `.execute(db)
      const seen: number[][] = []
      await inSnapshot(db, async (tx) => {
        // A second connection to a worker would have a later snapshot, which has what was moved before it.
        await sql`set local citus.max_adaptive_executor_pool_size = 1`.execute(tx)
        const count = async () => {
          const { rows: counted } = await sql<{ clicks: number }>`
            select count(*)::int as clicks from clicks
          `.execute(tx)
          return counted[0]?.clicks ?? 0
        }
        const before = await count()
        if (seen.length === 0) await cluster.moveAgent(rows[0]?.agentId ?? 0)
        seen.push([before, await count()])
      })
      await close()
      const [first, last] = [seen[0] ?? [], seen.at(-1) ?? []]
      expect(seen.length).toBeGreaterThan(1)
      expect(first[1]).toBeLessThan(first[0] ?? 0)
      expect(last).toEqual([first[0], first[0]])
    },
    form.timeoutMs * 2,
  )

  test(
    'under load, nothing is lost, and no verification finds a difference',
    async () => {
      const { cluster, app, world } = started
      const { db, close } = open()
      const { rows: agents } = await sql<{ id: number }>`
        select id from agents order by id limit 3
      `.execute(db)
      const load = startLoad(world, form)
      let isMoving = true
      const verifying = (async () => {
        const found = []
        while (isMoving) found.push(...(await verifyTotals(db).catch(nothingIfRefused)))
        return found
      })()
      for (const { id } of agents) await cluster.moveAgent(id)
      isMoving = false
      expect(await verifying).toEqual([])
      await app.untilReady()
      const sent = await load.finish()
      await cluster.untilRecovered()
      expect(flawsIn('Citus: shards move', await judge(world, sent, form.settlingMs))).toEqual([])
      expect(await verifyTotals(db)).toEqual([])
      await close()
    },
    form.timeoutMs * 2,
  )
})

/** A machine that is busy with a move may refuse a verification, which then says nothing wrong. */
function nothingIfRefused(error: unknown): [] {
  if (!isUnavailable(error)) throw error
  return []
}

describe.runIf(await isCitusInstalled())('while a worker is killed', () => {
  let cluster: CitusCluster
  beforeAll(async () => {
    const home = await makeDataDir('pay-on-citus')
    await mkdir(join(home.path, 'app'))
    cluster = await startCluster(home.path)
    return async () => {
      await cluster.close()
      await home.remove()
    }
  })

  test(
    'a period is closed, approved, paid and told to a webhook, each once; the next closes while shards move',
    async () => {
      const { connection } = cluster.coordinator
      const clock = movingClock('2026-03-01T15:00:00Z')
      const database = openDatabase(connection, {
        max: 5,
        applicationName: 'tallyroom tests',
        clock,
      })
      const { db } = database
      const layout = 'distributed'
      const heard: string[] = []
      const program = createServer((request, answer) => {
        void text(request).then((body) => {
          heard.push((JSON.parse(body) as { type: string }).type)
          answer.end()
        })
      })
      await new Promise<void>((done) => program.listen(0, '127.0.0.1', done))
      const { port } = program.address() as AddressInfo // a TCP server has such an address
      const services = {
        ...testServices({ ...database, ...storesOf({ layout }), connection, layout, clock }),
        outgoing: outgoingOf(loopbackAt(port), { longestMs: 5_000 }),
      }
      const call = await callRoutes([
        ...payRoutes(services),
        ...paymentRunsRoutes(services),
        ...webhooksRoutes(services),
      ])
      const world = await buildPayWorld(services, { avp: 'information' })
      const bob = await buildPerson(db, 'bob')
      for (const office of Object.values(world.offices)) await buildAccountInForce(db, office)
      const body = { name: 'Bank', layout: genericLayout }
      const { id: templateId } = (
        await call(world.who, payFilesEndpoints.createPayFileTemplate, { body })
      ).body
      await call(viewer(), webhooksEndpoints.createWebhook, {
        body: {
          url: `http://127.0.0.1:${port}/hook`,
          kinds: ['statement.closed', 'payment.sent'],
        },
      })
      for (let day = 1; day <= 9; day++)
        await world.sell(`s${day}`, day % 2 ? 'maria' : 'noel', `2026-02-0${day}`, { plain: true })

      /** Kills a worker in the middle of it, and repeats it once the worker is back, as people do. */
      async function despiteKill(act: () => Promise<unknown>, isDone: () => Promise<boolean>) {
        const tried = act().catch((error: unknown) => error)
        await sleep(Math.random() * 200)
        await cluster.worker.kill()
        const outcome = await tried
        if (outcome instanceof Error) expect(isUnavailable(outcome)).toBe(true)
        await cluster.worker.start()
        await cluster.untilRecovered()
        if (!(await isDone())) await act()
        expect(await isDone()).toBe(true)
      }
      const isClosed = async () =>
        (await db.selectFrom('pay_periods').select('id').execute()).length > 0
      await despiteKill(() => world.close('2026-02-A', '2026-02-16'), isClosed)

      const all = { period: null, currency: 'PHP', templateId } as const
      const { id } = (await call(world.who, paymentRunsEndpoints.preparePaymentRun, { body: all }))
        .body
      const runNow = async () =>
        (await call(bob, paymentRunsEndpoints.paymentRun, { params: { id } })).body
      const isIn = (state: RunState) => async () => (await runNow()).state === state
      await despiteKill(async () => {
        const seen = await seenNow(services, id)
        await call(bob, paymentRunsEndpoints.approvePaymentRun, { params: { id }, body: seen })
      }, isIn('approved'))
      const run = await runNow()
      await despiteKill(async () => {
        for (const { name } of run.files)
          await call(bob, paymentRunsEndpoints.takePaymentFile, { params: { id }, body: { name } })
      }, isIn('sent'))
      const lines = run.lines.map(({ reference }: { reference: string }) => `${reference},OK,`)
      await despiteKill(
        () =>
          call(bob, paymentResultsEndpoints.readResultFile, {
            params: { id },
            body: resultFileOf(lines),
          }),
        isIn('finished'),
      )

      await despiteKill(
        async () => {
          const sender = makeSender(services)
          await sender.sendDue()
          await sender.idle()
        },
        () => Promise.resolve(heard.length > 0),
      )
      expect(heard.toSorted()).toEqual([
        'payment.sent',
        'payment.sent',
        'statement.closed',
        'statement.closed',
      ])

      // The next one closes while its agents' shards move.
      for (let day = 16; day <= 24; day++)
        await world.sell(`s${day}`, day % 2 ? 'maria' : 'noel', `2026-02-${day}`, { plain: true })
      const [closed] = await Promise.all([
        world.close('2026-02-B', '2026-03-02'),
        cluster.moveAgent(world.agents.maria).then(() => cluster.moveAgent(world.agents.noel)),
      ])
      expect(closed).toMatchObject({ events: 9, statements: 2 })
      expect((await verifyWorld(db)).findings).toEqual([])
      program.close()
      await database.close()
    },
    form.timeoutMs * 2,
  )
})
