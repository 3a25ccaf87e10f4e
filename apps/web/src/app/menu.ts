import { can, type Ability, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { LinkProps } from '@tanstack/react-router'
import { IconChartBar, IconWorld, type Icon } from '@tabler/icons-react'

/** A page that is reached by the menu, its area's tabs, or the palette. */
export interface MenuPage {
  label: string
  to: NonNullable<LinkProps['to']>
  ability: Ability
}

export interface MenuEntry {
  label: string
  icon: Icon
  /** The area's tabs; the entry leads to the first one that the user may open. */
  pages: readonly MenuPage[]
}

/** The side menu in its order. A page gets its line here when it works. */
const menu: readonly MenuEntry[] = [
  {
    label: 'Sites',
    icon: IconWorld,
    pages: [{ label: 'Postbacks', to: '/app/sites/postbacks', ability: 'postbacks.view' }],
  },
  {
    label: 'Stats',
    icon: IconChartBar,
    pages: [{ label: 'Sites', to: '/app/stats/sites', ability: 'stats.view' }],
  },
]

/** Where signing in, '/' and unknown paths lead: every role may open it. */
export const LANDING = '/app/stats/sites'

/** The entries and tabs that the user may open. */
export const menuOf = (viewer: AbilityHolder): MenuEntry[] =>
  menu
    .map((entry) => ({
      ...entry,
      pages: entry.pages.filter(({ ability }) => can(viewer, ability)),
    }))
    .filter(({ pages }) => pages.length > 0)
