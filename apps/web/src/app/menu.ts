import { can } from '@tallyroom/domain/abilities'
import { useRouter, type LinkProps, type RegisteredRouter } from '@tanstack/react-router'
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
import { useBrand } from '../lib/brand.ts'
import { useMe } from '../lib/session.ts'

type Path = keyof RegisteredRouter['routesByPath'] & LinkProps['to']

interface Area {
  label: string
  icon: Icon
  /** The path prefix of all its pages, including those outside the menu. */
  area: string
  /** The number of waiting items, beside the label. */
  badge?: ComponentType
  /** Its tabs carry the search over from one to the next. */
  carriesQuery?: boolean
  /** Its tabs. The entry links to the first one that the user may open. */
  pages: readonly Path[]
}

/** The side menu in order. Routes define the pages' titles and who may open them. */
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
    pages: ['/app/offices/offices', '/app/offices/domains'],
  },
  {
    label: 'Agents',
    icon: IconUsers,
    area: '/app/agents',
    pages: ['/app/agents'],
  },
  {
    label: 'Approve Agents',
    icon: IconUserCheck,
    area: '/app/unapprove',
    badge: UnapprovedBadge,
    pages: ['/app/unapprove'],
  },
  {
    label: 'Sites',
    icon: IconWorld,
    area: '/app/sites',
    pages: ['/app/sites/sites', '/app/sites/company-fees', '/app/sites/postbacks'],
  },
  {
    label: 'Stats',
    icon: IconChartBar,
    area: '/app/stats',
    pages: [
      '/app/stats/sites',
      '/app/stats/sites-avp',
      '/app/stats/top-agents',
      '/app/stats/office-performance',
      '/app/stats/office-performance-chart',
      '/app/stats/sites-payout',
      '/app/stats/sites-payout-avp',
      '/app/stats/how-figures-work',
    ],
  },
  {
    label: 'Links',
    icon: IconLink,
    area: '/app/links',
    pages: ['/app/links/links', '/app/links/links-translate'],
  },
  {
    label: 'Logs',
    icon: IconLogs,
    area: '/app/logs',
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
    pages: ['/app/profile'],
  },
  // One name for two pages: superadmins manage manuals, everybody else reads them.
  {
    label: 'How to sell',
    icon: IconBook2,
    area: '/app/site-manuals',
    pages: ['/app/site-manuals'],
  },
  {
    label: 'How to sell',
    icon: IconBook2,
    area: '/app/how-to-sell',
    pages: ['/app/how-to-sell'],
  },
  {
    label: 'Admins',
    icon: IconShieldCog,
    area: '/app/admins',
    pages: ['/app/admins'],
  },
  {
    label: 'Settings',
    icon: IconSettings,
    area: '/app/settings',
    pages: ['/app/settings/black-list-ip', '/app/settings/options', '/app/settings/avp-schedule'],
  },
  {
    label: 'Migration',
    icon: IconDatabaseImport,
    area: '/app/migration',
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
