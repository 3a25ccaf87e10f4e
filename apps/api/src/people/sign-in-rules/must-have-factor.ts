import type { AbilityHolder } from '@tallyroom/domain/abilities'
import { dayOf } from '@tallyroom/domain/new-york'
import {
  mustHaveFactor,
  type RulesOfGroups,
  secondActsNeedFactor,
} from '@tallyroom/domain/sign-in-rules'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { conflict, forbidden } from '../../errors.ts'
import { factorsOf } from '../factors/take-code.ts'
import { findSignInRules } from './sign-in-rules.queries.ts'

type Holder = AbilityHolder & { accountId: number }

/** Whether an account must have a second factor, and has none. */
export const lacksFactor = async (
  db: DbOrTx,
  { rules, holder, now }: { rules: RulesOfGroups; holder: Holder; now: Date },
): Promise<boolean> =>
  mustHaveFactor(rules, holder, dayOf(now)) && (await factorsOf(db, holder.accountId)).length === 0

/**
 * Call this after a factor was removed by its holder, in the transaction of it.
 *
 * @throws CONFLICT if that was the last one of somebody who must have one
 */
export async function refuseWithoutFactor(tx: Tx, holder: Holder): Promise<void> {
  const rules = await findSignInRules(tx)
  if (await lacksFactor(tx, { rules, holder, now: tx.now }))
    throw conflict(
      'Your network requires a second factor of you. Add another one before you remove this.',
    )
}

/**
 * Call this before somebody without a second factor approves what another person has entered.
 *
 * @throws FORBIDDEN from the day on that the network has chosen
 */
export async function refuseWithoutActFactor(tx: Tx): Promise<void> {
  if (secondActsNeedFactor(await findSignInRules(tx), dayOf(tx.now)))
    throw forbidden(
      'Whoever approves needs a second factor. Add a passkey or an authenticator app in Profile → Second factor, then approve.',
    )
}
