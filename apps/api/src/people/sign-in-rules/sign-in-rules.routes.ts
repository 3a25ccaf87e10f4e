import { signInRulesEndpoints } from '@tallyroom/contract/people/sign-in-rules'
import { dayOf } from '@tallyroom/domain/new-york'
import { FACTOR_GROUPS } from '@tallyroom/domain/sign-in-rules'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import { refuseStale, withChange } from '../../forms.ts'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { findSignInRules, lockSignInRules, updateSignInRules } from './sign-in-rules.queries.ts'

export const signInRulesRoutes = ({ db }: Pick<Services, 'db'>): Route[] => [
  route(signInRulesEndpoints.signInRules, () => findSignInRules(db)),

  formRoute(signInRulesEndpoints.saveSignInRules, ({ body }) =>
    inTransaction(db, async (tx) => {
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
        throw invalid(Object.fromEntries(past.map((group) => [group, ['must not be in the past']])))
      await updateSignInRules(tx, next)
    }),
  ),
]
