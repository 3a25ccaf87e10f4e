import { emptyTables, type TestDatabase } from './database.ts'
import { buildPayWorld, PAY_TABLES } from './pay-world.ts'
import { buildAccountInForce, buildPerson } from './payment-world.ts'
import type { TestServices } from './services.ts'
import { sealWorld } from './verify-world.ts'

/** Manila has earned ₱300.00 and Cebu ₱600.00 in the first half of February, which is closed. Ann and Bob may pay. */
export async function twoPayees(services: TestServices, { db, connection }: TestDatabase) {
  await emptyTables(connection, [...PAY_TABLES, 'closed_months', 'facts'])
  const world = await buildPayWorld(services, { avp: 'instead' })
  const ann = await buildPerson(db, 'ann')
  const bob = await buildPerson(db, 'bob')
  await buildAccountInForce(db, world.offices.manila)
  await buildAccountInForce(db, world.offices.cebu, { number: '9876543210' })
  await sealWorld(db)
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.sell('b', 'noel', '2026-02-03', { plain: true })
  await world.sell('c', 'noel', '2026-02-04', { plain: true })
  await world.close('2026-02-A', '2026-02-16')
  return { world, ann, bob }
}
