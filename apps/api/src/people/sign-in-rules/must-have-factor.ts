import type { AbilityHolder } from '@tallyroom/domain/abilities'
import { dayOf } from '@tallyroom/domain/new-york'
import {
  isClosedWithoutFactor,
  type FactorAct,
  mustHaveFactor,
  type RulesOfGroups,
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
 * Call this before somebody without a second factor does what takes one of whoever has one.
 *
 * @throws FORBIDDEN from the day on that the network has chosen, if that is about this act
 */
export async function refuseWithoutActFactor(tx: Tx, act: FactorAct): Promise<void> {
  if (isClosedWithoutFactor(act, await findSignInRules(tx), dayOf(tx.now)))
    throw forbidden(
      'This takes a second factor, and your account has none. Add a passkey or an authenticator app in Profile → Second factor, then try again.',
    )
}
