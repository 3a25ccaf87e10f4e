import { payrollAvpCriteriaSchema } from '@tallyroom/contract/figures/statistics'
import { type WhatIf, whatIfEndpoints } from '@tallyroom/contract/figures/what-if'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { expect, test } from 'vitest'
import { buildFee } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { buildHandCountedWorld } from '../../../test/hand-counted-world.ts'
import { testServices } from '../../../test/services.ts'
import { statsReport } from '../statistics/report.ts'
import { whatIfRoutes } from './what-if.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
services.clock.set('2026-03-25T12:00:00Z')
const { offices, types } = await buildHandCountedWorld(db)
const call = await callRoutes(whatIfRoutes(services))

const march = { start: '2026-03-01', end: '2026-03-31' }

async function ask(criteria: object): Promise<WhatIf> {
  const { status, body } = await call(viewer(), whatIfEndpoints.whatIf, {
    body: { ...march, ...criteria },
  })
  expect(status).toBe(200)
  return body as WhatIf // parsed by the same schema
}

test('each sale and bonus is multiplied by the other rate and compared with what was recorded', async () => {
  // Manila: a paid bonus (₱70.07) and a paid sale (₱700.00). Cebu: a paid sale.
  const rates = [{ typeId: types.paid, payout: 750, bonusPayout: 100 }]
  const { items, overall, total } = await ask({ rates })
  expect([total, overall]).toEqual([
    2,
    { sales: 2, bonusSales: 1, paid: 1470.07, wouldBe: 1600, difference: 129.93 },
  ])
  expect(items).toEqual([
    {
      companyId: offices.manila,
      officeName: 'Manila',
      sales: 1,
      bonusSales: 1,
      paid: 770.07,
      wouldBe: 850,
      difference: 79.93,
    },
    {
      companyId: offices.cebu,
      officeName: 'Cebu',
      sales: 1,
      bonusSales: 0,
      paid: 700,
      wouldBe: 750,
      difference: 50,
    },
  ])
})

test('what has no other rate stays as paid', async () => {
  const { overall } = await ask({ rates: [{ typeId: types.paid, bonusPayout: 0 }] })
  expect(overall).toMatchObject({ paid: 1470.07, wouldBe: 1400, difference: -70.07 })
  expect(await ask({})).toMatchObject({ total: 0, overall: { paid: 0, difference: 0 } })
})

test('the rates that were in force make no difference', async () => {
  const rates = [
    { typeId: types.free, payout: 100.1 },
    { typeId: types.paid, payout: 700, bonusPayout: 70.07 },
    { typeId: types.gift, payout: 400, bonusPayout: 0 },
  ]
  const { overall, items } = await ask({ rates, groupBy: 'agent' })
  expect(overall.difference).toBe(0)
  expect(items.length).toBeGreaterThan(2)
  expect(items.every(({ difference }) => difference === 0)).toBe(true)
})

test('who only had clicks is not listed', async () => {
  const asked = { rates: [{ typeId: types.join, payout: 200 }], groupBy: 'agent' }
  expect(await ask({ ...asked, start: '2026-03-17' })).toMatchObject({ total: 0, items: [] })
})

test('offices’ own rates are replaced, or kept and listed', async () => {
  await buildFee(db, {
    type_id: types.join,
    office_id: offices.cebu,
    payout_centavos: 300_75,
  })
  // Carlo's sale of 15 March, at Cebu's own ₱300.75.
  const asked = {
    rates: [{ typeId: types.join, payout: 200 }],
    start: '2026-03-15',
    end: '2026-03-15',
  }
  expect(await ask(asked)).toMatchObject({
    overall: { paid: 300.75, wouldBe: 200, difference: -100.75 },
    leftAlone: [],
  })
  expect(await ask({ ...asked, replaceOwn: false })).toMatchObject({
    overall: { paid: 300.75, wouldBe: 300.75, difference: 0 },
    leftAlone: [{ companyId: offices.cebu, officeName: 'Cebu' }],
  })
})

test('other tiers apply to the sales of each week and are compared with Payroll AVP', async () => {
  // The week of 2 March: noel sold 2, carlo 1, paid 2 × ₱25.25 and ₱11.00; maria’s sale was
  // reversed.
  const { items, overall } = await ask({
    start: '2026-03-02',
    end: '2026-03-08',
    groupBy: 'agent',
    sortField: 'agent',
    sortAsc: true,
    tiers: [
      { from: 0, to: 1, payoutPhp: 5 },
      { from: 2, to: 1000, payoutPhp: 30 },
    ],
  })
  expect(overall).toMatchObject({ tierPaid: 61.5, tierWouldBe: 65, difference: 3.5 })
  expect(
    items.map(({ agent, officeName, tierPaid, tierWouldBe }) => [
      agent,
      officeName,
      tierPaid,
      tierWouldBe,
    ]),
  ).toEqual([
    ['carlo', 'Cebu', 11, 5],
    ['noel', 'Cebu', 25.25, 30],
    ['noel', 'Manila', 25.25, 30],
  ])
})

test('what tiers paid in whole weeks is what Payroll AVP says', async () => {
  const asked = { start: '2026-03-02', end: '2026-03-15', groupBy: 'agent', pageSize: 500 } as const
  const { items } = await ask({ ...asked, tiers: [{ from: 0, to: 1000, payoutPhp: 1 }] })
  const criteria = payrollAvpCriteriaSchema.parse(asked)
  const { page } = await statsReport(services, viewer(), 'payrollAvp', criteria)
  const paid = page.items.filter(({ avpSales }) => avpSales !== 0)
  expect(paid.length).toBeGreaterThan(2)
  const keyed = (rows: [string, number | undefined, number | undefined][]) =>
    Object.fromEntries(rows.map(([key, ...amounts]) => [key, amounts]))
  expect(
    keyed(items.map((row) => [`${row.agentId} ${row.companyId}`, row.tierPaid, row.tierWouldBe])),
  ).toEqual(
    keyed(paid.map((row) => [`${row.agentId} ${row.companyId}`, row.payoutPhp, row.avpSales])),
  )
})

test.each([
  ['from one week into the next', '2026-03-05', '2026-03-10'],
  ['over a whole week and parts', '2026-03-04', '2026-03-18'],
  ['from a Monday on', '2026-03-02', '2026-03-11'],
  ['until a Sunday', '2026-03-06', '2026-03-15'],
])('what tiers pay %s is what they pay on its days', async (_, start, end) => {
  const tiers = [
    { from: 0, to: 1, payoutPhp: 5 },
    { from: 2, to: 1000, payoutPhp: 30 },
  ]
  for (const groupBy of ['company', 'agent'] as const) {
    const { overall } = await ask({ start, end, groupBy, tiers })
    let [paid, wouldBe] = [0, 0]
    for (let day: Day = start; day <= end; day = addDays(day, 1)) {
      const ofDay = await ask({ start: day, end: day, groupBy, tiers })
      paid += (ofDay.overall.tierPaid ?? 0) * 100
      wouldBe += (ofDay.overall.tierWouldBe ?? 0) * 100
    }
    expect(paid).toBeGreaterThan(0)
    expect([overall.tierPaid, overall.tierWouldBe]).toEqual([paid / 100, wouldBe / 100])
  }
})

test('rows are limited to the chosen offices, sorted and paged', async () => {
  const rates = [{ typeId: types.free, payout: 50 }]
  const only = await ask({ rates, companyIds: [offices.cebu] })
  expect(only.items.map(({ officeName }) => officeName)).toEqual(['Cebu'])
  const second = await ask({ rates, sortField: 'name', sortAsc: true, page: 2, pageSize: 1 })
  expect([second.total, second.items.map(({ officeName }) => officeName)]).toEqual([2, ['Manila']])
  expect(second.overall).toEqual((await ask({ rates })).overall)
})

test('other tiers are compared with those of each week, also where there were none yet', async () => {
  const tiers = [
    { from: 0, to: 1, payoutPhp: 5 },
    { from: 2, to: 1000, payoutPhp: 30 },
  ]
  const asked = { start: '2025-10-20', end: '2026-03-31', tiers }
  // Maria’s 3, Noel’s 2; 1 each in three further weeks of Maria and Carlo.
  const tierWouldBe = 5 * 30 + 3 * 5
  // 3 at ₱20.10 and 1 at ₱10.05 in autumn, then 2 at ₱25.25 and 2 at ₱11.00.
  expect((await ask(asked)).overall).toMatchObject({ tierPaid: 142.85, tierWouldBe })
  await db.deleteFrom('avp_tiers').where('valid_from', '<', '2026-01-01').execute()
  expect((await ask(asked)).overall).toMatchObject({ tierPaid: 72.5, tierWouldBe })
})
