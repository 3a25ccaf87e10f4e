import { useMantineColorScheme } from '@mantine/core'
import type { SpotlightActionGroupData } from '@mantine/spotlight'
import { type Ability, can } from '@tallyroom/domain/abilities'
import {
  IconBookmark,
  IconListDetails,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSun,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { savedViewsQuery } from '../desk/saved-views/saved-views.api.ts'
import { useMe } from '../lib/session.ts'
import { useMenu } from './menu.ts'
import { useSignOut } from './use-sign-out.ts'

const icon = { size: 18, stroke: 1.6 }

const forms = [
  { label: 'Add agent', to: '/app/agents/create', ability: 'agents.create' },
  { label: 'Add office', to: '/app/offices/create', ability: 'offices.create' },
  { label: 'Add site', to: '/app/sites/create', ability: 'sites.manage' },
  { label: 'Add admin', to: '/app/admins/create', ability: 'admins.manage' },
] as const satisfies { label: string; to: string; ability: Ability }[]

/** The pages of the viewer's menu. */
export function usePageActions(): SpotlightActionGroupData {
  const navigate = useNavigate()
  const entries = useMenu()
  return {
    group: 'Pages',
    actions: entries.flatMap(({ label: area, icon: Icon, pages }) =>
      // Payroll's pages are tabs of Stats too.
      area === 'Payroll'
        ? []
        : pages.map(({ label, to }) => ({
            id: to,
            label: area === label ? area : `${area}: ${label}`,
            leftSection: <Icon {...icon} />,
            onClick: () => void navigate({ to }),
          })),
    ),
  }
}

/** The viewer's saved views, and their page. */
export function useViewActions(): SpotlightActionGroupData {
  const navigate = useNavigate()
  const { data } = useQuery(savedViewsQuery)
  return {
    group: 'My views',
    actions: [
      ...(data?.views ?? []).map(({ id, name, url }) => ({
        id: `view ${id}`,
        label: name,
        leftSection: <IconBookmark {...icon} />,
        onClick: () => void navigate({ href: url }),
      })),
      {
        id: 'views',
        label: 'Manage views',
        leftSection: <IconListDetails {...icon} />,
        onClick: () => void navigate({ to: '/app/views' }),
      },
    ],
  }
}

/** What the viewer may do from any page. */
export function useDeeds(): SpotlightActionGroupData {
  const navigate = useNavigate()
  const me = useMe()
  const signOut = useSignOut()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const isDark = colorScheme === 'dark'
  const SchemeIcon = isDark ? IconSun : IconMoon
  return {
    group: 'Actions',
    actions: [
      ...forms
        .filter(({ ability }) => can(me, ability))
        .map(({ label, to }) => ({
          id: to,
          label,
          leftSection: <IconPlus {...icon} />,
          onClick: () => void navigate({ to }),
        })),
      {
        id: 'colors',
        label: isDark ? 'Switch to light colors' : 'Switch to dark colors',
        leftSection: <SchemeIcon {...icon} />,
        onClick: () => setColorScheme(isDark ? 'light' : 'dark'),
      },
      {
        id: 'sign-out',
        label: 'Sign out',
        leftSection: <IconLogout {...icon} />,
        onClick: signOut,
      },
    ],
  }
}
