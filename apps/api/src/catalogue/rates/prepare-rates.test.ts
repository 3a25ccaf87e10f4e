import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { officeFeesEndpoints } from '@tallyroom/contract/catalogue/office-fees'
import { type DatedRate, ratesEndpoints } from '@tallyroom/contract/catalogue/rates'
import { expect, test } from 'vitest'
import { buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { linkTypesRoutes } from '../link-types/link-types.routes.ts'
import { officeFeesRoutes } from './office-fees.routes.ts'

const services = testServices(await testDatabase())
const { db, clock } = services
clock.set('2026-03-10T16:00:00Z')
const call = await callRoutes([...officeFeesRoutes(services), ...linkTypesRoutes(services)])
const superadmin = viewer()
const siteId = await buildSite(db)
const [manila, cebu] = [await buildOffice(db), await buildOffice(db)]

const { rates, prepareRates, withdrawRate } = ratesEndpoints
const { linkType, updateLinkType } = linkTypesEndpoints

const listOf = async (typeId: number, office: number | 'none' = 'none'): Promise<DatedRate[]> =>
  (
    await call(superadmin, rates, {
      query: { siteId: String(siteId), typeId: String(typeId), companyId: String(office) },
    })
  ).body
const statesOf = async (typeId: number, office?: number) =>
  (await listOf(typeId, office)).map(({ state, payout, bonusPayout }) => [
    state,
    payout,
    bonusPayout,
  ])
const openType = async (id: number) =>
  (await call(superadmin, linkType, { params: { id } })).body as Record<string, unknown>
/** Saves the form as it was loaded, with other values. */
const saveType = async (id: number, values: object) =>
  call(superadmin, updateLinkType, { params: { id }, body: { ...(await openType(id)), ...values } })
const saveFee = (typeId: number, values: object) =>
  call(superadmin, officeFeesEndpoints.saveOfficeFee, {
    body: { typeId, companyId: manila, enable: true, ...values },
  })

test('the form of a link type prepares its rates for a day, and saves the rest at once', async () => {
  const id = await buildLinkType(db, { site_id: siteId })
  const change = { typename: 'Renamed', payout: 480, validFrom: '2026-03-20' }
  expect((await saveType(id, change)).status).toBe(200)
  expect(await openType(id)).toMatchObject({ typename: 'Renamed', payout: 500 })
  expect(await statesOf(id)).toEqual([
    ['prepared', 480, 0],
    ['in force', 500, 0],
  ])
  clock.set('2026-03-20T04:00:00Z')
  expect(await openType(id)).toMatchObject({ payout: 480 })
  clock.set('2026-03-10T16:00:00Z')
})

test('omitted amounts are those of that day', async () => {
  const id = await buildLinkType(db, { site_id: siteId })
  await saveType(id, { payout: 480, validFrom: '2026-03-20' })
  await call(superadmin, updateLinkType, {
    params: { id },
    body: { earning: 31.5, validFrom: '2026-03-25' },
  })
  expect((await listOf(id))[0]).toMatchObject({ payout: 480, earning: 31.5, state: 'prepared' })
})

test('a bonus can begin on a day; it ends now, or is prepared as 0', async () => {
  const id = await buildLinkType(db, { site_id: siteId })
  const begin = { bonus: true, bonusPayout: 70, validFrom: '2026-03-20' }
  expect((await saveType(id, begin)).status).toBe(200)
  expect(await openType(id)).toMatchObject({ bonus: true, bonusPayout: 0 })
  const { status, body } = await saveType(id, { bonus: false, validFrom: '2026-03-25' })
  expect([status, Object.keys(body.data)]).toEqual([422, ['bonus']])
  expect((await saveType(id, { bonusPayout: 0, validFrom: '2026-03-25' })).status).toBe(200)
  expect(await statesOf(id)).toEqual([
    ['prepared', 500, 0],
    ['prepared', 500, 70],
    ['in force', 500, 0],
  ])
})

test.each([
  ['today', { payout: 480, validFrom: '2026-03-10' }],
  ['a day without another rate', { typename: 'Renamed', validFrom: '2026-03-20' }],
  ['a day that is taken', { payout: 490, validFrom: '2026-03-30' }],
])('a link type’s rates are not prepared for %s, and nothing is saved', async (_what, values) => {
  const id = await buildLinkType(db, { site_id: siteId })
  await saveType(id, { payout: 480, validFrom: '2026-03-30' })
  const before = await openType(id)
  const { status, body } = await saveType(id, values)
  expect([status, Object.keys(body.data)]).toEqual([422, ['validFrom']])
  expect(await openType(id)).toEqual(before)
  expect(await statesOf(id)).toHaveLength(2)
})

test('an office’s own rates can be prepared where they are saved, and withdrawn', async () => {
  const typeId = await buildLinkType(db, { site_id: siteId })
  const { status, body } = await saveFee(typeId, { payout: 700, validFrom: '2026-03-20' })
  expect([status, body.enable, body.payout]).toEqual([200, false, 500])
  await saveFee(typeId, { enable: false, payout: 1, validFrom: '2026-03-25' })
  const [back, own] = await listOf(typeId, manila)
  expect(own).toMatchObject({ enable: true, payout: 700, state: 'prepared' })
  expect(back).toMatchObject({ enable: false, payout: 700, state: 'prepared' })
  expect((await saveFee(typeId, { payout: 1, validFrom: '2026-03-25' })).status).toBe(422)
  const withdrawn = await call(superadmin, withdrawRate, { params: { id: back?.id ?? 0 } })
  expect(withdrawn.body.state).toBe('withdrawn')
})

test('several are prepared at once, each with the omitted amounts that it would have', async () => {
  const [one, two] = [
    await buildLinkType(db, { site_id: siteId }),
    await buildLinkType(db, { site_id: siteId }),
  ]
  const { status, body } = await call(superadmin, prepareRates, {
    body: {
      validFrom: '2026-03-20',
      note: 'Spring',
      rates: [
        { typeId: two, companyId: null, payout: 510 },
        { typeId: one, companyId: null, bonusPayout: 30 },
        { typeId: one, companyId: cebu, payout: 520 },
      ],
    },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject([
    { typeId: two, companyId: null, payout: 510, bonusPayout: 0, note: 'Spring' },
    { typeId: one, companyId: null, payout: 500, bonusPayout: 30, note: 'Spring' },
    // Cebu begins with the default rates of that day.
    { typeId: one, companyId: cebu, payout: 520, note: 'Spring', state: 'prepared' },
  ])
})

test('several are prepared all or none, and the refused ones are named', async () => {
  const [one, two] = [
    await buildLinkType(db, { site_id: siteId }),
    await buildLinkType(db, { site_id: siteId }),
  ]
  const prepare = (companyId: number | null, payout: number) =>
    call(superadmin, prepareRates, {
      body: {
        validFrom: '2026-03-20',
        rates: [
          { typeId: one, companyId: null, payout },
          { typeId: two, companyId, payout },
        ],
      },
    })
  await saveFee(two, { payout: 700, validFrom: '2026-03-20' })
  const refused = await prepare(manila, 480)
  expect([refused.status, Object.keys(refused.body.data)]).toEqual([422, ['rates.1']])
  expect(await statesOf(one)).toEqual([['in force', 500, 0]])
  // Two at once: one of them is refused for both rates, and nothing waits forever.
  const answers = await Promise.all([prepare(null, 480), prepare(null, 490)])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
  expect(answers.find(({ status }) => status === 422)?.body.data).toHaveProperty(['rates.0'])
  expect(await statesOf(one)).toHaveLength(2)
})
