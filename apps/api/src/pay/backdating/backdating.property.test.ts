import { rateBackdatingEndpoints as endpoints } from '@tallyroom/contract/pay/backdating/backdating'
import { addDays, dayOf, startOfDay } from '@tallyroom/domain/new-york'
import { fc, test } from '@fast-check/vitest'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { buildAgent, buildLinkType, buildOffice, buildRate } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { foldTotals, rebuildTotals } from '../../totals/index.ts'
import { rateBackdatingRoutes } from './rate-backdating.routes.ts'

const { db, clock, services, merchant } = await postbackWorld()
const call = await callRoutes(rateBackdatingRoutes(services))
const superadmin = viewer()
const shop = await merchant()
const sellers = [await seller(), await seller()]

/** Null: the default rates. Otherwise one of the two offices. */
const whose = fc.constantFrom(null, 0, 1)
const amount = fc.constantFrom(100, 150, 151.25, 0, 400)
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constant('sale'), by: fc.nat(1), hoursAgo: fc.nat(200) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('reversal'), which: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('change'), whose, enabled: fc.boolean(), amount }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('backdate'),
      whose,
      enabled: fc.boolean(),
      amount,
      daysAgo: fc.nat(8),
      replaceLater: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('undo'), which: fc.nat(5) }) },
)

test.prop([fc.array(step, { minLength: 4, maxLength: 16 })], {
  // Slower on a cluster.
  numRuns: services.layout === 'together' ? 40 : 12,
})(
  'after any history, each live sale is worth what the rates say that are there now',
  async (steps) => {
    clock.set('2026-03-10T16:00:00Z') // two days after the clocks change in New York
    const typeId = await buildLinkType(db, { site_id: shop.siteId, payout_centavos: 500_00 })
    const rates: NaiveRate[] = []
    const sales: { order: string; office: number; at: number; live: boolean }[] = []
    const backdatings: { id: number; rows: NaiveRate[] }[] = []
    const add = (rate: Omit<NaiveRate, 'withdrawn'>) => {
      const row = { ...rate, withdrawn: false }
      rates.push(row)
      return row
    }

    for (const one of steps) {
      clock.advance(5 * 3_600_000)
      const now = clock.now()
      switch (one.what) {
        case 'sale': {
          const { by, hoursAgo } = one
          const at = new Date(now.getTime() - hoursAgo * 3_600_000)
          const order = randomUUID()
          const cid = await shop.click({ ...sellers[by], type_id: typeId, clicked_at: at })
          const answer = await shop.get({ cid, tid: order, time: at.toISOString() })
          expect(answer.json()).toMatchObject({ outcome: 'recorded' })
          sales.push({ order, office: by, at: at.getTime(), live: true })
          break
        }
        case 'reversal': {
          const sale = sales[one.which % sales.length]
          if (!sale) break
          await shop.get({ tid: sale.order, event: 'void' })
          sale.live = false
          break
        }
        case 'change': {
          const { whose: office, enabled, amount: payout } = one
          const row = add({
            office,
            from: now.getTime(),
            enabled: office === null || enabled,
            payout,
          })
          await buildRate(db, {
            type_id: typeId,
            office_id: officeIdOf(office),
            valid_from: now,
            added_at: now,
            enabled: row.enabled,
            payout_centavos: payout * 100,
          })
          break
        }
        case 'backdate': {
          const asked = one
          const from = addDays(dayOf(now), -asked.daysAgo)
          const body = {
            typeId,
            companyId: officeIdOf(asked.whose),
            from,
            enable: asked.whose === null || asked.enabled,
            payout: asked.amount,
            replaceLater: asked.replaceLater,
          }
          const preview = await call(superadmin, endpoints.previewBackdating, { body })
          const { version, sales: count, payout } = preview.body
          const done = await call(superadmin, endpoints.backdateRate, {
            body: { ...body, version, reason: 'As agreed', requestId: randomUUID() },
          })
          expect(done.body).toMatchObject({ sales: count, payout })
          const start = startOfDay(from).getTime()
          const later = rates.filter(
            (rate) => !rate.withdrawn && rate.office === asked.whose && rate.from > start,
          )
          const starts = [start, ...(asked.replaceLater ? later.map((rate) => rate.from) : [])]
          const rows = starts.map((begin) =>
            add({ office: asked.whose, from: begin, enabled: body.enable, payout: asked.amount }),
          )
          backdatings.push({ id: done.body.id, rows })
          break
        }
        case 'undo': {
          const backdating = backdatings[one.which % backdatings.length]
          if (!backdating) break
          const { id } = backdating
          const body = { reason: 'By mistake' }
          expect(
            (await call(superadmin, endpoints.undoBackdating, { params: { id }, body })).status,
          ).toBe(200)
          for (const row of backdating.rows) row.withdrawn = true
          break
        }
      }
    }

    const worth = await worthByOrder(typeId)
    for (const { order, office, at, live } of sales) {
      expect(worth.get(order)).toBe(live ? Math.round(naivePayout(rates, office, at) * 100) : 0)
    }
    expect(await totalsOf(typeId)).toEqual(await eventsOf(typeId))
    await foldTotals(db)
    const folded = await foldedOf(typeId)
    await rebuildTotals(db)
    expect(await foldedOf(typeId)).toEqual(folded)
  },
)

type NaiveRate = {
  office: number | null
  from: number
  enabled: boolean
  payout: number
  withdrawn: boolean
}

/** Walks through the rows as they were added and keeps the one that began last. */
function naivePayout(rates: readonly NaiveRate[], office: number, at: number): number {
  const lastOf = (of: number | null) => {
    let last: NaiveRate | undefined
    for (const rate of rates) {
      if (rate.office !== of || rate.withdrawn || rate.from > at) continue
      if (!last || rate.from >= last.from) last = rate
    }
    return last
  }
  const own = lastOf(office)
  return own?.enabled ? own.payout : (lastOf(null)?.payout ?? 500)
}

async function seller() {
  const office_id = await buildOffice(db)
  return { office_id, agent_id: await buildAgent(db, { office_id }) }
}

function officeIdOf(place: number | null): number | null {
  return place === null ? null : (sellers[place]?.office_id ?? null)
}

/** The sums of each order's events. */
async function worthByOrder(typeId: number): Promise<Map<string, number>> {
  const events = await db
    .selectFrom('sale_events')
    .select(['transaction_id', 'payout_centavos'])
    .where('type_id', '=', typeId)
    .execute()
  const sums = new Map<string, number>()
  for (const { transaction_id: order, payout_centavos: centavos } of events) {
    sums.set(order ?? '', (sums.get(order ?? '') ?? 0) + centavos)
  }
  return sums
}

/** The amounts that are added to each day's totals. */
async function totalsOf(typeId: number) {
  const { rows } = await sql`
    select
      day, agent_id, sum(sales)::integer as sales, sum(payout_centavos)::bigint as payout,
      sum(earning_cents)::bigint as earning, sum(lpp)::integer as lpp
    from totals_pending where type_id = ${typeId}
    group by day, agent_id order by day, agent_id
  `.execute(db)
  return rows
}

/** What a report reads, without days that have only clicks. */
async function foldedOf(typeId: number) {
  const { rows } = await sql`
    select day, agent_id, office_id, sales, avp_sales, payout_centavos, earning_cents, lpp
    from totals_day_agent_type
    where type_id = ${typeId}
      and (sales, avp_sales, payout_centavos, earning_cents, lpp) <> (0, 0, 0, 0, 0)
    order by day, agent_id, office_id
  `.execute(db)
  return rows
}

async function eventsOf(typeId: number) {
  const { rows } = await sql`
    select
      (occurred_at at time zone 'America/New_York')::date as day, agent_id,
      sum(quantity)::integer as sales, sum(payout_centavos)::bigint as payout,
      sum(earning_cents)::bigint as earning, sum(lpp)::integer as lpp
    from sale_events where type_id = ${typeId}
    group by 1, agent_id order by 1, agent_id
  `.execute(db)
  return rows
}
