import type { Day } from '@tallyroom/domain/new-york'
import { freeOf, type HeldPart } from '@tallyroom/domain/pay'
import type { DbOrTx } from '../../db/database.ts'
import { type BalanceKey, balanceText, findBalances, findHeldParts } from './balances.queries.ts'

/** What of a balance can be paid on a day, and from when on the rest. In its minor units. */
export async function findFree(
  db: DbOrTx,
  key: BalanceKey,
  today: Day,
): Promise<{ free: number; later: HeldPart[] }> {
  const own = (await findBalances(db, key)).find(({ currency }) => currency === key.currency)
  const held = (await findHeldParts(db, today, key)).get(balanceText(key))
  return freeOf(own?.balance ?? 0, held ?? [])
}
