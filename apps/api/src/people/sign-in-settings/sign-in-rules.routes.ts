import { signInRulesEndpoints } from '@tallyroom/contract/people/sign-in-rules'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import { FACTOR_GROUPS } from '@tallyroom/domain/sign-in-rules'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import { refuseStale, withChange } from '../../forms.ts'
import { type Route, formRoute, route } from '../../http/route.ts'
import {
  type FactorServices,
  type Giver,
  hashOfAct,
  takeFactorFor,
  withFactor,
} from '../confirming/act-with-factor.ts'
import {
  findSignInRules,
  lockSignInRules,
  updateSignInRules,
} from '../sign-in-rules/sign-in-rules.queries.ts'

export const signInRulesRoutes = (services: FactorServices): Route[] => [
  route(signInRulesEndpoints.signInRules, () => findSignInRules(services.db)),

  formRoute(signInRulesEndpoints.saveSignInRules, ({ viewer, body }) =>
    withFactor(services, viewer, (giver) =>
      inTransaction(services.db, async (tx) => {
        const present = await lockSignInRules(tx)
        refuseStale('page', present.version, body.version)
        const next = withChange(present, body, { fixed: ['version'] })
        const today = dayOf(tx.now)
        // The history says from when on it was required.
        const past = [...FACTOR_GROUPS, 'secondActs' as const].filter((group) => {
          const from = next[group]
          return from !== null && from !== present[group] && from < today
        })
        if (past.length > 0)
          throw invalid(
            Object.fromEntries(past.map((group) => [group, ['must not be in the past']])),
          )
        await confirmPutOff(tx, giver, { from: present.secondActs, to: next.secondActs })
        await updateSignInRules(tx, next)
      }),
    ),
  ),
]

/** Takes the second factor of whoever lets others do without one for longer. */
async function confirmPutOff(
  tx: Tx,
  giver: Giver,
  { from, to }: { from: Day | null; to: Day | null },
): Promise<void> {
  if (from === null || (to !== null && to <= from)) return
  await takeFactorFor(tx, giver, 'put off factors', hashOfAct('put off factors', from, to))
}
