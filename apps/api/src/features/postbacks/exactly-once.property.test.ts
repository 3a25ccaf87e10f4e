import { fc, test as property } from '@fast-check/vitest'
import type { ClickIdFields } from '@tallyroom/domain/click-id'
import { sql } from 'kysely'
import { expect } from 'vitest'
import {
  buildAgent,
  buildClick,
  buildFee,
  buildLinkType,
  buildOffice,
} from '../../../test/build-world.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { settleWaiting } from './settle-waiting.ts'

const { db, clock, services, door, officeId, agentId, merchant } = await postbackWorld()
const cebu = await buildOffice(db)
const agents = [
  { id: agentId, office: officeId },
  { id: await buildAgent(db, { office_id: officeId }), office: officeId },
  { id: await buildAgent(db, { office_id: cebu }), office: cebu },
]

/** Instants at the edges of New York days, on those of 23 and 25 hours too. */
const SPRING = [
  '2026-03-08T04:59:59.999Z',
  '2026-03-08T05:00:00.000Z',
  '2026-03-08T07:00:00.000Z',
  '2026-03-09T03:59:59.999Z',
  '2026-03-09T04:00:00.000Z',
]
const AUTUMN = [
  '2026-11-01T03:59:59.999Z',
  '2026-11-01T04:00:00.000Z',
  '2026-11-01T06:30:00.000Z',
  '2026-11-02T04:59:59.999Z',
  '2026-11-02T05:00:00.000Z',
]

let nonce = 0

const instant = fc.nat({ max: 4 })

/** One order of a click: what was reported of it, each any number of times. */
const order = fc.record({
  sale: fc.option(fc.record({ time: instant, times: fc.integer({ min: 1, max: 3 }) })),
  bonus: fc.option(fc.record({ time: instant, times: fc.integer({ min: 1, max: 3 }) })),
  reversals: fc.array(
    fc.record({
      word: fc.constantFrom('void', 'chargeback', 'fraud'),
      target: fc.constantFrom('sale', 'bonus'),
      times: fc.integer({ min: 1, max: 2 }),
    }),
    { maxLength: 3 },
  ),
  /** When all of its reversals happened. */
  reversedAt: instant,
})

const click = fc.record({
  agent: fc.nat({ max: 2 }),
  type: fc.nat({ max: 1 }),
  isLate: fc.boolean(),
  orders: fc.array(order, { minLength: 1, maxLength: 3 }),
})

const history = fc.record({
  isAutumn: fc.boolean(),
  isAvp: fc.boolean(),
  clicks: fc.array(click, { minLength: 1, maxLength: 4 }),
  /** In which order the reports arrive, how many at once, and after which of them waiting ones are tried. */
  shuffle: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
  atOnce: fc.integer({ min: 1, max: 8 }),
})

property.prop([history], { numRuns: 30 })(
  'whatever comes late, twice, together or in the wrong order, events and totals are those of a naive count',
  async ({ isAutumn, isAvp, clicks, shuffle, atOnce }) => {
    const instants = isAutumn ? AUTUMN : SPRING
    clock.set(isAutumn ? '2026-11-03T12:00:00Z' : '2026-03-10T12:00:00Z')
    const { siteId, typeId, get } = await merchant({ avp: isAvp })
    const bonusType = await buildLinkType(db, {
      site_id: siteId,
      bonus: true,
      earning_cents: 10_07,
      payout_centavos: 333_33,
      lpp: 3,
      bonus_earning_cents: 99,
      bonus_payout_centavos: 1,
      bonus_lpp: 5,
    })
    const types = [typeId, bonusType]
    await buildFee(db, { type_id: bonusType, office_id: cebu })

    const reports: Record<string, string>[] = []
    const lateClicks: (() => Promise<unknown>)[] = []
    const expected: Counted[] = []
    for (const [index, { agent, type, isLate, orders }] of clicks.entries()) {
      const who = agents[agent] ?? { id: 0, office: 0 }
      const fields: ClickIdFields = {
        clickedAtMs: clock.now().getTime() - index,
        agentId: who.id,
        typeId: types[type] ?? 0,
        nonce: ++nonce,
      }
      const store = () =>
        buildClick(db, {
          agent_id: who.id,
          office_id: who.office,
          site_id: siteId,
          type_id: fields.typeId,
          clicked_at: new Date(fields.clickedAtMs),
          nonce: fields.nonce,
        })
      if (isLate) lateClicks.push(store)
      else await store()

      for (const [number, { sale, bonus, reversals, reversedAt }] of orders.entries()) {
        const base = { cid: door.clickIds.sign(fields), tid: `${index}-${number}` }
        for (const [event, reported] of Object.entries({ sale, bonus })) {
          if (!reported) continue
          const time = instants[reported.time] ?? ''
          for (let copy = 0; copy < reported.times; copy++) reports.push({ ...base, event, time })
          const one = naiveEvent(event, fields, who.office, isAvp && event === 'sale')
          expected.push({ ...one, day: dayInNewYork(time) })
          if (reversals.some(({ target }) => target === event)) {
            const day = dayInNewYork(instants[reversedAt] ?? '')
            expected.push({ ...negated(one), day })
          }
        }
        for (const { word, target, times } of reversals) {
          const time = instants[reversedAt] ?? ''
          for (let copy = 0; copy < times; copy++) {
            reports.push({ ...base, event: word, reverses: target, time })
          }
        }
      }
    }

    const inOrder = reports
      .map((report) => ({ report, place: shuffle.next().value }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ report }) => report)
    for (let start = 0; start < inOrder.length; start += atOnce) {
      const answers = await Promise.all(inOrder.slice(start, start + atOnce).map((one) => get(one)))
      for (const answer of answers) expect([200, 201, 202]).toContain(answer.statusCode)
      if (start % 3 === 0) await lateClicks.pop()?.()
      clock.advance(5_000)
      await settleWaiting(services)
    }
    for (const store of lateClicks) await store()
    // A sale that waited for its click is there after one round, its reversal after the next.
    for (let round = 0; round < 3; round++) {
      clock.advance(11 * 60_000)
      await Promise.all([settleWaiting(services), settleWaiting(services)])
    }

    function naiveEvent(
      event: string,
      fields: ClickIdFields,
      office: number,
      countsForAvp: boolean,
    ) {
      const isBonusType = fields.typeId === bonusType
      const isOwnRate = isBonusType && office === cebu
      const [earning = 0, payout = 0, lpp = 0] =
        event === 'sale'
          ? isOwnRate
            ? [35_00, 700_00, 2]
            : isBonusType
              ? [10_07, 333_33, 3]
              : [25_00, 500_00, 1]
          : isOwnRate
            ? [3_50, 70_00, 1]
            : isBonusType
              ? [99, 1, 5]
              : [0, 0, 0]
      return {
        agent: fields.agentId,
        office,
        type: fields.typeId,
        sales: event === 'sale' ? 1 : 0,
        bonuses: event === 'bonus' ? 1 : 0,
        avp: countsForAvp ? 1 : 0,
        earning: event === 'sale' ? earning : 0,
        bonusEarning: event === 'bonus' ? earning : 0,
        payout: event === 'sale' ? payout : 0,
        bonusPayout: event === 'bonus' ? payout : 0,
        lpp,
      }
    }

    expect(await recordedEvents(siteId)).toEqual(sorted(expected))
    expect(await recordedTotals(siteId)).toEqual(summed(expected))
    const waiting = reports.length === 0 ? [] : await stillWaiting(siteId)
    // Only reversals of what was never reported are left.
    for (const { event } of waiting) expect(['void', 'chargeback', 'fraud']).toContain(event)
  },
  120_000,
)

/** What one event counts for; amounts in cents and centavos. */
type Counted = {
  day: string
  agent: number
  office: number
  type: number
  sales: number
  bonuses: number
  avp: number
  earning: number
  bonusEarning: number
  payout: number
  bonusPayout: number
  lpp: number
}

function negated(one: Omit<Counted, 'day'>): Omit<Counted, 'day'> {
  const { agent, office, type, ...numbers } = one
  const negative = Object.entries(numbers).map(([name, value]) => [name, 0 - value])
  return { ...one, ...Object.fromEntries(negative) }
}

const dayInNewYork = (iso: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(iso))

const sorted = (rows: readonly Counted[]): Counted[] =>
  rows.toSorted((a, b) => (JSON.stringify(ordered(a)) < JSON.stringify(ordered(b)) ? -1 : 1))

const ordered = (row: Counted) => Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))

function summed(rows: readonly Counted[]): Counted[] {
  const sums = new Map<string, Counted>()
  for (const row of rows) {
    const key = `${row.day} ${row.agent} ${row.office} ${row.type}`
    const sum = sums.get(key)
    if (!sum) {
      sums.set(key, { ...row })
      continue
    }
    sum.sales += row.sales
    sum.bonuses += row.bonuses
    sum.avp += row.avp
    sum.earning += row.earning
    sum.bonusEarning += row.bonusEarning
    sum.payout += row.payout
    sum.bonusPayout += row.bonusPayout
    sum.lpp += row.lpp
  }
  return sorted([...sums.values()])
}

async function recordedEvents(siteId: number): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select
      to_char(occurred_at at time zone 'America/New_York', 'YYYY-MM-DD') as day,
      agent_id as agent, office_id as office, type_id as type,
      case when event_type = 0 then quantity else 0 end as sales,
      case when event_type = 1 then quantity else 0 end as bonuses,
      case when event_type = 0 and avp then quantity else 0 end as avp,
      case when event_type = 0 then earning_cents else 0 end as earning,
      case when event_type = 1 then earning_cents else 0 end as "bonusEarning",
      case when event_type = 0 then payout_centavos else 0 end as payout,
      case when event_type = 1 then payout_centavos else 0 end as "bonusPayout",
      lpp
    from sale_events
    where site_id = ${siteId}
  `.execute(db)
  return sorted(rows)
}

async function recordedTotals(siteId: number): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select
      day, agent_id as agent, office_id as office, type_id as type,
      sum(sales) as sales, sum(bonus_sales) as bonuses, sum(avp_sales) as avp,
      sum(earning_cents)::bigint as earning, sum(bonus_earning_cents)::bigint as "bonusEarning",
      sum(payout_centavos)::bigint as payout, sum(bonus_payout_centavos)::bigint as "bonusPayout",
      sum(lpp) as lpp
    from totals_pending
    where site_id = ${siteId}
    group by day, agent_id, office_id, type_id
  `.execute(db)
  return sorted(rows)
}

const stillWaiting = (siteId: number) =>
  db
    .selectFrom('waiting_postbacks as waiting')
    .innerJoin('postbacks as postback', 'postback.id', 'waiting.postback_id')
    .select('postback.event')
    .where('postback.site_id', '=', siteId)
    .execute()
