import type { AbilityHolder } from './abilities.ts'
import type { Day } from './new-york.ts'

/** Of whom a network can require a second factor. `payers`: holders of PAY. */
export const FACTOR_GROUPS = ['superadmins', 'admins', 'payers', 'offices', 'agents'] as const
export type FactorGroup = (typeof FACTOR_GROUPS)[number]

/** From which day on, in New York, each must have one; null: not required. */
export type RulesOfGroups = Record<FactorGroup, Day | null>

/** What a network chooses. `secondActs`: from which day on nobody does without one what {@link factorActs} end then. */
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

/**
 * The one table: the acts that take the second factor of whoever has one, each time, however recently it was given.
 * `endsWithDay`: whoever has none may do it until the day of `secondActs`, and nobody for some days after their factor was
 * changed without it; otherwise always. `byRecoveryCode`: a recovery code stands in for the factor.
 */
export const factorActs = {
  approve: { endsWithDay: true, byRecoveryCode: false },
  'close period': { endsWithDay: false, byRecoveryCode: false },
  'take file': { endsWithDay: true, byRecoveryCode: false },
  'grant PAY': { endsWithDay: true, byRecoveryCode: false },
  /** A new password, address or invitation of an admin who may pay: whoever has it can act as them. */
  'open payer': { endsWithDay: true, byRecoveryCode: false },
  /** A later day of `secondActs`, or none. */
  'put off factors': { endsWithDay: true, byRecoveryCode: false },
  'add factor': { endsWithDay: false, byRecoveryCode: true },
  'new recovery codes': { endsWithDay: false, byRecoveryCode: true },
} as const satisfies Record<string, { endsWithDay: boolean; byRecoveryCode: boolean }>

export type FactorAct = keyof typeof factorActs

export const FACTOR_ACTS = Object.keys(factorActs) as [FactorAct, ...FactorAct[]] // Object.keys forgets the key type

/** Whether nobody does this without a second factor on this day. */
export const isClosedWithoutFactor = (
  act: FactorAct,
  { secondActs }: Pick<SignInRules, 'secondActs'>,
  today: Day,
): boolean => factorActs[act].endsWithDay && secondActs !== null && secondActs <= today
