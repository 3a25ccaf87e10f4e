/** `memory` is in KiB. */
export type HashCost = { memory: number; passes: number; parallelism: number }

/** The cost of argon2id for new passwords: OWASP's first recommendation. */
export const HASH_COST: HashCost = { memory: 19 * 1024, passes: 2, parallelism: 1 }
