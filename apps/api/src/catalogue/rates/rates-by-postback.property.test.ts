import { fc, test } from '@fast-check/vitest'
import { officeFeesEndpoints } from '@tallyroom/contract/catalogue/office-fees'
import { ratesEndpoints } from '@tallyroom/contract/catalogue/rates'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { addDays, dayOf, startOfDay } from '@tallyroom/domain/new-york'
import { expect } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { linkTypesRoutes } from '../link-types/link-types.routes.ts'
import { sitesRoutes } from '../sites/sites.routes.ts'
import { officeFeesRoutes } from './office-fees.routes.ts'

const world = await postbackWorld()
const { db, clock, services, inbound, officeId } = world
const call = await callRoutes([
  ...officeFeesRoutes(services),
  ...linkTypesRoutes(services),
  ...sitesRoutes(services),
])
const superadmin = viewer()

/** Wednesday, 4 March 2026, 18:30 in New York, four days before the clocks change. */
const START = Date.parse('2026-03-04T23:30:00Z')
const HOUR = 3_600_000

const whose = fc.constantFrom('default' as const, 'office' as const)
const payout = fc.integer({ min: 100, max: 900 })
const deed = fc.oneof(
  fc.record({ does: fc.constant('change' as const), whose, payout, on: fc.boolean() }),
  fc.record({
    does: fc.constant('prepare' as const),
    whose,
    payout,
    on: fc.boolean(),
    days: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ does: fc.constant('flag' as const), avp: fc.boolean(), approveSale: fc.boolean() }),
  fc.record({ does: fc.constant('withdraw' as const), which: fc.nat({ max: 5 }) }),
  // A sale reported now that was made this many hours ago, or at the midnight before.
  fc.record({
    does: fc.constant('sell' as const),
    hoursAgo: fc.integer({ min: 0, max: 96 }),
    at: fc.constantFrom('moment' as const, 'midnight' as const, 'just before midnight' as const),
  }),
)
const history = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), deed), {
  minLength: 8,
  maxLength: 24,
})

/** A row of the model: rates in the order in which they were added. */
type Rate = {
  id: number | undefined
  whose: 'default' | 'office'
  from: number
  on: boolean
  payout: number
  withdrawn: boolean
}

/** A site's flags from a time on. */
type Flags = { from: number; avp: boolean; approveSale: boolean }

test.prop([history], { numRuns: 15 })(
  'whatever is changed, prepared and withdrawn, a postback gets the rate and the flags of the time of its sale',
  async (deeds) => {
    let now = START
    clock.set(new Date(now).toISOString())
    const shop = await world.merchant()
    const { typeId } = shop
    const model: Rate[] = [
      { id: undefined, whose: 'default', from: -Infinity, on: true, payout: 500, withdrawn: false },
    ]
    const flags: Flags[] = [{ from: -Infinity, avp: false, approveSale: false }]
    for (const [hours, one] of deeds) {
      now += hours * HOUR
      clock.set(new Date(now).toISOString())
      switch (one.does) {
        case 'change': {
          if (one.whose === 'default') {
            const { payout: present } = inForce(model, 'default', now)!
            expect((await saveType(typeId, { payout: one.payout })).status).toBe(200)
            if (one.payout !== present) model.push(rate({ ...one, on: true, from: now }))
            break
          }
          const own = inForce(model, 'office', now)
          const { status } = await saveFee(typeId, { enable: one.on, payout: one.payout })
          expect(status).toBe(200)
          if (one.on) model.push(rate({ ...one, from: now }))
          else if (own?.on) model.push(rate({ ...one, payout: own.payout, from: now }))
          break
        }
        case 'prepare': {
          const day = addDays(dayOf(new Date(now)), one.days)
          const from = startOfDay(day).getTime()
          const on = one.whose === 'default' || one.on
          const { status, body } = await call(superadmin, ratesEndpoints.prepareRate, {
            body: {
              typeId,
              companyId: one.whose === 'default' ? null : officeId,
              validFrom: day,
              enable: on,
              payout: one.payout,
            },
          })
          const isTaken = model.some(
            (known) => known.whose === one.whose && known.from === from && !known.withdrawn,
          )
          expect(status).toBe(isTaken ? 422 : 200)
          // The rates that an office keeps while the default rates apply pay nobody, so they are
          // not modelled.
          if (!isTaken) model.push(rate({ ...one, on, from, id: body.id }))
          break
        }
        case 'flag': {
          const body = { avp: one.avp, useApproveSale: one.approveSale }
          const params = { id: shop.siteId }
          expect((await call(superadmin, sitesEndpoints.updateSite, { params, body })).status).toBe(
            200,
          )
          await inbound.sites.reload()
          flags.push({ ...one, from: now })
          break
        }
        case 'withdraw': {
          const prepared = model.filter(({ id, withdrawn }) => id !== undefined && !withdrawn)
          const chosen = prepared[one.which % Math.max(prepared.length, 1)]
          if (!chosen?.id) break
          const { status } = await call(superadmin, ratesEndpoints.withdrawRate, {
            params: { id: chosen.id },
          })
          expect(status).toBe(chosen.from > now ? 200 : 409)
          if (chosen.from > now) chosen.withdrawn = true
          break
        }
        case 'sell': {
          const moment = now - one.hoursAgo * HOUR
          const midnight = startOfDay(dayOf(new Date(moment))).getTime()
          const at = { moment, midnight, 'just before midnight': midnight - 1 }[one.at]
          expect(await sell(shop, new Date(at))).toEqual(expected(model, flags, at))
        }
      }
    }
    // At the end, late reports for every instant at which some rates or flags began.
    for (const { from } of [...model, ...flags]) {
      if (from <= START || from >= now) continue
      expect(await sell(shop, new Date(from))).toEqual(expected(model, flags, from))
      expect(await sell(shop, new Date(from - 1))).toEqual(expected(model, flags, from - 1))
    }
  },
  120_000,
)

type Deed = { whose: Rate['whose']; payout: number; on: boolean; from: number; id?: number }
const rate = ({ id, whose: of, from, on, payout: pesos }: Deed): Rate => ({
  id,
  whose: of,
  from,
  on,
  payout: pesos,
  withdrawn: false,
})

/** The one that began last; of several with the same start, the one added last. */
const inForce = (model: readonly Rate[], of: Rate['whose'], at: number): Rate | undefined =>
  model
    .filter((known) => known.whose === of && !known.withdrawn && known.from <= at)
    .reduce<Rate | undefined>(
      (last, known) => (last === undefined || known.from >= last.from ? known : last),
      undefined,
    )

function expected(model: readonly Rate[], flags: readonly Flags[], at: number) {
  const own = inForce(model, 'office', at)
  const { avp, approveSale } = flags.findLast(({ from }) => from <= at)!
  const price = own?.on
    ? [own.payout * 100, 'office']
    : [inForce(model, 'default', at)!.payout * 100, 'default']
  return [...price, avp, approveSale ? 'recorded' : 'refused']
}

const saveType = (id: number, values: object) =>
  call(superadmin, linkTypesEndpoints.updateLinkType, { params: { id }, body: values })
const saveFee = (typeId: number, values: object) =>
  call(superadmin, officeFeesEndpoints.saveOfficeFee, {
    body: { typeId, companyId: officeId, ...values },
  })

/**
 * Reports, now, a sale made at that time, through the public route. Returns its payout, whose rate it got, whether it counts
 * for AVP, and what became of an approval of that time.
 */
async function sell(shop: Awaited<ReturnType<typeof world.merchant>>, at: Date) {
  const click = await shop.click({ clicked_at: at })
  const answer = await shop.get({ click_id: click, time: at.toISOString() })
  const event = await db
    .selectFrom('sale_events')
    .select(['payout_centavos', 'rate_source', 'avp'])
    .where('id', '=', answer.json().eventId)
    .executeTakeFirstOrThrow()
  const approval = await shop.get({
    click_id: await shop.click({ clicked_at: at }),
    time: at.toISOString(),
    event: 'approval',
  })
  return [event.payout_centavos, event.rate_source, event.avp, approval.json().outcome]
}
