import { randomUUID } from 'node:crypto'
import { DEFAULT_CLICK_PARAM, trackedLinkPath } from '@tallyroom/domain/tracked-link'
import { todayNewYork } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { untilShownEverywhere } from '../../src/db/citus/between-phases.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { errorCode, inTransaction, isUnavailable } from '../../src/db/transaction.ts'
import { backdateRate, previewBackdating } from '../../src/pay/backdating/backdating.ts'
import { storesOnCluster } from '../../src/tracking/citus/stores.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { foldTotals } from '../../src/totals/index.ts'
import { addToTotals } from '../add-to-totals.ts'
import { viewer } from '../call-routes.ts'
import type { AppProcess } from './app-process.ts'
import { type CitusCluster, isCitusInstalled, startClusterWorld } from './citus-cluster.ts'
import type { Link } from './fault-world.ts'
import { browser } from './load.ts'

/** Between the phases: the coordinator has committed, and a worker has prepared its part but not yet committed it. */
describe.runIf(await isCitusInstalled())(
  'a worker that dies between the phases of a commit',
  () => {
    let cluster: CitusCluster
    let app: AppProcess
    let database: Database
    let link: Link
    beforeAll(async () => {
      const started = await startClusterWorld('citus-phases')
      ;({ cluster, app } = started)
      database = openDatabase(cluster.coordinator.connection, {
        max: 2,
        applicationName: 'faults',
      })
      for (const each of started.world.links)
        if (await cluster.isBehindProxy(each.agentId)) link = each
      return async () => {
        await database.close()
        await started.close()
      }
    })

    /** Runs `work` while no commit reaches its second phase on the worker, and leaves it like that. */
    async function betweenPhases<T>(work: () => Promise<T>): Promise<T> {
      await cluster.stopRecovery()
      cluster.proxy.cutEach('COMMIT PREPARED')
      return work().finally(() => cluster.proxy.mend())
    }

    async function click(): Promise<string> {
      const answer = await fetch(app.url + trackedLinkPath(link), {
        redirect: 'manual',
        headers: { 'user-agent': browser },
      })
      const to = new URL(answer.headers.get('location') ?? '')
      return to.searchParams.get(DEFAULT_CLICK_PARAM) ?? ''
    }

    async function report(clickId: string, event: 'sale' | 'void'): Promise<number> {
      const query = new URLSearchParams({
        key: link.key,
        click_id: clickId,
        event,
        transaction_id: clickId,
      })
      return (await fetch(`${app.url}/api/postback/${link.siteId}?${query.toString()}`)).status
    }

    /** The number of repriced sales, or the code of the error. `confirm` runs what follows the preview. */
    async function backdate(
      payout: number,
      confirm = <T>(work: () => Promise<T>) => work(),
    ): Promise<number | string | undefined> {
      const services = { ...database, ...storesOnCluster, clock: systemClock }
      const rate = {
        typeId: link.typeId,
        companyId: null,
        from: todayNewYork(systemClock.now()),
        payout,
        earning: 10,
        lpp: 1,
        bonusPayout: 0,
        bonusEarning: 0,
        bonusLpp: 0,
        enable: true,
        replaceLater: false,
      }
      try {
        const { version } = await previewBackdating(services, viewer(), rate)
        const confirmed = { ...rate, version, reason: 'Agreed', requestId: randomUUID() }
        return (await confirm(() => backdateRate(services, viewer(), confirmed))).sales
      } catch (error) {
        return errorCode(error) ?? String(error)
      }
    }

    test('a backdating does not miss its sale, nor a reversal its difference', async () => {
      const clickId = await click()
      expect(await betweenPhases(() => report(clickId, 'sale'))).toBe(201)
      expect(await backdate(450)).toBe('57P03')
      await cluster.untilRecovered()

      // While it is stopped, nothing else that the app writes stays between its phases before the backdating begins.
      await app.stop()
      await foldTotals(database.db)
      expect(await backdate(450, betweenPhases)).toBe(1)
      await app.start()
      expect(await report(clickId, 'void')).toBe(503)
      await cluster.untilRecovered()
      expect(await report(clickId, 'void')).toBe(201)
      const events = await database.db
        .selectFrom('sale_events')
        .select(['quantity', 'payout_centavos'])
        .where('click_id', '=', clickId)
        .execute()
      expect(events).toHaveLength(3)
      expect(events.reduce((sum, event) => sum + event.payout_centavos, 0)).toBe(0)
    })

    const wait = () => inTransaction(database.db, untilShownEverywhere)
    const failure = (message: unknown) =>
      expect.objectContaining({ code: '57P03', message }) as unknown

    test('what has to see every commit names one that a worker has prepared and not committed', async () => {
      const clickId = await click()
      await betweenPhases(() => report(clickId, 'sale'))
      const worker = new URL(cluster.proxy.connection.url).host
      await expect(wait()).rejects.toEqual(
        failure(expect.stringContaining(`${worker} has prepared citus_`)),
      )
      await cluster.untilRecovered()
      await wait()
    })

    describe('with the app stopped, whose folds could stand between their phases', () => {
      beforeAll(() => app.stop())

      test('what has to see every commit fails soon if a worker does not answer, or refuses connections', async () => {
        cluster.proxy.freeze()
        await expect(wait().finally(() => cluster.proxy.mend())).rejects.toEqual(
          failure('a worker does not answer'),
        )
        cluster.proxy.cut()
        const worker = new URL(cluster.proxy.connection.url).host
        await expect(wait().finally(() => cluster.proxy.mend())).rejects.toEqual(
          failure(`${worker} refuses connections`),
        )
        await wait()
      })

      test('it leaves the timeout of the statements that follow', async () => {
        const { rows } = await inTransaction(database.db, async (tx) => {
          await sql`set local statement_timeout = '7min'`.execute(tx)
          await untilShownEverywhere(tx)
          return sql`show statement_timeout`.execute(tx)
        })
        expect(rows).toEqual([{ statement_timeout: '7min' }])
      })

      test('an agent’s day that its fold has not shown yet counts once', async () => {
        const { db } = database
        const clicked = {
          day: '2026-01-05',
          agent_id: link.agentId,
          office_id: 1,
          site_id: 1,
          type_id: 1,
          raws: 1,
        }
        await addToTotals(db, [clicked])
        await betweenPhases(() => foldTotals(db))
        await addToTotals(db, [clicked])
        // The worker keeps its lock: a report is refused after some seconds.
        const refused = await foldTotals(db).catch((error: unknown) => error)
        expect(isUnavailable(refused)).toBe(true)
        await cluster.untilRecovered()
        expect(await foldTotals(db)).toBe('folded')
        const days = await db
          .selectFrom('totals_day_office')
          .select(['raws', 'detail_rows'])
          .where('day', '=', clicked.day)
          .execute()
        expect(days).toEqual([{ raws: 2, detail_rows: 1 }])
      })
    })
  },
)
