import { siteLabels } from '@tallyroom/contract/catalogue/labels'
import { type SiteItem, sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { Checkbox, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, type Icon } from '@tabler/icons-react'
import { STATUS } from '@tallyroom/domain/labels'
import { call } from '../../lib/call.ts'
import { askToChange } from '../../ui/dialogs/ask-to-change.ts'
import type { MenuAction } from '../../ui/list/RowMenu.tsx'

/** What the actions need to know about a site: a row of the list, or the site's page. */
export type ActedSite = Pick<SiteItem, 'id' | 'sitename' | 'active' | 'useApproveSale'>

/** An action in a site's row menu. */
export interface SiteAction {
  label: string
  icon: Icon
  active: boolean
  question: string
  /** The site already has this status. */
  isDone: (site: ActedSite) => boolean
}

/** In the order of a row's menu. */
const siteActions: readonly SiteAction[] = [
  {
    label: 'Activate',
    icon: IconPlayerPlay,
    active: true,
    question:
      'Activate this site? Its approve-sale flag will be set too, unless you untick it below.',
    isDone: ({ active }) => active,
  },
  {
    label: 'Suspend',
    icon: IconPlayerPause,
    active: false,
    question: `Suspend this site? Its links stop working, unless it says under “${siteLabels.insteadTypeId}” where visitors go then. Its approve-sale flag will be unset too.`,
    isDone: ({ active }) => !active,
  },
]

/** The actions for the menu of a row or of the site's page, for viewers who may change sites. */
export const siteMenu = (site: ActedSite, onAction: (action: SiteAction) => void): MenuAction[] =>
  siteActions
    .filter(({ isDone }) => !isDone(site))
    .map((action) => ({
      label: action.label,
      icon: action.icon,
      onSelect: () => onAction(action),
    }))

/** Asks for confirmation. Activating also sets approve-sale, unless the user unticks it. */
export function askToChangeSite(
  action: SiteAction,
  { id, sitename, useApproveSale }: ActedSite,
  refresh: () => Promise<unknown>,
) {
  let chosen = action.active
  const question = action.active ? (
    <>
      <Text>{action.question}</Text>
      <Checkbox
        mt="md"
        defaultChecked
        label="Set approve-sale"
        description="The merchant then reports each order twice: first its Day#1 Approval, then its Day#2 Sale. If a link has no Day#2 rate, its sales still count as sales. Untick if each order is reported once."
        onChange={(event) => {
          chosen = event.currentTarget.checked
        }}
      />
    </>
  ) : (
    <>
      <Text>{action.question}</Text>
      {useApproveSale && (
        <Text mt="sm" c="dimmed" size="sm">
          The merchant’s approvals will then be refused. A sale without a reported approval counts
          as a sale, at the Day#1 rate.
        </Text>
      )}
    </>
  )
  const consequence = action.active ? undefined : ('site suspended' as const)
  return askToChange(
    { label: action.label, question, consequence },
    { whose: sitename, refresh },
    () =>
      call(sitesEndpoints.sitesStatus, {
        body: {
          ids: [id],
          status: action.active ? STATUS.activated : STATUS.suspended,
          useApproveSale: chosen,
        },
      }),
  )
}
