import { type Ability, type AbilityHolder, can } from './abilities.ts'
import { isAtLeast, type Role } from './roles.ts'

/** What one chooses to get mails about. `day`: yesterday's figures. */
export const TOPICS = [
  'statements',
  'payments',
  'agents',
  'rates',
  'alarms',
  'proof',
  'day',
] as const
export type Topic = (typeof TOPICS)[number]

/** How one hears of a topic by mail. `digest`: at 07:00 in New York. */
export const MAIL_CHOICES = ['off', 'at once', 'digest'] as const
export type MailChoice = (typeof MAIL_CHOICES)[number]

/** The choices for a topic: a day is over once a day. */
export const mailChoicesOf = (topic: Topic): readonly MailChoice[] =>
  topic === 'day' ? ['off', 'digest'] : MAIL_CHOICES

/** What an account gets that has not chosen: agents and offices hear of their pay, staff of alarms. */
export const usualChoice = (topic: Topic, role: Role): MailChoice => {
  const usual: readonly Topic[] = isAtLeast(role, 'admin')
    ? ['alarms', 'proof']
    : ['statements', 'payments']
  return usual.includes(topic) ? 'at once' : 'off'
}

type Rule = {
  /** With which kinds it is chosen; without one, it is mailed whatever was chosen. */
  topic?: Topic
  /** What it takes to read of it, besides its being in scope: the ability of the page that it leads to. */
  ability: Ability
  /** It is about an agent or office as such: an office also reads of it about its agents, whose pay is not its business. */
  ofAgents?: true
  /** Offices and agents read of it only while the system option `payout_visible` is on. */
  ofPayouts?: true
  /** It comes every day, so it is mailed, and not in the bell. */
  daily?: true
}

/**
 * What people and programs may want to hear of, besides sales. Agents and offices hear of their own, staff of all.
 */
const RULES = {
  'agent.approved': { topic: 'agents', ability: 'signed-in', ofAgents: true },
  'agent.suspended': { topic: 'agents', ability: 'signed-in', ofAgents: true },
  'statement.closed': { topic: 'statements', ability: 'pay.view', ofPayouts: true },
  'payment.sent': { topic: 'payments', ability: 'pay.view', ofPayouts: true },
  'payment.failed': { topic: 'payments', ability: 'pay.view', ofPayouts: true },
  'payment.returned': { topic: 'payments', ability: 'pay.view', ofPayouts: true },
  'payment.contradicted': { topic: 'payments', ability: 'pay.manage' },
  'payment.outside': { topic: 'payments', ability: 'pay.view', ofPayouts: true },
  'money.received': { topic: 'payments', ability: 'pay.view', ofPayouts: true },
  'pay.held': { topic: 'payments', ability: 'pay.view' },
  'pay.released': { topic: 'payments', ability: 'pay.view' },
  'account.changed': { ability: 'signed-in' },
  'factor.changed': { ability: 'signed-in' },
  'sign-in.noticed': { ability: 'signed-in' },
  'sessions.ended': { ability: 'signed-in' },
  'password.asked': { ability: 'signed-in', ofAgents: true },
  'staff-password.asked': { ability: 'admins.manage' },
  'factor.reset': { ability: 'verification.see' },
  'factor.recovered': { ability: 'verification.see' },
  'postback.failed': { ability: 'signed-in' },
  'decision.wanted': { ability: 'postbacks.settle' },
  'rate.changed': { topic: 'rates', ability: 'link-types.view' },
  'alarm.raised': { topic: 'alarms', ability: 'settings.view' },
  'alarm.ended': { topic: 'alarms', ability: 'settings.view' },
  'proof.broken': { topic: 'proof', ability: 'verification.see' },
  'proof.mended': { topic: 'proof', ability: 'verification.see' },
  'proof.verified': { topic: 'proof', ability: 'verification.see', daily: true },
} as const satisfies Record<string, Rule>

export type FactKind = keyof typeof RULES

export const FACT_KINDS = Object.keys(RULES) as [FactKind, ...FactKind[]] // Object.keys forgets the key type

/** The kinds that are about an agent or office as such: offices read them of theirs, and staff of those on their lists. */
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

/** Whether the bell has this kind. */
export const isInBell = (kind: FactKind): boolean => {
  const rule: Rule = RULES[kind]
  return !rule.daily
}

/** The topic with which this kind is chosen; undefined: it is mailed in any case. */
export const topicOf = (kind: FactKind): Topic | undefined => {
  const rule: Rule = RULES[kind]
  return rule.topic
}

/** What this account can choose. */
export const topicsFor = (viewer: AbilityHolder): Topic[] => {
  const kinds = factKindsFor(viewer, { payout: true })
  return TOPICS.filter((topic) => topic === 'day' || kinds.some((kind) => topicOf(kind) === topic))
}

/** Topics as people read them. */
export const topicLabels: Record<Topic, string> = {
  statements: 'Statements',
  payments: 'Payments and holds',
  agents: 'Approvals and suspensions',
  rates: 'Changes of rates',
  alarms: 'Alarms',
  proof: 'Nightly verification',
  day: 'Yesterday’s figures',
}
