import { randomUUID } from 'node:crypto'
import { fc, test as property } from '@fast-check/vitest'
import { type WhatIf, whatIfEndpoints } from '@tallyroom/contract/figures/what-if'
import { addDays, atNewYork } from '@tallyroom/domain/new-york'
import { expect } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { anyDeed, buildTwoOffices, FIRST, WEEKS } from '../../../test/two-office-world.ts'
import { rebuildTotals } from '../../totals/index.ts'
import { whatIf } from './what-if.ts'

const database = await testDatabase()
const services = testServices(database)
const { db, clock } = services
clock.set('2026-04-10T12:00:00Z')
const world = await buildTwoOffices(db)
const { types, offices } = world

const { body } = whatIfEndpoints.whatIf
if (!body) throw new TypeError('What if has criteria')

const history = fc.array(
  fc.record({
    ...anyDeed(world),
    quantity: fc.constantFrom(1, 1, 1, -1),
    event_type: fc.constantFrom(0, 0, 1, 2),
    payout: fc.integer({ min: 0, max: 100_000 }),
  }),
  { maxLength: 40 },
)
const amount = fc.option(fc.integer({ min: 0, max: 90_000 }), { nil: undefined })
const question = fc.record({
  from: fc.integer({ min: 0, max: 7 * WEEKS - 1 }),
  days: fc.integer({ min: 1, max: 7 * WEEKS }),
  groupBy: fc.constantFrom('company' as const, 'agent' as const),
  companyIds: fc.constantFrom([], [offices[0]], [...offices]),
  rates: fc.uniqueArray(
    fc.record({ type: fc.constantFrom(...types), payout: amount, bonusPayout: amount }),
    { selector: ({ type }) => type.type_id, minLength: 1 },
  ),
})

property.prop([history, fc.boolean(), fc.array(question, { minLength: 4, maxLength: 4 })], {
  numRuns: 8,
})(
  'what sales would have been paid is the sum over the raw events, and the rates that were in force change nothing',
  async (made, isConstant, questions) => {
    // The rates of a link type and kind are either constant or random for each sale.
    const events = made.map((event) => ({
      ...event,
      payout: isConstant ? event.type.type_id * 100 + event.event_type * 10 : event.payout,
    }))
    await store(events)

    for (const { from, days, groupBy, companyIds, rates } of questions) {
      const range = { start: addDays(FIRST, from), end: addDays(FIRST, from + days - 1) }
      const meant = events.filter(
        ({ day, office_id: officeId, type, event_type: kind }) =>
          kind !== 2 &&
          day >= range.start &&
          day <= range.end &&
          (companyIds.length === 0 || companyIds.includes(officeId)) &&
          rates.some((rate) => rate.type.type_id === type.type_id),
      )
      const ask = (given: { typeId: number; payout?: number; bonusPayout?: number }[]) =>
        whatIf(services, body.parse({ ...range, groupBy, companyIds, rates: given, pageSize: 500 }))

      const other = await ask(
        rates.map(({ type, payout, bonusPayout }) => ({
          typeId: type.type_id,
          ...(payout !== undefined && { payout: payout / 100 }),
          ...(bonusPayout !== undefined && { bonusPayout: bonusPayout / 100 }),
        })),
      )
      expect(rowsOf(other)).toEqual(
        grouped(meant, groupBy, ({ type, event_type: kind, payout }) => {
          const rate = rates.find((one) => one.type.type_id === type.type_id)
          return (kind === 0 ? rate?.payout : rate?.bonusPayout) ?? payout
        }),
      )

      if (!isConstant) continue
      const same = await ask(
        rates.map(({ type: { type_id: typeId } }) => ({
          typeId,
          payout: typeId,
          bonusPayout: (typeId * 100 + 10) / 100,
        })),
      )
      expect(same.overall.difference).toBe(0)
      expect(same.items.filter(({ difference }) => difference !== 0)).toEqual([])
    }
  },
)

type Event = Parameters<Parameters<typeof history.map>[0]>[0][number]

/**
 * What was paid and what would have been paid, in centavos, by office and agent; zeros are left
 * out.
 */
function grouped(
  events: readonly Event[],
  by: 'company' | 'agent',
  rate: (event: Event) => number,
) {
  const sums = new Map<string, [number, number]>()
  for (const event of events) {
    const key = `${event.office_id} ${by === 'agent' ? event.agent_id : ''}`
    const [paid, wouldBe] = sums.get(key) ?? [0, 0]
    sums.set(key, [paid + event.quantity * event.payout, wouldBe + event.quantity * rate(event)])
  }
  return withoutNothing(sums)
}

const rowsOf = ({ items }: WhatIf) =>
  withoutNothing(
    new Map(
      items.map(({ companyId, agentId = '', paid, wouldBe }) => [
        `${companyId} ${agentId}`,
        [Math.round(paid * 100), Math.round(wouldBe * 100)] as [number, number],
      ]),
    ),
  )

const withoutNothing = (sums: ReadonlyMap<string, [number, number]>) =>
  new Map([...sums].filter(([, [paid, wouldBe]]) => paid !== 0 || wouldBe !== 0))

async function store(events: readonly Event[]): Promise<void> {
  await execute(database.connection, 'delete from sale_events')
  const rows = events.map(({ type, day, payout, quantity, ...columns }) => ({
    ...columns,
    ...type,
    id: randomUUID(),
    occurred_at: atNewYork(day, '12:00'),
    recorded_at: atNewYork(day, '12:00'),
    quantity,
    earning_cents: 0,
    payout_centavos: columns.event_type === 2 ? 0 : quantity * payout,
    lpp: 0,
    rate_source: 'default',
    fraud: false,
    click_id: 'a click',
    ...(quantity < 0 && { reverses: randomUUID(), reversal: 'void' }),
  }))
  if (rows.length > 0) await db.insertInto('sale_events').values(rows).execute()
  await rebuildTotals(db)
}
