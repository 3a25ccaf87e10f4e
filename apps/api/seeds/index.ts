import { seedBig } from './big/seed-big.ts'
import { seedDemo } from './demo/seed-demo.ts'
import type { DbOrTx } from '../src/db/database.ts'
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
