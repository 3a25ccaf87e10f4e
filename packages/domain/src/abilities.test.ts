import { describe, expect, test } from 'vitest'
import {
  ABILITIES,
  can,
  decidesMoney,
  PERMISSIONS,
  permissionsOf,
  type Ability,
  type AbilityHolder,
} from './abilities.ts'

const viewers = {
  superadmin: { role: 'superadmin', permissions: [] },
  deleter: { role: 'superadmin', permissions: ['DELETE_AGENTS', 'DELETE_SITES'] },
  admin: { role: 'admin', permissions: PERMISSIONS },
  admin2: { role: 'admin', permissions: [] },
  company: { role: 'company', permissions: PERMISSIONS },
  agent: { role: 'agent', permissions: PERMISSIONS },
} as const satisfies Record<string, AbilityHolder>

type Viewer = keyof typeof viewers

/** Written out again in full, so that a slip in the rules does not go unnoticed. */
const expectations: [Viewer[], Ability[]][] = [
  [
    ['superadmin', 'deleter', 'admin', 'admin2', 'company', 'agent'],
    [
      'signed-in',
      'dashboard.view',
      'profile.edit',
      'views.save',
      'partner-postbacks.view',
      'sites.choose',
      'manuals.read',
      'links.generate',
      'logs.chat',
      'logs.click-outs',
      'logs.sales',
      'stats.view',
      'stats.avp',
    ],
  ],
  [
    ['superadmin', 'deleter', 'admin', 'admin2', 'company'],
    [
      'agents.view',
      'agents.create',
      'agents.edit',
      'agents.choose',
      'logs.login',
      'stats.top-agents',
      'stats.performance',
    ],
  ],
  [
    ['superadmin', 'deleter', 'admin', 'admin2'],
    [
      'profile.staff',
      'offices.view',
      'offices.edit',
      'offices.choose',
      'roles.choose',
      'hidden.see',
      'sites.view',
      'link-types.view',
      'postbacks.view',
      'links.translate',
      'logs.click-outs.browser',
      'stats.avp.choose',
      'stats.payroll',
      'payout.see',
      'domains.choose',
      'settings.view',
      'ip-blacklist.manage',
      'alarms.view',
      'alarms.quiet',
      'agents.clear-fraud',
    ],
  ],
  [
    ['superadmin', 'deleter', 'admin'],
    ['earning.see', 'pay.manage', 'verification.see', 'pay.profit'],
  ],
  [['superadmin', 'deleter', 'admin', 'company', 'agent'], ['pay.view']],
  [
    ['company', 'agent'],
    ['pay.view-own', 'partner-postbacks.manage'],
  ],
  [
    ['superadmin', 'deleter', 'admin', 'company', 'agent'],
    ['agents.approve', 'logs.common', 'suspended.see'],
  ],
  [
    ['superadmin', 'deleter'],
    [
      'news.edit',
      'alerts.edit',
      'files.upload',
      'offices.create',
      'offices.change-username',
      'agents.change-office',
      'admins.manage',
      'tokens.manage',
      'migration.run',
      'demo.run',
      'sign-in-as',
      'sites.manage',
      'link-types.manage',
      'fees.manage',
      'postbacks.manage',
      'postbacks.settle',
      'alarms.manage',
      'contact.manage',
      'coupons.manage',
      'sign-in.manage',
      'queue.manage',
      'webhooks.manage',
      'manuals.manage',
      'logs.sales.referer',
      'domains.manage',
      'options.manage',
      'avp-schedules.manage',
    ],
  ],
  [['deleter'], ['agents.delete', 'sites.delete']],
  [['admin', 'admin2', 'company', 'agent'], ['how-to-sell.view']],
  [['company'], ['profile.company']],
  [['agent'], ['profile.agent', 'chat.submit', 'coupons.make']],
]

describe('who may do what', () => {
  const cases = expectations.flatMap(([who, abilities]) =>
    abilities.map((ability) => [ability, who] as const),
  )

  test.each(cases)('%s: %j', (ability, who) => {
    const able = Object.entries(viewers).flatMap(([name, viewer]) =>
      can(viewer, ability) ? [name] : [],
    )
    expect(able.toSorted()).toEqual(who.toSorted())
  })

  test('every ability has exactly one expectation', () => {
    expect(cases.map(([ability]) => ability).toSorted()).toEqual(ABILITIES.toSorted())
  })
})

describe('the permissions in force', () => {
  test('a superadmin always holds the first five', () => {
    expect(permissionsOf(viewers.superadmin)).toEqual([
      'APPROVE_AGENTS',
      'SHOW_COMMON_LOGS',
      'EARNING_VISIBLE',
      'SHOW_SUSPEND',
      'PAY',
    ])
    expect(permissionsOf(viewers.deleter)).toEqual([...PERMISSIONS])
  })

  test('others hold what they were granted', () => {
    expect(permissionsOf(viewers.admin2)).toEqual([])
    expect(permissionsOf({ role: 'admin', permissions: ['SHOW_SUSPEND'] })).toEqual([
      'SHOW_SUSPEND',
    ])
  })
})

test('the abilities that decide money', () => {
  expect(ABILITIES.filter(decidesMoney)).toEqual([
    'agents.change-office',
    'agents.clear-fraud',
    'agents.delete',
    'fees.manage',
    'postbacks.settle',
    'coupons.manage',
    'avp-schedules.manage',
    'pay.manage',
  ])
})
