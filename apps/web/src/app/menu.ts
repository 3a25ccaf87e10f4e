import { can, type Ability, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { Brand } from '@tallyroom/domain/brands/index'
import type { LinkProps } from '@tanstack/react-router'
import {
  IconBook2,
  IconBuilding,
  IconChartBar,
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
import { UnapprovedBadge } from '../features/approval/UnapprovedBadge.tsx'

/** A page that is reached by the menu, its area's tabs, or the palette. */
interface MenuPage {
  label: string
  to: NonNullable<LinkProps['to']>
  ability: Ability
}

export interface MenuEntry {
  label: string
  icon: Icon
  /** The path that its pages have in common, those outside the menu included. */
  area: string
  /** Beside the label: how many wait. */
  badge?: ComponentType
  /** Its tabs take the query along: the agent that was searched for in one is searched for in the next. */
  carriesQuery?: boolean
  /** Only brands with this flag have it. */
  flag?: keyof Brand['flags']
  /** The area's tabs; the entry leads to the first one that the user may open. */
  pages: readonly MenuPage[]
}

/** The side menu in its order. A page gets its line here when it works. */
const menu: readonly MenuEntry[] = [
  {
    label: 'Home',
    icon: IconHome,
    area: '/app/home',
    pages: [{ label: 'Home', to: '/app/home', ability: 'dashboard.view' }],
  },
  {
    label: 'News',
    icon: IconNews,
    area: '/app/news',
    pages: [
      { label: 'Edit News', to: '/app/news/edit', ability: 'news.edit' },
      { label: 'Edit Alert', to: '/app/news/alerts', ability: 'alerts.edit' },
    ],
  },
  {
    label: 'Offices',
    icon: IconBuilding,
    area: '/app/offices',
    pages: [
      { label: 'Offices', to: '/app/offices/offices', ability: 'offices.view' },
      { label: 'Domains', to: '/app/offices/domains', ability: 'domains.manage' },
    ],
  },
  {
    label: 'Agents',
    icon: IconUsers,
    area: '/app/agents',
    pages: [{ label: 'Agents', to: '/app/agents', ability: 'agents.view' }],
  },
  {
    label: 'Approve Agents',
    icon: IconUserCheck,
    area: '/app/unapprove',
    badge: UnapprovedBadge,
    pages: [{ label: 'Approve Agents', to: '/app/unapprove', ability: 'agents.approve' }],
  },
  {
    label: 'Sites',
    icon: IconWorld,
    area: '/app/sites',
    pages: [
      { label: 'Sites', to: '/app/sites/sites', ability: 'sites.view' },
      { label: 'Offices custom payments', to: '/app/sites/company-fees', ability: 'fees.manage' },
      { label: 'Postbacks', to: '/app/sites/postbacks', ability: 'postbacks.view' },
    ],
  },
  {
    label: 'Stats',
    icon: IconChartBar,
    area: '/app/stats',
    pages: [
      { label: 'Sites', to: '/app/stats/sites', ability: 'stats.view' },
      { label: 'Sites AVP', to: '/app/stats/sites-avp', ability: 'stats.avp' },
      { label: 'Top Agents', to: '/app/stats/top-agents', ability: 'stats.top-agents' },
      {
        label: 'Office Performance',
        to: '/app/stats/office-performance',
        ability: 'stats.performance',
      },
      {
        label: 'Office Performance Charts',
        to: '/app/stats/office-performance-chart',
        ability: 'stats.performance',
      },
      { label: 'Payroll', to: '/app/stats/sites-payout', ability: 'stats.payroll' },
      { label: 'Payroll AVP', to: '/app/stats/sites-payout-avp', ability: 'stats.payroll' },
      {
        label: 'How the figures work',
        to: '/app/stats/how-figures-work',
        ability: 'stats.view',
      },
    ],
  },
  {
    label: 'Links',
    icon: IconLink,
    area: '/app/links',
    pages: [
      { label: 'Links generate', to: '/app/links/links', ability: 'links.generate' },
      { label: 'Links translate', to: '/app/links/links-translate', ability: 'links.translate' },
    ],
  },
  {
    label: 'Logs',
    icon: IconLogs,
    area: '/app/logs',
    carriesQuery: true,
    pages: [
      { label: 'Chat', to: '/app/logs/chat', ability: 'logs.chat' },
      { label: 'Login', to: '/app/logs/login', ability: 'logs.login' },
      { label: 'Click outs', to: '/app/logs/click-outs', ability: 'logs.click-outs' },
      { label: 'Sale logs', to: '/app/logs/sale-logs', ability: 'logs.sales' },
      { label: 'Common logs', to: '/app/logs/common-logs', ability: 'logs.common' },
    ],
  },
  {
    label: 'Profile',
    icon: IconUser,
    area: '/app/profile',
    pages: [{ label: 'Profile', to: '/app/profile', ability: 'profile.edit' }],
  },
  // One name for two pages: who writes manuals goes to write them, everybody else to read.
  {
    label: 'How to sell',
    icon: IconBook2,
    area: '/app/site-manuals',
    flag: 'howToSell',
    pages: [{ label: 'How to sell', to: '/app/site-manuals', ability: 'manuals.manage' }],
  },
  {
    label: 'How to sell',
    icon: IconBook2,
    area: '/app/how-to-sell',
    flag: 'howToSell',
    pages: [{ label: 'How to sell', to: '/app/how-to-sell', ability: 'how-to-sell.view' }],
  },
  {
    label: 'Admins',
    icon: IconShieldCog,
    area: '/app/admins',
    pages: [{ label: 'Admins', to: '/app/admins', ability: 'admins.manage' }],
  },
  {
    label: 'Settings',
    icon: IconSettings,
    area: '/app/settings',
    pages: [
      {
        label: 'Black List Ip',
        to: '/app/settings/black-list-ip',
        ability: 'ip-blacklist.manage',
      },
      { label: 'System Options', to: '/app/settings/options', ability: 'options.manage' },
      {
        label: 'AVP Schedule',
        to: '/app/settings/avp-schedule',
        ability: 'avp-schedules.manage',
      },
    ],
  },
  {
    label: 'Migration',
    icon: IconDatabaseImport,
    area: '/app/migration',
    pages: [{ label: 'Migration', to: '/app/migration', ability: 'migration.run' }],
  },
]

/** Where signing in, '/' and unknown paths lead: every role may open it. */
export const LANDING = '/app/home'

/** The entries and tabs that the user may open, and this brand offers. */
export const menuOf = (viewer: AbilityHolder, { flags }: Pick<Brand, 'flags'>): MenuEntry[] =>
  menu
    .filter(({ flag }) => !flag || flags[flag])
    .map((entry) => ({
      ...entry,
      pages: entry.pages.filter(({ ability }) => can(viewer, ability)),
    }))
    .filter(({ pages }) => pages.length > 0)
