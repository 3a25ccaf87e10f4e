import { type RawBuilder, sql } from 'kysely'

/**
 * Deterministic randomness in SQL: a number from 0 to 2^63 - 1 for a key. `purpose` distinguishes draws for the
 * same key.
 */
export const hash = (key: RawBuilder<unknown>, purpose: number): RawBuilder<number> =>
  sql`(hashint8extended(${key}, ${sql.lit(purpose)}) & 9223372036854775807)`

/** The same as a fraction, from 0 inclusive to 1 exclusive. */
export const fraction = (key: RawBuilder<unknown>, purpose: number): RawBuilder<number> =>
  sql`(${hash(key, purpose)} % 1000000007 / 1000000007.0::float8)`

/** A version 7 UUID for an instant; `key` distinguishes those of the same millisecond. */
export const uuidOf = (
  at: RawBuilder<unknown>,
  key: RawBuilder<unknown>,
): RawBuilder<string> => sql`(
  lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
  || '7' || lpad(to_hex(${hash(key, 90)} % 4096), 3, '0')
  || 'b' || lpad(to_hex(${hash(key, 91)} % 4096), 3, '0')
  || lpad(to_hex(${hash(key, 92)} % 281474976710656), 12, '0')
)::uuid`
