import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { buildLinkType, buildRate, buildSite } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { findOpenPostbacksOf } from './checks.queries.ts'

const { db } = await testDatabase()

const plain = { use_approve_sale: false, bonus_payout_centavos: 30_00 }
const approveSale = { use_approve_sale: true, bonus_payout_centavos: 30_00 }

test.each([
  [plain, 'sale', 100_00],
  [plain, 'bonus', 30_00],
  [plain, 'rebill', 30_00],
  [plain, 'click', 0],
  [plain, 'void', -100_00],
  [approveSale, 'approval', 100_00],
  [approveSale, 'sale', 30_00],
  [approveSale, 'rebill', 30_00],
  [{ ...approveSale, bonus_payout_centavos: 0 }, 'sale', 100_00],
])('with %o, a waiting postback of a %s may pay %i centavos', async (site, event, centavos) => {
  const { use_approve_sale, bonus_payout_centavos } = site
  const site_id = await buildSite(db, { use_approve_sale })
  const type_id = await buildLinkType(db, { site_id })
  await buildRate(db, { type_id, payout_centavos: 100_00, bonus_payout_centavos })
  const received_at = new Date('2026-02-10T12:00:00Z')
  const row = { id: randomUUID(), received_at, site_id, type_id, event, outcome: 'waiting' }
  await db
    .insertInto('postbacks')
    .values({ ...row, method: 'GET', ip: '203.0.113.7', params: '{}' })
    .execute()
  const found = await findOpenPostbacksOf(db, { start: '2026-02-01', end: '2026-02-15' })
  expect(found.find(({ siteId }) => siteId === site_id)).toMatchObject({ waiting: 1, centavos })
})
