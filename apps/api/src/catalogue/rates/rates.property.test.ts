import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { buildLinkType, buildOffice, buildRate, buildSite } from '../../../test/build-world.ts'
import { ratesOf } from './rates.queries.ts'

const { db } = await testDatabase()
const siteId = await buildSite(db)
const officeIds = [await buildOffice(db), await buildOffice(db)]

/** Moments around a clock change in New York, to the millisecond: midnight of 8 March is EST, of 9 March EDT. */
const MIDNIGHTS = ['2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z', '2026-11-01T04:00:00Z']
const moment = fc
  .tuple(
    fc.constantFrom(...MIDNIGHTS),
    fc.constantFrom(-86_400_000, -3_600_000, -1, 0, 1, 3_600_000),
  )
  .map(([midnight, offset]) => Date.parse(midnight) + offset)

/**
 * Whose rates: the default, or an office's. `from` null: always in force. In the order in which
 * they are added.
 */
const row = fc.record({
  whose: fc.constantFrom(undefined, 0, 1),
  from: fc.option(moment),
  enabled: fc.boolean(),
  withdrawn: fc.boolean(),
})
type Row = { whose: number | undefined; from: number | null; enabled: boolean; withdrawn: boolean }

test.prop([fc.array(row, { maxLength: 12 }), fc.array(moment, { minLength: 1, maxLength: 6 })], {
  numRuns: 60,
})('each sale gets the rate in force, as a naive search finds it', async (rows, sales) => {
  const typeId = await buildLinkType(db, { site_id: siteId, payout_centavos: 1 })
  for (const [index, { whose, from, enabled, withdrawn }] of rows.entries()) {
    const id = await buildRate(db, {
      type_id: typeId,
      office_id: whose === undefined ? null : (officeIds[whose] ?? null),
      valid_from: from === null ? null : new Date(from),
      enabled: whose === undefined || enabled,
      payout_centavos: index + 2,
    })
    if (!withdrawn) continue
    await db
      .insertInto('rate_withdrawals')
      .values({
        rate_id: id,
        withdrawn_at: new Date(0),
        withdrawn_by: 1,
        withdrawn_by_name: 'superadmin',
      })
      .execute()
  }
  for (const at of sales) {
    for (const whose of [undefined, 0, 1]) {
      const officeId = whose === undefined ? undefined : officeIds[whose]
      const found = await ratesOf(db, typeId, officeId, new Date(at))
      expect(found?.sale.payoutCentavos).toBe(naivePayout(rows, whose, at))
    }
  }
})

/** Walks through the rows in the order they were added and keeps the one that began last. */
function naivePayout(rows: readonly Row[], office: number | undefined, at: number): number {
  const lastOf = (whose: number | undefined) => {
    let last: { from: number; enabled: boolean; payout: number } | undefined
    rows.forEach((one, index) => {
      const from = one.from ?? -Infinity
      if (one.whose !== whose || one.withdrawn || from > at) return
      if (!last || from >= last.from) last = { from, enabled: one.enabled, payout: index + 2 }
    })
    return last
  }
  const own = office === undefined ? undefined : lastOf(office)
  return own?.enabled ? own.payout : (lastOf(undefined)?.payout ?? 1)
}
