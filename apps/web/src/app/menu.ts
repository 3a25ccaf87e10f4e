import { can } from '@tallyroom/domain/abilities'
import { useRouter, type LinkProps, type RegisteredRouter } from '@tanstack/react-router'
import {
  IconBook2,
  IconBuilding,
  IconCash,
  IconChartBar,
  IconCoins,
  IconDatabaseImport,
  IconLink,
  IconHome,
  IconLogs,
  IconNews,
  IconSettings,
  IconShieldCog,
  IconUser,
  IconUserCheck,
  IconUsers,
  IconWorld,
  type Icon,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { UnapprovedBadge } from '../people/approval/UnapprovedBadge.tsx'
import { payGroups, settingsGroups } from './menu-groups.ts'
import { useBrand } from '../lib/brand.ts'
import { useMe } from '../lib/session.ts'

type Path = keyof RegisteredRouter['routesByPath'] & LinkProps['to']

interface Area {
  label: string
  icon: Icon
  /** The path prefix of all its pages, including those outside the menu. */
  area: string
  /** Its heading in the side menu. Without one, it stands above all groups. */
  group?: MenuGroup
  /** The number of waiting items, beside the label. */
  badge?: ComponentType
  /** Its tabs carry the search over from one to the next. */
  carriesQuery?: boolean
  /** Its tabs. The entry links to the first one that the user may open. */
  pages: readonly Path[]
  /** Of many tabs, what belongs together, in their order. What is in none of them stands behind. */
  groups?: readonly { label: string; pages: readonly Path[] }[]
}

export const menuGroups = ['Sell', 'Money', 'People', 'Setup'] as const

/** The account's own pages are at the bottom, under its name. */
type MenuGroup = (typeof menuGroups)[number] | 'account'

/** The entries of the side menu, in the order of the specification within each group. Routes define the pages' titles and who may open them. */
const areas: readonly Area[] = [
  {
    label: 'Home',
    icon: IconHome,
    area: '/app/home',
    pages: ['/app/home'],
  },
  {
    label: 'News',
    icon: IconNews,
    area: '/app/news',
    pages: ['/app/news/edit', '/app/news/alerts'],
  },
  {
    label: 'Offices',
    icon: IconBuilding,
    area: '/app/offices',
    group: 'People',
    pages: ['/app/offices/offices', '/app/offices/domains'],
  },
  {
    label: 'Agents',
    icon: IconUsers,
    area: '/app/agents',
    group: 'People',
    pages: ['/app/agents'],
  },
  {
    label: 'Approve Agents',
    icon: IconUserCheck,
    area: '/app/unapprove',
    group: 'People',
    badge: UnapprovedBadge,
    pages: ['/app/unapprove'],
  },
  {
    label: 'Sites',
    icon: IconWorld,
    area: '/app/sites',
    group: 'Setup',
    pages: [
      '/app/sites/sites',
      '/app/sites/company-fees',
      '/app/sites/what-if',
      '/app/sites/postbacks',
    ],
  },
  {
    label: 'Stats',
    icon: IconChartBar,
    area: '/app/stats',
    group: 'Sell',
    pages: [
      '/app/stats/sites',
      '/app/stats/sites-avp',
      '/app/stats/top-agents',
      '/app/stats/office-performance',
      '/app/stats/office-performance-chart',
      '/app/stats/sites-payout',
      '/app/stats/sites-payout-avp',
      '/app/stats/avp-week',
      '/app/stats/how-figures-work',
    ],
  },
  // Pay is a different job from statistics. Its pages are also tabs of Stats, as specified.
  {
    label: 'Payroll',
    icon: IconCoins,
    area: '/app/stats/sites-payout',
    group: 'Money',
    pages: ['/app/stats/sites-payout', '/app/stats/sites-payout-avp'],
  },
  {
    label: 'Pay',
    icon: IconCash,
    area: '/app/pay',
    group: 'Money',
    pages: [
      '/app/pay/periods',
      '/app/pay/statements',
      '/app/pay/balance',
      '/app/pay/balances',
      '/app/pay/runs',
      '/app/pay/accounts',
      '/app/pay/proposals',
      '/app/pay/account',
      '/app/pay/profit',
      '/app/pay/journal',
      '/app/pay/years',
      '/app/pay/withholding',
      '/app/pay/how-pay-works',
    ],
    groups: payGroups,
  },
  {
    label: 'Links',
    icon: IconLink,
    area: '/app/links',
    group: 'Sell',
    pages: [
      '/app/links/links',
      '/app/links/coupons',
      '/app/links/rates',
      '/app/links/links-translate',
    ],
  },
  {
    label: 'Logs',
    icon: IconLogs,
    area: '/app/logs',
    group: 'Sell',
    carriesQuery: true,
    pages: [
      '/app/logs/chat',
      '/app/logs/login',
      '/app/logs/click-outs',
      '/app/logs/sale-logs',
      '/app/logs/common-logs',
    ],
  },
  {
    label: 'Profile',
    icon: IconUser,
    area: '/app/profile',
    group: 'account',
    pages: ['/app/profile', '/app/profile-postbacks'],
  },
  // One name for two pages: superadmins manage manuals, everybody else reads them.
  {
    label: 'How to sell',
    icon: IconBook2,
    area: '/app/site-manuals',
    group: 'Sell',
    pages: ['/app/site-manuals'],
  },
  {
    label: 'How to sell',
    icon: IconBook2,
    area: '/app/how-to-sell',
    group: 'Sell',
    pages: ['/app/how-to-sell'],
  },
  {
    label: 'Admins',
    icon: IconShieldCog,
    area: '/app/admins',
    group: 'People',
    pages: ['/app/admins'],
  },
  {
    label: 'Settings',
    icon: IconSettings,
    area: '/app/settings',
    group: 'Setup',
    pages: [
      '/app/settings/black-list-ip',
      '/app/settings/options',
      '/app/settings/contact',
      '/app/settings/sign-in',
      '/app/settings/avp-schedule',
      '/app/settings/pay',
      '/app/settings/pay-files',
      '/app/settings/postbacks',
      '/app/settings/webhooks',
      '/app/settings/queue',
      '/app/settings/verification',
      '/app/settings/alarms',
    ],
    groups: settingsGroups,
  },
  {
    label: 'Migration',
    icon: IconDatabaseImport,
    area: '/app/migration',
    group: 'Setup',
    pages: ['/app/migration'],
  },
]

/** The areas, with the pages that the user may open and the brand offers. Used by menu, tabs and palette. */
export function useMenu() {
  const { routesByPath } = useRouter()
  const me = useMe()
  const { flags } = useBrand()
  return areas
    .map((area) => ({
      ...area,
      pages: area.pages.flatMap((to) => {
        const { title = '', tab = title, ability, flag } = routesByPath[to].options.staticData ?? {}
        const isOpen = (!ability || can(me, ability)) && (!flag || flags[flag])
        return isOpen ? [{ to, label: tab }] : []
      }),
    }))
    .filter(({ pages }) => pages.length > 0)
}

/**
 * The path prefix of the entry to mark as current. Payroll is within Stats, so the longest prefix
 * wins.
 */
export const currentArea = (path: string, entries: readonly Pick<Area, 'area'>[]) =>
  entries
    .map(({ area }) => area)
    .filter((area) => `${path}/`.startsWith(`${area}/`) || path.startsWith(`${area}-`))
    .toSorted((a, b) => b.length - a.length)[0]
