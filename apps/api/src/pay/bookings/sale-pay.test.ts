import { beforeEach, expect, test } from 'vitest'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { findCurrencies } from '../ledger/balances.queries.ts'
import { findTierPay } from './sale-pay.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)

beforeEach(() => emptyTables(connection, PAY_TABLES))

test('a sale row says what its tier pays, in the currency of its own payee, whatever other payees are paid in', async () => {
  const { sell, offices, agents, payIn } = await buildPayWorld(services, { avp: 'instead' })
  await payIn('USD', offices.manila)
  await sell('a', 'maria', '2026-02-03')
  await sell('b', 'noel', '2026-02-03')
  const soldAt = new Date('2026-02-03T17:00:00Z')
  const event = { isAvp: true, quantity: 1, recordedAt: soldAt, soldAt, saleRecordedAt: soldAt }
  const marias = { ...event, agentId: agents.maria, officeId: offices.manila }
  const noels = { ...event, agentId: agents.noel, officeId: offices.cebu }
  for (const page of [[marias, noels], [marias], [noels]]) {
    const payOf = await findTierPay(db, page)
    expect(page.map((one) => [one.agentId, payOf(one)?.amount, payOf(one)?.currency])).toEqual(
      page.map((one) => (one === marias ? [agents.maria, 0.2, 'USD'] : [agents.noel, 10, 'PHP'])),
    )
  }
})

test('currencies are read of the payees that are asked for', async () => {
  const { offices, payIn } = await buildPayWorld(services, { avp: 'instead' })
  await payIn('USD', offices.manila)
  await payIn('USD', offices.cebu)
  const [manila, cebu] = [offices.manila, offices.cebu].map((id) => ({
    kind: 'office' as const,
    id,
  }))
  const keysOf = async (only?: Parameters<typeof findCurrencies>[1]) =>
    [...(await findCurrencies(db, only)).keys()].toSorted()
  const both = [`office ${offices.manila}`, `office ${offices.cebu}`].toSorted()
  expect(await keysOf()).toEqual(both)
  expect(await keysOf([manila!, cebu!])).toEqual(both)
  expect(await keysOf([cebu!])).toEqual([`office ${offices.cebu}`])
  expect(await keysOf([{ kind: 'agent', id: offices.cebu }])).toEqual([])
  expect(await keysOf([])).toEqual([])
})

test('a difference or a refunded part has a tier, which pays 0, only where tiers pay instead of rates', async () => {
  for (const [avp, paid] of [
    ['instead', [10, 0]],
    ['on-top', [10, undefined]],
    ['information', [undefined, undefined]],
  ] as const) {
    await emptyTables(connection, PAY_TABLES)
    const { sell, offices, agents } = await buildPayWorld(services, { avp })
    await sell('a', 'maria', '2026-02-03')
    const soldAt = new Date('2026-02-03T17:00:00Z')
    const sale = {
      agentId: agents.maria,
      officeId: offices.manila,
      isAvp: true,
      quantity: 1,
      recordedAt: soldAt,
      soldAt,
      saleRecordedAt: soldAt,
    }
    const part = { ...sale, quantity: 0 }
    const payOf = await findTierPay(db, [sale, part])
    expect([payOf(sale)?.amount, payOf(part)?.amount]).toEqual(paid)
    // A part alone is as well told.
    expect((await findTierPay(db, [part]))(part)?.amount).toBe(paid[1])
  }
})
