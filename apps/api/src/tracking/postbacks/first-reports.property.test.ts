import { fc, test as property } from '@fast-check/vitest'
import { expect } from 'vitest'
import { buildLinkType } from '../../../test/build-world.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { about } from '../../../test/test-clock.ts'

const { clock, db, eventsOf, inbound, merchant } = await postbackWorld()

const PRODUCTS = ['basic', 'pro'] as const

/** Paid in centavos for the sale and the bonus of each. */
const PAID = { basic: { sale: 100_00, bonus: 10_00 }, pro: { sale: 300_00, bonus: 30_00 } }

const pending = fc.record({
  event: fc.constantFrom('sale' as const, 'bonus' as const),
  type: fc.constantFrom(undefined, ...PRODUCTS),
  amount: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
  email: fc.option(fc.constantFrom('a@example.com', 'b@example.com'), { nil: undefined }),
})
type Pending = typeof pending extends fc.Arbitrary<infer Value> ? Value : never

const order = fc.record({
  reports: fc.array(pending, { minLength: 1, maxLength: 5 }),
  /** What the approval says itself. */
  own: fc.record({
    event: fc.option(fc.constantFrom('sale' as const, 'bonus' as const), { nil: undefined }),
    amount: fc.option(fc.integer({ min: 100, max: 199 }), { nil: undefined }),
    namesClick: fc.boolean(),
  }),
})

const productOf = ({ type }: Pending) => type ?? 'basic'

/** Each product of the event that is said, or of the sale if any is pending, with what its reports say first. */
function naive(
  reports: readonly Pending[],
  { event, amount }: { event: string | undefined; amount: number | undefined },
) {
  const hasSale = reports.some((one) => one.event === 'sale')
  const meant = event ?? (hasSale ? 'sale' : 'bonus')
  return PRODUCTS.flatMap((product) => {
    const own = reports.filter((one) => one.event === meant && productOf(one) === product)
    const paid = PAID[product][meant === 'bonus' ? 'bonus' : 'sale']
    const said = amount ?? own.find((one) => one.amount !== undefined)?.amount
    const email = own.find((one) => one.email !== undefined)?.email
    const [first] = own
    return first
      ? [{ paid, amount: said ?? null, email: email ?? null, at: reports.indexOf(first) }]
      : []
  })
}

const fieldsOf = (said: Record<string, string | number | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )

property.prop([order], { numRuns: 30 })(
  'whatever an order was reported for as pending, its approval counts that, with all that only the first reports said',
  async ({ reports, own: { namesClick, ...own } }) => {
    clock.set('2026-03-10T16:00:00Z')
    const expected = naive(reports, own)
    fc.pre(expected.length > 0)
    const shop = await merchant({ several_products: true })
    const build = (name: (typeof PRODUCTS)[number]) =>
      buildLinkType(db, {
        site_id: shop.siteId,
        typealias: name,
        payout_centavos: PAID[name].sale,
        bonus: true,
        bonus_payout_centavos: PAID[name].bonus,
      })
    const clicked = { type_id: await build('basic'), clicked_at: new Date('2026-03-10T08:00:00Z') }
    await build('pro')
    const cid = await shop.click(clicked)
    const times: Date[] = []
    for (const report of reports) {
      times.push(clock.peek())
      const fields = fieldsOf({ cid, tid: 'A', status: 'pending', ...report })
      expect((await shop.get(fields)).statusCode).toBe(202)
      clock.advance(3_600_000)
    }
    await inbound.sites.reload()
    const approval = { tid: 'A', status: 'approved', ...own, ...(namesClick && { cid }) }
    const counted = async () => {
      const events = await eventsOf(shop.siteId)
      return events.map((event) => ({
        paid: event.payout_centavos,
        amount: event.amount_e4 === null ? null : event.amount_e4 / 10_000,
        email: event.customer_email,
        at: event.occurred_at,
      }))
    }
    const all = expected.map((one) => ({ ...one, at: about(times[one.at] ?? '') }))
    for (const status of [201, 200]) {
      expect((await shop.get(fieldsOf(approval))).statusCode).toBe(status)
      expect(await counted()).toEqual(all)
    }
  },
  120_000,
)
