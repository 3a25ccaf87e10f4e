import type { SiteItem } from '@tallyroom/contract/sites'
import { IconPlayerPause, IconPlayerPlay, type Icon } from '@tabler/icons-react'
import { askToChange } from '../../ui/ask-to-change.ts'
import { setSiteActive } from './sites.api.ts'

/** What is done to a site from its row. */
export interface SiteAction {
  label: string
  icon: Icon
  active: boolean
  question: string
  /** The site is like that already. */
  isDone: (site: SiteItem) => boolean
}

/** In the order of a row's menu. */
export const siteActions: readonly SiteAction[] = [
  {
    label: 'Activate',
    icon: IconPlayerPlay,
    active: true,
    question: 'Are you sure to activate site? Its approve-sale flag will be set too.',
    isDone: ({ active }) => active,
  },
  {
    label: 'Suspend',
    icon: IconPlayerPause,
    active: false,
    question:
      'Are you sure to suspend site? Its links stop, and its approve-sale flag will be unset too.',
    isDone: ({ active }) => !active,
  },
]

/** Asks, and does it while the dialog stays. */
export const askToChangeSite = (
  action: SiteAction,
  { id, sitename }: SiteItem,
  refresh: () => Promise<unknown>,
) => askToChange(action, { whose: sitename, refresh }, () => setSiteActive(id, action.active))
