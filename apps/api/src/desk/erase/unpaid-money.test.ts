import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import type { TypedToDelete } from '@tallyroom/contract/people/agents'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { approveWaiting, buildPerson } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { payRoutes } from '../../pay/pay.routes.ts'
import { deleteAgent } from './delete-agent.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes(payRoutes(services))
const who = viewer(undefined, ['DELETE_AGENTS'])

beforeEach(() => emptyTables(connection, PAY_TABLES))

/** Tiers pay ₱100.00 ($2.00) for one or two sales per week, ₱200.00 ($4.00) for more. */
async function world(settings: Parameters<typeof buildPayWorld>[1] = { avp: 'instead' }) {
  const made = await buildPayWorld(services, settings)
  const tier = (index: number, from: number, to: number, centavos: number) => ({
    valid_from: '2026-01-05',
    index,
    from_sales: from,
    to_sales: to,
    payout_centavos: centavos,
    payout_cents: centavos / 50,
  })
  await db
    .insertInto('avp_tiers')
    .values([tier(0, 0, 0, 0), tier(1, 1, 2, 100_00), tier(2, 3, 1000, 200_00)])
    .execute()
  const { maria } = made.agents
  return {
    ...made,
    remove: (typed?: number) => deleteAgent(services, who, maria, asTyped(typed)),
    /** What the refusal says. */
    refusal: (typed?: number) =>
      deleteAgent(services, who, maria, asTyped(typed)).then(
        () => 'deleted',
        (error: { data?: Record<string, string[]>; message: string }) =>
          Object.values(error.data ?? {}).join(' ') || error.message,
      ),
  }
}

const asTyped = (unpaidCentavos: number | undefined) =>
  unpaidCentavos === undefined ? {} : { unpaidCentavos }

const says = (money: string) => `This agent has ${money} of unpaid money.`

test('what tiers pay instead of rates is unpaid money, also at a rate of nothing', async () => {
  const { sell, refusal, remove } = await world()
  services.clock.set('2026-02-04T17:00:00Z')
  for (const name of ['a', 'b', 'c']) {
    await sell(name, 'maria', '2026-02-03', { payout_centavos: 0 })
  }
  expect(await refusal()).toBe(says('₱600.00'))
  expect(await refusal(0)).toBe(says('₱600.00'))
  await remove(600_00)
})

test('a sale that a tier pays is worth its tier, not its rate', async () => {
  const { sell, refusal } = await world()
  services.clock.set('2026-02-04T17:00:00Z')
  await sell('a', 'maria', '2026-02-03')
  expect(await refusal(500_00)).toBe(says('₱100.00'))
  expect(await refusal(100_00)).toBe('deleted')
})

test('on top of rates, both count', async () => {
  const { sell, refusal } = await world({ avp: 'on-top' })
  services.clock.set('2026-02-04T17:00:00Z')
  await sell('a', 'maria', '2026-02-03')
  await sell('b', 'maria', '2026-02-03', { plain: true })
  expect(await refusal()).toBe(says('₱900.00'))
})

test('a chargeback of a sale that a tier paid does not hide an unpaid sale', async () => {
  const { sell, reverse, close, refusal } = await world()
  await sell('a', 'maria', '2026-02-03')
  await close('2026-02-A', '2026-02-16')
  await reverse('a', '2026-02-17')
  await sell('b', 'maria', '2026-02-17', { plain: true, payout_centavos: 500_00 })
  services.clock.set('2026-02-18T17:00:00Z')
  expect(await refusal()).toBe(says('₱400.00'))
})

test('sums of several payees are asked about even if they add up to nothing', async () => {
  const { sell, reverse, close, offices, refusal } = await world()
  await sell('a', 'maria', '2026-02-03', { plain: true })
  await close('2026-02-A', '2026-02-16')
  await reverse('a', '2026-02-17')
  await sell('b', 'maria', '2026-02-17', { plain: true, office_id: offices.cebu })
  services.clock.set('2026-02-18T17:00:00Z')
  expect(await refusal()).toMatch(/₱0\.00 \(.*₱300\.00 and .*₱300\.00\)/)
  expect(await refusal(0)).toBe('deleted')
})

test('an office keeps what its week pays for the sales that are booked', async () => {
  const { sell, close, refusal } = await world()
  // The week’s Sunday is 1 March, in the next period.
  await sell('a', 'maria', '2026-02-24')
  await close('2026-02-A', '2026-03-01')
  await close('2026-02-B', '2026-03-01')
  await sell('b', 'maria', '2026-03-01')
  await sell('c', 'maria', '2026-03-01')
  services.clock.set('2026-03-01T20:00:00Z')
  // Three at ₱200.00 less the one that is booked, at ₱100.00.
  expect(await refusal()).toBe(says('₱500.00'))
  expect(await refusal(500_00)).toBe('deleted')
  await close('2026-03-A', '2026-03-16')
  const statements = await db.selectFrom('statements').select(['number', 'amount']).execute()
  expect(statements).toContainEqual({ number: '2026-03-A-0001', amount: 100_00 })
})

test('dollars are typed like pesos', async () => {
  const { sell, payIn, offices, agents, refusal } = await world()
  await payIn('USD', offices.manila)
  services.clock.set('2026-02-04T17:00:00Z')
  await sell('a', 'maria', '2026-02-03')
  expect(await refusal()).toBe(says('$2.00'))
  expect(await refusal(2_00)).toContain('no unpaid money in pesos')
  const { maria } = agents
  await deleteAgent(services, who, maria, { unpaidCents: 2_00 })
})

test('nothing is asked about sales that pay nothing', async () => {
  const { sell, refusal } = await world({ avp: 'information' })
  services.clock.set('2026-02-04T17:00:00Z')
  await sell('a', 'maria', '2026-02-03', { payout_centavos: 0 })
  expect(await refusal(1)).toBe('This agent has no unpaid money in pesos.')
  expect(await refusal()).toBe('deleted')
})

test('what an agent owes of advances is asked about, in each currency, beside what they are owed', async () => {
  const { sell, agents } = await world({ avp: 'information', payees: 'agents' })
  await call(await buildPerson(db, 'ann'), balancesEndpoints.payOutside, {
    body: {
      kind: 'agent',
      id: agents.maria,
      currency: 'PHP',
      amount: 1_500_00,
      way: 'cash',
      paidOn: '2026-02-01',
      voucher: '1',
      reason: 'School fees',
      instalments: 4,
    },
  })
  await approveWaiting(services)
  await sell('a', 'maria', '2026-02-01')
  services.clock.set('2026-02-02T17:00:00Z')
  const refusal = (typed: TypedToDelete) =>
    deleteAgent(services, who, agents.maria, typed).then(
      () => 'deleted',
      (error: { data?: object }) => error.data,
    )
  const owes = 'This agent owes ₱1,500.00 of an advance.'
  expect(await refusal({})).toEqual({ unpaidCentavos: [says('₱500.00')], owedCentavos: [owes] })
  expect(await refusal({ unpaidCentavos: 500_00, owedCentavos: 1_499_99 })).toEqual({
    owedCentavos: [owes],
  })
  expect(await refusal({ unpaidCentavos: 500_00, owedCentavos: 1_500_00, owedCents: 1 })).toEqual({
    owedCents: ['This agent owes nothing of advances in dollars.'],
  })
  expect(await refusal({ unpaidCentavos: 500_00, owedCentavos: 1_500_00 })).toBe('deleted')
})
