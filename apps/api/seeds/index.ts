import { seedBig } from './big/seed-big.ts'
import { seedDemo } from './demo/seed-demo.ts'
import type { DbOrTx } from '../src/db/database.ts'
import { verifyPassword } from '../src/lib/password.ts'
import { demoPassword } from './demo/people.ts'
import type { SeedServices } from './seeding.ts'

/** Fills an empty database with a sample world. Leaves any other database alone. */
export async function seed(kind: 'demo' | 'big' | 'none', services: SeedServices): Promise<void> {
  switch (kind) {
    case 'demo':
      return seedDemo(services)
    case 'big':
      return seedBig(services)
    case 'none':
  }
}

/** Whether a database holds the demo world, whose password is public. */
export async function isDemoWorld(db: DbOrTx): Promise<boolean> {
  const people = await db
    .selectFrom('accounts')
    .select('id')
    .where('username', 'in', ['superadmin', 'admin', 'admin2', 'manila', 'maria'])
    .execute()
  return people.length === 5
}

/**
 * Whether accounts still have the sample worlds' password, which is public. All of a world have one hash, so that as long as
 * two of them have it, it is the commonest.
 */
export async function hasPublicPassword(db: DbOrTx): Promise<boolean> {
  const commonest = await db
    .selectFrom('accounts')
    .select('password_hash')
    .groupBy('password_hash')
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .limit(1)
    .executeTakeFirst()
  return commonest !== undefined && verifyPassword(demoPassword, commonest.password_hash)
}
