import type { HashCost } from '../src/lib/hash-cost.ts'

/** Takes the place of the product's cost, at which hashing would dominate the tests that sign in: see vitest.config. */
export const HASH_COST: HashCost = { memory: 128, passes: 1, parallelism: 1 }
