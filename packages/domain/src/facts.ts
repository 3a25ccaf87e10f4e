import { type Ability, type AbilityHolder, can } from './abilities.ts'

type Rule = {
  /** What it takes to read of it, besides its being in scope: the ability of the page that it leads to. */
  ability: Ability
  /** An office also reads of it about its agents. Their pay is not its business. */
  ofAgents?: true
  /** Offices and agents read of it only while the system option `payout_visible` is on. */
  ofPayouts?: true
}

/**
 * What people and programs may want to hear of, besides sales. Agents and offices hear of their own, staff of all.
 */
const RULES = {
  'agent.approved': { ability: 'signed-in', ofAgents: true },
  'agent.suspended': { ability: 'signed-in', ofAgents: true },
  'statement.closed': { ability: 'pay.view', ofPayouts: true },
  'payment.sent': { ability: 'pay.view', ofPayouts: true },
  'payment.failed': { ability: 'pay.view', ofPayouts: true },
  'payment.returned': { ability: 'pay.view', ofPayouts: true },
  'pay.held': { ability: 'pay.view' },
  'pay.released': { ability: 'pay.view' },
  'account.changed': { ability: 'signed-in' },
  'rate.changed': { ability: 'link-types.view' },
  'alarm.raised': { ability: 'settings.view' },
  'alarm.ended': { ability: 'settings.view' },
} as const satisfies Record<string, Rule>

export type FactKind = keyof typeof RULES

export const FACT_KINDS = Object.keys(RULES) as [FactKind, ...FactKind[]] // Object.keys forgets the key type

/** The kinds that are about an agent as such: offices read them of theirs, and staff of those on their list of agents. */
export const AGENT_FACT_KINDS = FACT_KINDS.filter((kind) => {
  const rule: Rule = RULES[kind]
  return rule.ofAgents
})

/** The kinds of which this account may hear at all. */
export const factKindsFor = (
  viewer: AbilityHolder,
  { payout: seesPayouts }: { payout: boolean },
): FactKind[] =>
  FACT_KINDS.filter((kind) => {
    const rule: Rule = RULES[kind]
    return can(viewer, rule.ability) && (seesPayouts || !rule.ofPayouts)
  })
