import { seedBig } from './big/seed-big.ts'
import { seedDemo } from './demo/seed-demo.ts'
import type { SeedServices } from './seeding.ts'

/** Fills an empty database with a world to look at; leaves every other one alone. */
export async function seed(kind: 'demo' | 'big' | 'none', services: SeedServices): Promise<void> {
  switch (kind) {
    case 'demo':
      return seedDemo(services)
    case 'big':
      return seedBig(services)
    case 'none':
  }
}
