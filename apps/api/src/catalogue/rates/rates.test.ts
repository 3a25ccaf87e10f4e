import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { buildFee, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { ratesOf } from './rates.queries.ts'

const { db } = await testDatabase()

const now = new Date('2026-03-10T16:00:00Z')
async function ratesNow(typeId: number, officeId: number | undefined) {
  const { rateId, backdated: _, ...rates } = (await ratesOf(db, typeId, officeId, now)) ?? {}
  return rateId === undefined ? undefined : rates
}

const siteId = await buildSite(db, { avp: true })
const officeId = await buildOffice(db)
const defaults = {
  siteId,
  avp: true,
  source: 'default',
  sale: { earningCents: 25_00, payoutCentavos: 500_00, lpp: 1 },
  bonus: { earningCents: 0, payoutCentavos: 0, lpp: 0 },
  useApproveSale: false,
  hasBonus: false,
  isSuspended: false,
}

test('a link type pays its default rates to an office without own rates', async () => {
  const typeId = await buildLinkType(db, { site_id: siteId })
  expect(await ratesNow(typeId, officeId)).toEqual(defaults)
  expect(await ratesNow(typeId, undefined)).toEqual(defaults)
})

test("an office's own rates apply while they are enabled, and to nobody else", async () => {
  const typeId = await buildLinkType(db, { site_id: siteId, bonus: true })
  await buildFee(db, { type_id: typeId, office_id: officeId })
  expect(await ratesNow(typeId, officeId)).toEqual({
    siteId,
    avp: true,
    source: 'office',
    sale: { earningCents: 35_00, payoutCentavos: 700_00, lpp: 2 },
    bonus: { earningCents: 3_50, payoutCentavos: 70_00, lpp: 1 },
    useApproveSale: false,
    hasBonus: true,
    isSuspended: false,
  })
  expect(await ratesNow(typeId, await buildOffice(db))).toEqual({ ...defaults, hasBonus: true })

  await buildFee(db, { type_id: typeId, office_id: officeId, enabled: false })
  expect(await ratesNow(typeId, officeId)).toEqual({ ...defaults, hasBonus: true })
})

test('deleted link types still have rates; link types that never existed have none', async () => {
  const typeId = await buildLinkType(db, { site_id: siteId, deleted_at: new Date() })
  expect(await ratesNow(typeId, officeId)).toEqual(defaults)
  expect(await ratesNow(999_999, officeId)).toBeUndefined()
})
