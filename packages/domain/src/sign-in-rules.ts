import type { AbilityHolder } from './abilities.ts'
import type { Day } from './new-york.ts'

/** Of whom a network can require a second factor. `payers`: holders of PAY. */
export const FACTOR_GROUPS = ['superadmins', 'admins', 'payers', 'offices', 'agents'] as const
export type FactorGroup = (typeof FACTOR_GROUPS)[number]

/** From which day on, in New York, each must have one; null: not required. */
export type RulesOfGroups = Record<FactorGroup, Day | null>

/** What a network chooses. `secondActs`: from which day on nobody approves what another person has entered without one. */
export type SignInRules = RulesOfGroups & { secondActs: Day | null }

/** Every group that an account is in. */
function factorGroupsOf({ role, permissions }: AbilityHolder): FactorGroup[] {
  const ofRole = {
    superadmin: 'superadmins',
    admin: 'admins',
    company: 'offices',
    agent: 'agents',
  } as const
  return permissions.includes('PAY') ? [ofRole[role], 'payers'] : [ofRole[role]]
}

/** Whether an account must have a second factor on this day. */
export const mustHaveFactor = (rules: RulesOfGroups, holder: AbilityHolder, today: Day): boolean =>
  factorGroupsOf(holder).some((group) => {
    const from = rules[group]
    return from !== null && from <= today
  })

/** Whether nobody approves without a second factor on this day. */
export const secondActsNeedFactor = (
  { secondActs }: Pick<SignInRules, 'secondActs'>,
  today: Day,
): boolean => secondActs !== null && secondActs <= today
