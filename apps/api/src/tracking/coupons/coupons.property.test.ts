import { fc, test as property } from '@fast-check/vitest'
import { expect } from 'vitest'
import { buildAgent, buildCoupon, buildOffice } from '../../../test/build-world.ts'
import { postbackWorld } from '../../../test/postback-world.ts'

const { db, clock, inbound, agentId: ann, merchant, eventsOf } = await postbackWorld()
const cebu = await buildOffice(db)
const ben = await buildAgent(db, { office_id: cebu })

/** What a postback about an order names: the click, the code, or both. */
const names = fc.constantFrom('click', 'code', 'both')

const world = fc.record({
  couponWins: fc.boolean(),
  /** Whether click and code are of one agent. */
  isOneAgent: fc.boolean(),
  orders: fc.array(
    fc.record({
      reports: fc.array(names, { minLength: 1, maxLength: 4 }),
      isReversed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  shuffle: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
  atOnce: fc.integer({ min: 1, max: 6 }),
})

property.prop([world], { numRuns: 25 })(
  'an order that is reported by its click, its code and both, in any order and at once, counts once, for one of them',
  async ({ couponWins, isOneAgent, orders, shuffle, atOnce }) => {
    clock.set('2026-03-10T16:00:00Z')
    const { siteId, click, get } = await merchant({ coupon_wins: couponWins })
    await buildCoupon(db, { site_id: siteId, agent_id: ann, code: 'ANNA10' })
    await inbound.sites.reload()
    const reports: Record<string, string>[] = []
    for (const [index, order] of orders.entries()) {
      const click_id = await click(isOneAgent ? {} : { agent_id: ben, office_id: cebu })
      for (const name of order.reports)
        reports.push({
          transaction_id: `A${index}`,
          ...(name !== 'code' && { click_id }),
          ...(name !== 'click' && { coupon: 'anna10' }),
        })
    }
    clock.advance(60_000)
    const drawn = reports
      .map((report) => ({ report, at: shuffle.next().value ?? 0 }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ report }) => report)
    const send = async (all: readonly Record<string, string>[]) => {
      for (let from = 0; from < all.length; from += atOnce) {
        const answers = await Promise.all(all.slice(from, from + atOnce).map((one) => get(one)))
        for (const { statusCode } of answers) expect([200, 201, 409]).toContain(statusCode)
      }
    }
    const counted = async () => {
      const events = await eventsOf(siteId)
      return orders.map((_, index) =>
        events.filter((event) => event.transaction_id === `A${index}` && event.quantity === 1),
      )
    }
    await send(drawn)
    const sales = await counted()
    for (const [index, of] of sales.entries()) {
      const { reports: sent = [] } = orders[index] ?? {}
      expect(of).toHaveLength(1)
      const agents = new Set(
        sent.map((name) =>
          isOneAgent || name === 'code' || (name === 'both' && couponWins) ? ann : ben,
        ),
      )
      expect(agents).toContain(of[0]?.agent_id)
    }
    // Retries of all of it change nothing.
    await send(drawn.toReversed())
    expect(await counted()).toEqual(sales)

    // Its number alone takes an order back.
    const taken = orders.flatMap(({ isReversed }, index) => (isReversed ? [`A${index}`] : []))
    clock.advance(60_000)
    await send(taken.map((transaction_id) => ({ event: 'void', transaction_id })))
    const events = await eventsOf(siteId)
    const net = events.reduce((sum, { quantity }) => sum + quantity, 0)
    expect(net).toBe(orders.length - taken.length)
    const totals = await db
      .selectFrom('totals_pending')
      .select(['agent_id', 'sales', 'payout_centavos'])
      .where('site_id', '=', siteId)
      .execute()
    for (const agentId of [ann, ben])
      expect(
        totals
          .filter((row) => row.agent_id === agentId)
          .reduce((sum, row) => sum + row.payout_centavos, 0),
      ).toBe(
        events
          .filter((event) => event.agent_id === agentId)
          .reduce((sum, event) => sum + event.payout_centavos, 0),
      )
  },
)
