import { fc, test as property } from '@fast-check/vitest'
import type { ClickIdFields } from '@tallyroom/domain/click-id'
import { expect } from 'vitest'
import {
  buildAgent,
  buildClick,
  buildFee,
  buildLinkType,
  buildOffice,
} from '../../../test/build-world.ts'
import {
  type Counted,
  dayInNewYork,
  naiveEvent,
  negated,
  outOfWeek,
  recordedEvents,
  recordedTotals,
  sorted,
  summed,
  type Worth,
} from '../../../test/naive-sales.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { settleWaiting } from './settle-waiting.ts'

const { db, clock, services, inbound, officeId, agentId, merchant } = await postbackWorld()
const cebu = await buildOffice(db)
const agents = [
  { id: agentId, office: officeId },
  { id: await buildAgent(db, { office_id: officeId }), office: officeId },
  { id: await buildAgent(db, { office_id: cebu }), office: cebu },
]

/** Instants at the edges of New York days, including those of 23 and 25 hours. */
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

/** One order of a click: its reports, each sent any number of times. */
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
  /** When all of its reversals happened, unless what they reverse happened later. */
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
  /**
   * In which order the reports arrive, how many at once, and after which of them waiting ones are
   * retried.
   */
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
    const outOfWeeks: Counted[] = []
    for (const [index, { agent, type, isLate, orders }] of clicks.entries()) {
      const who = agents[agent] ?? { id: 0, office: 0 }
      const fields: ClickIdFields = {
        // Before every report about it.
        clickedAtMs: Date.parse(instants[0] ?? '') - 1 - index,
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

      for (const [number, { sale, bonus, reversals, reversedAt: earliest }] of orders.entries()) {
        const reversedAt = Math.max(earliest, sale?.time ?? 0, bonus?.time ?? 0)
        const base = { cid: inbound.clickIds.sign(fields), tid: `${index}-${number}` }
        for (const [event, reported] of Object.entries({ sale, bonus })) {
          if (!reported) continue
          const time = instants[reported.time] ?? ''
          for (let copy = 0; copy < reported.times; copy++) reports.push({ ...base, event, time })
          const one = naiveEvent({
            isSale: event === 'sale',
            isAvp,
            agent: who.id,
            office: who.office,
            type: fields.typeId,
            worth: worthOf(type === 1, who.office === cebu),
          })
          expected.push({ ...one, day: dayInNewYork(time) })
          if (reversals.some(({ target }) => target === event)) {
            const day = dayInNewYork(instants[reversedAt] ?? '')
            expected.push({ ...negated(one), day })
            outOfWeeks.push(outOfWeek({ ...one, day: dayInNewYork(time) }))
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
    // A sale that waited for its click is recorded in one round, its reversal in the next.
    for (let round = 0; round < 3; round++) {
      clock.advance(11 * 60_000)
      await Promise.all([settleWaiting(services), settleWaiting(services)])
    }

    expect(await recordedEvents(db, siteId)).toEqual(sorted(expected))
    expect(await recordedTotals(db, siteId)).toEqual(summed([...expected, ...outOfWeeks]))
    const waiting = reports.length === 0 ? [] : await stillWaiting(siteId)
    // Only reversals of sales that were never reported are left.
    for (const { event } of waiting) expect(['void', 'chargeback', 'fraud']).toContain(event)
  },
  300_000,
)

/** The rates of the world below, in cents, centavos and points: of a sale and of a bonus. */
function worthOf(isBonusType: boolean, isCebu: boolean): { sale: Worth; bonus: Worth } {
  if (!isBonusType) return { sale: [25_00, 500_00, 1], bonus: [0, 0, 0] }
  return isCebu
    ? { sale: [35_00, 700_00, 2], bonus: [3_50, 70_00, 1] }
    : { sale: [10_07, 333_33, 3], bonus: [99, 1, 5] }
}

const stillWaiting = (siteId: number) =>
  db
    .selectFrom('waiting_postbacks as waiting')
    .innerJoin('postbacks as postback', 'postback.id', 'waiting.postback_id')
    .select('postback.event')
    .where('postback.site_id', '=', siteId)
    .execute()
