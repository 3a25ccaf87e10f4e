import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { rateBackdatingEndpoints } from '@tallyroom/contract/pay/backdating/backdating'
import { type SaleLogItem, saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { explainEndpoints, type ExplainPart } from '@tallyroom/contract/figures/explain'
import { expect, test } from 'vitest'
import { buildClick } from '../../../test/build-world.ts'
import { settleWaiting } from './settle-waiting.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { linkTypesRoutes, sitesRoutes } from '../../catalogue/index.ts'
import { findSales } from '../../desk/sale-logs/find-sales.queries.ts'
import { saleLogsRoutes } from '../../desk/sale-logs/sale-logs.routes.ts'
import { findSale } from '../../desk/sale-logs/sale-page.queries.ts'
import { statisticsRoutes } from '../../figures/statistics/statistics.routes.ts'
import { scopeOf } from '../../access/scope.ts'
import { foldTotals } from '../../totals/index.ts'
import { rateBackdatingRoutes } from '../../pay/backdating/rate-backdating.routes.ts'

const { db, clock, services, inbound, merchant, eventsOf, agentId, officeId } =
  await postbackWorld()
const call = await callRoutes([
  ...sitesRoutes(services),
  ...linkTypesRoutes(services),
  ...rateBackdatingRoutes(services),
  ...saleLogsRoutes(services),
  ...statisticsRoutes(services),
])
const superadmin = viewer()

/** A site whose flags staff can change, at an instant, and whose merchant reports sales late. */
async function world(site: Parameters<typeof merchant>[0] = {}) {
  clock.set('2026-03-10T16:00:00Z')
  const made = await merchant(site)
  const { siteId, typeId, get, click } = made
  const cid = await click({ clicked_at: new Date('2026-03-09T16:00:00Z') })
  const ok = async (answer: Promise<{ status: number; body: unknown }>) => {
    expect(await answer).toMatchObject({ status: 200 })
    await inbound.sites.reload()
  }
  return {
    ...made,
    cid,
    setSite: async (change: object, at?: string) => {
      const { version } = (await call(superadmin, sitesEndpoints.site, { params: { id: siteId } }))
        .body as { version: number }
      if (at) clock.set(at)
      await ok(
        call(superadmin, sitesEndpoints.updateSite, {
          params: { id: siteId },
          body: { ...change, version },
        }),
      )
    },
    setType: async (change: object, at?: string) => {
      const { version } = (
        await call(superadmin, linkTypesEndpoints.linkType, { params: { id: typeId } })
      ).body as { version: number }
      if (at) clock.set(at)
      await ok(
        call(superadmin, linkTypesEndpoints.updateLinkType, {
          params: { id: typeId },
          body: { ...change, version },
        }),
      )
    },
    report: async (tid: string, time: string, more: Record<string, string> = {}) => {
      const answer = await get({ cid, tid, time, ...more })
      expect(answer.json()).toMatchObject({ outcome: 'recorded' })
      const event = (await eventsOf(siteId)).find((one) => one.transaction_id === tid)
      return event!
    },
  }
}

test('a sale counts for AVP if its site did when it was made, whenever it is reported', async () => {
  const { siteId, setSite, report } = await world()
  await setSite({ avp: true }, '2026-03-11T16:00:00Z')
  await setSite({ avp: false }, '2026-03-13T16:00:00Z')
  clock.set('2026-03-14T16:00:00Z')
  expect((await report('before', '2026-03-11T15:59:59Z')).avp).toBe(false)
  expect((await report('from', '2026-03-11T16:00:00Z')).avp).toBe(true)
  expect((await report('until', '2026-03-13T15:59:59Z')).avp).toBe(true)
  expect((await report('after', '2026-03-13T16:00:00Z')).avp).toBe(false)
  expect((await report('now', '2026-03-14T16:00:00Z')).avp).toBe(false)
  expect(
    await db.selectFrom('former_site_flags').selectAll().where('site_id', '=', siteId).execute(),
  ).toMatchObject([
    { avp: false, use_approve_sale: false, changed_by: 1, changed_by_name: 'superadmin' },
    { avp: true, use_approve_sale: false },
  ])
})

test('saving a form that changes no flag, or a status, leaves the flags of the past as they were', async () => {
  const { siteId, setSite, report } = await world({ avp: true })
  await setSite({ sitename: `Renamed ${siteId}` })
  await call(superadmin, sitesEndpoints.sitesStatus, { body: { ids: [siteId], status: 1 } })
  await call(superadmin, sitesEndpoints.sitesStatus, { body: { ids: [siteId], status: 0 } })
  await call(superadmin, sitesEndpoints.sitesStatus, { body: { ids: [siteId], status: 0 } })
  const former = await db
    .selectFrom('former_site_flags')
    .select(['avp', 'use_approve_sale'])
    .where('site_id', '=', siteId)
    .orderBy('id')
    .execute()
  // Activating sets approve-sale, and suspending unsets it.
  expect(former).toEqual([
    { avp: true, use_approve_sale: false },
    { avp: true, use_approve_sale: true },
  ])
  expect((await report('a', '2026-03-10T15:00:00Z')).avp).toBe(true)
})

test('a late sale is the Day#2 Sale if its site used approve-sale when it was made', async () => {
  const { setSite, setType, report } = await world({ use_approve_sale: true })
  await setType({ bonus: true, bonusPayout: 90, bonusEarning: 5, bonusLpp: 1 })
  await setSite({ useApproveSale: false }, '2026-03-12T16:00:00Z')
  clock.set('2026-03-13T16:00:00Z')
  const before = { time: '2026-03-11T16:00:00Z', after: '2026-03-12T16:00:00Z' }
  expect(await report('a', before.time)).toMatchObject({ event_type: 1, payout_centavos: 90_00 })
  expect(await report('b', before.after)).toMatchObject({ event_type: 0, payout_centavos: 500_00 })
  expect(await report('c', before.time, { event: 'approval' })).toMatchObject({
    event_type: 0,
    payout_centavos: 500_00,
  })
})

test('lists name a sale as it was reported, whatever its site does now', async () => {
  const { siteId, setSite, report } = await world({ use_approve_sale: true })
  const first = await report('first', '2026-03-10T15:00:00Z', { event: 'approval' })
  await setSite({ useApproveSale: false }, '2026-03-12T16:00:00Z')
  const second = await report('second', '2026-03-12T16:00:00Z')
  const scope = scopeOf(superadmin)
  const isNamed = { [first.id]: true, [second.id]: false }

  const found = await findSales(db, scope, { agentId, clickIds: [first.click_id] }, 9)
  expect(Object.fromEntries(found.map((sale) => [sale.eventId, sale.useApproveSale]))).toEqual(
    isNamed,
  )
  const pages = await Promise.all([first, second].map(({ id }) => findSale(db, scope, id)))
  expect(pages.map((sale) => sale?.useApproveSale)).toEqual([true, false])
  const log = await call(superadmin, saleLogsEndpoints.searchSaleLogs, {
    body: { page: 1, pageSize: 9, siteId, start: '2026-03-09', end: '2026-03-15' },
  })
  expect(
    Object.fromEntries(
      log.body.items.items.map((item: SaleLogItem) => [item.id, item.useApproveSale]),
    ),
  ).toEqual(isNamed)
  await foldTotals(db)
  const explained = await call(superadmin, explainEndpoints.explain, {
    body: { report: 'sites', start: '2026-03-09', end: '2026-03-15', siteId, column: 'sales' },
  })
  expect(
    Object.fromEntries(
      explained.body.parts.items.map((part: ExplainPart) => [part.eventId, part.useApproveSale]),
    ),
  ).toEqual(isNamed)
})

test('a late bonus is paid if the Bonus checkbox was set when it was made', async () => {
  const { setType, report } = await world()
  await setType({ bonus: true, bonusPayout: 90, bonusEarning: 5, bonusLpp: 1 })
  await setType({ bonus: false }, '2026-03-12T16:00:00Z')
  clock.set('2026-03-13T16:00:00Z')
  const bonus = { event: 'bonus' }
  expect(await report('a', '2026-03-11T16:00:00Z', bonus)).toMatchObject({ payout_centavos: 90_00 })
  expect(await report('b', '2026-03-12T16:00:00Z', bonus)).toMatchObject({ payout_centavos: 0 })
})

test('backdating pays no bonus for the time in which the checkbox was off', async () => {
  const { typeId, siteId, setType, report } = await world()
  clock.set('2026-03-12T16:00:00Z')
  await setType({ bonus: true, bonusPayout: 90, bonusEarning: 5, bonusLpp: 1 })
  clock.set('2026-03-14T16:00:00Z')
  const bonus = { event: 'bonus' }
  expect(await report('off', '2026-03-11T16:00:00Z', bonus)).toMatchObject({ payout_centavos: 0 })
  expect(await report('on', '2026-03-13T16:00:00Z', bonus)).toMatchObject({
    payout_centavos: 90_00,
  })
  const rate = {
    typeId,
    companyId: null,
    from: '2026-03-10',
    replaceLater: true,
    payout: 500,
    earning: 25,
    lpp: 1,
    bonusPayout: 100,
    bonusEarning: 5,
    bonusLpp: 1,
  }
  const preview = await call(superadmin, rateBackdatingEndpoints.previewBackdating, { body: rate })
  expect(preview.body).toMatchObject({ sales: 1 })
  const { version } = preview.body as { version: number }
  const done = await call(superadmin, rateBackdatingEndpoints.backdateRate, {
    body: {
      ...rate,
      reason: 'Agreed',
      version,
      requestId: '11111111-1111-4111-8111-111111111111',
    },
  })
  expect(done.status).toBe(200)
  const differences = (await eventsOf(siteId)).filter(({ adjusts }) => adjusts !== null)
  expect(differences).toMatchObject([{ transaction_id: 'on', payout_centavos: 10_00 }])
})

test('a postback that waits is read by the words of its arrival, and counted by the rules of its arrival', async () => {
  const { siteId, typeId, get, setSite } = await world({ counts_for_days: 30 })
  await setSite({ eventWords: [{ word: 'ftd', event: 'sale' }] })
  const clickedAt = new Date('2026-03-01T16:00:00Z')
  const fields = { agentId, typeId, clickedAtMs: clickedAt.getTime(), nonce: 77 }
  clock.set('2026-03-11T16:00:00Z')
  const answer = await get({ cid: inbound.clickIds.sign(fields), tid: 'waits', event: 'ftd' })
  expect(answer.json()).toMatchObject({ outcome: 'waiting' })

  clock.set('2026-03-11T17:00:00Z')
  await setSite({ countsForDays: 1, eventWords: [{ word: 'ftd', event: 'bonus' }] })
  await buildClick(db, {
    agent_id: agentId,
    office_id: officeId,
    site_id: siteId,
    type_id: typeId,
    clicked_at: clickedAt,
    nonce: 77,
  })
  clock.set('2026-03-11T17:30:00Z')
  await settleWaiting(services)
  expect(await eventsOf(siteId)).toMatchObject([{ transaction_id: 'waits', event_type: 0 }])

  // What arrives now is judged by what is set now.
  const late = { ...fields, nonce: 78 }
  const after = await get({ cid: inbound.clickIds.sign(late), tid: 'after', event: 'ftd' })
  expect(after.json()).toMatchObject({ outcome: 'conflict' })
})
