import { isAtLeast, type Role } from './roles.ts'

/** The part of a signed-in viewer that the rules need. */
export type AbilityHolder = { role: Role; permissions: readonly Permission[] }

/** Flags that an account holds in addition to its role. */
export type Permission = (typeof PERMISSIONS)[number]

export const PERMISSIONS = [
  'APPROVE_AGENTS',
  'SHOW_COMMON_LOGS',
  'EARNING_VISIBLE',
  'SHOW_SUSPEND',
  'PAY',
  'DELETE_AGENTS',
  'DELETE_SITES',
] as const

/** Every superadmin has these implicitly. The two DELETE permissions must be granted. */
const SUPERADMIN_PERMISSIONS: readonly Permission[] = [
  'APPROVE_AGENTS',
  'SHOW_COMMON_LOGS',
  'EARNING_VISIBLE',
  'SHOW_SUSPEND',
  'PAY',
]

/** Whether the viewer has the ability at all. The server's scope limits it to certain rows. */
export const can = (viewer: AbilityHolder, ability: Ability): boolean => RULES[ability](viewer)

/** The effective permissions: granted ones plus those implied by the role. */
export function permissionsOf({ role, permissions }: AbilityHolder): Permission[] {
  const implied = role === 'superadmin' ? SUPERADMIN_PERMISSIONS : []
  return PERMISSIONS.filter((name) => permissions.includes(name) || implied.includes(name))
}

/**
 * Whether what the ability allows decides money: what is paid, to whom, or when. Then its changing calls are never open to
 * tokens and ask for the password of the last ten minutes. Of other abilities, single fields may decide: see
 * `contract/effects`.
 */
export const decidesMoney = (ability: Ability): boolean => 'decidesMoney' in RULES[ability]

type Rule = (viewer: AbilityHolder) => boolean

const from =
  (required: Role): Rule =>
  ({ role }) =>
    isAtLeast(role, required)
const only =
  (...roles: Role[]): Rule =>
  ({ role }) =>
    roles.includes(role)
const holding =
  (permission: Permission): Rule =>
  (viewer) =>
    permissionsOf(viewer).includes(permission)
const both =
  (one: Rule, other: Rule): Rule =>
  (viewer) =>
    one(viewer) && other(viewer)
const either =
  (one: Rule, other: Rule): Rule =>
  (viewer) =>
    one(viewer) || other(viewer)
/** A rule of an ability that decides money. */
const deciding = (rule: Rule): Rule & { decidesMoney: true } =>
  Object.assign<Rule, { decidesMoney: true }>((viewer) => rule(viewer), { decidesMoney: true })

export type Ability = keyof typeof RULES

/** Who may do what (specification 1, section 6, and 2, sections 2 and 6). */
const RULES = {
  'signed-in': from('agent'),

  'dashboard.view': from('agent'),
  'profile.edit': from('agent'),
  'views.save': from('agent'),
  // Each role has one of these three profile forms.
  'profile.staff': from('admin'),
  'profile.company': only('company'),
  'profile.agent': only('agent'),
  'news.edit': from('superadmin'),
  'alerts.edit': from('superadmin'),
  // Images in news, alerts and manuals.
  'files.upload': from('superadmin'),

  'offices.view': from('admin'),
  'offices.create': from('superadmin'),
  'offices.edit': from('admin'),
  'offices.change-username': from('superadmin'),
  // The Office column, filter and view of lists and statistics.
  'offices.choose': from('admin'),

  'agents.view': from('company'),
  'agents.create': from('company'),
  'agents.edit': from('company'),
  'agents.change-office': deciding(from('superadmin')),
  // Clearing an agent of fraud, and activating one who is not cleared. Offices must not judge their own agents.
  'agents.clear-fraud': deciding(from('admin')),
  'agents.approve': holding('APPROVE_AGENTS'),
  'agents.delete': deciding(both(from('superadmin'), holding('DELETE_AGENTS'))),
  // The Agent column, filter and view of lists and statistics.
  'agents.choose': from('company'),

  'admins.manage': from('superadmin'),
  // Everybody's tokens for programs.
  'tokens.manage': from('superadmin'),
  'migration.run': from('superadmin'),
  // Made-up visitors in the demo world.
  'demo.run': from('superadmin'),
  'sign-in-as': from('superadmin'),
  // The Role filter of the common logs.
  'roles.choose': from('admin'),
  'hidden.see': from('admin'),
  // Admins need the flag to see suspended rows; offices always see all of their own agents.
  'suspended.see': either(only('company', 'agent'), holding('SHOW_SUSPEND')),

  'sites.view': from('admin'),
  'sites.manage': from('superadmin'),
  'sites.delete': both(from('superadmin'), holding('DELETE_SITES')),
  // The Site and Type selects.
  'sites.choose': from('agent'),
  'link-types.view': from('admin'),
  'link-types.manage': from('superadmin'),
  'fees.manage': deciding(from('superadmin')),
  'postbacks.view': from('admin'),
  // Merchants' keys and tests.
  'postbacks.manage': from('superadmin'),
  // What becomes of postbacks that wait or are held.
  'postbacks.settle': deciding(from('superadmin')),

  'manuals.read': from('agent'),
  'manuals.manage': from('superadmin'),
  // The reading page. Superadmins have the editing page instead.
  'how-to-sell.view': only('admin', 'company', 'agent'),

  'links.generate': from('agent'),
  'links.translate': from('admin'),
  // A code says whose the orders of its customers are.
  'coupons.manage': deciding(from('superadmin')),
  // Within the pattern that the site was given.
  'coupons.make': only('agent'),

  'logs.chat': from('agent'),
  'chat.submit': only('agent'),
  'logs.click-outs': from('agent'),
  // The visitor's User-Agent.
  'logs.click-outs.browser': from('admin'),
  'logs.sales': from('agent'),
  'logs.sales.referer': from('superadmin'),
  'logs.login': from('company'),
  'logs.common': holding('SHOW_COMMON_LOGS'),

  'stats.view': from('agent'),
  'stats.avp': from('agent'),
  'stats.avp.choose': from('admin'),
  'stats.top-agents': from('company'),
  'stats.performance': from('company'),
  'stats.payroll': from('admin'),
  'avp-schedules.manage': deciding(from('superadmin')),

  'earning.see': both(from('admin'), holding('EARNING_VISIBLE')),
  // While the system option payout_visible is on, offices and agents see payouts too.
  'payout.see': from('admin'),

  // Settings, closing, adjustments, holds, accounts and payment runs.
  'pay.manage': deciding(both(from('admin'), holding('PAY'))),
  'pay.profit': both(both(from('admin'), holding('PAY')), holding('EARNING_VISIBLE')),
  // Whether what people decided about money, logs and totals are as Tallyroom wrote them.
  'verification.see': both(from('admin'), holding('PAY')),
  // Offices' own statements and the lines of agents, while the system option payout_visible is on.
  'pay.view-own': only('company', 'agent'),
  'pay.view': either(only('company', 'agent'), both(from('admin'), holding('PAY'))),

  // Postbacks to agents and offices, each with their own.
  'partner-postbacks.view': from('agent'),
  'partner-postbacks.manage': only('company', 'agent'),
  // What waits to be sent, of everybody.
  'queue.manage': from('superadmin'),
  'webhooks.manage': from('superadmin'),

  // What does not come, or too much of it.
  'alarms.view': from('admin'),
  'alarms.quiet': from('admin'),
  'alarms.manage': from('superadmin'),

  'domains.choose': from('admin'),
  'domains.manage': from('superadmin'),
  'settings.view': from('admin'),
  'contact.manage': from('superadmin'),
  // Of whom a second factor is required.
  'sign-in.manage': from('superadmin'),
  'ip-blacklist.manage': from('admin'),
  'options.manage': from('superadmin'),
} as const satisfies Record<string, Rule>

export const ABILITIES = Object.keys(RULES) as readonly Ability[]
