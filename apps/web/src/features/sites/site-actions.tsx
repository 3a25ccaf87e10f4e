import type { SiteItem } from '@tallyroom/contract/sites'
import { Checkbox, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, type Icon } from '@tabler/icons-react'
import { askToChange } from '../../ui/ask-to-change.ts'
import { setSiteStatus } from './sites.api.ts'

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
    question:
      'Are you sure to activate site? Its approve-sale flag will be set too, unless you untick it below.',
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

/** Asks, and does it while the dialog stays. Activating sets approve-sale, if that is not unticked. */
export function askToChangeSite(
  action: SiteAction,
  { id, sitename, useApproveSale }: SiteItem,
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
        description="The merchant then reports an order twice: approval is its Day#1 Approval, sale its Day#2 Sale. A sale of a link without a Day#2 rate still counts as a sale. Untick it if each order is reported once."
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
          From then on the merchant’s approvals are refused, and a sale whose approval has not been
          reported counts as a sale, at the Day#1 rate.
        </Text>
      )}
    </>
  )
  return askToChange({ label: action.label, question }, { whose: sitename, refresh }, () =>
    setSiteStatus(id, { active: action.active, useApproveSale: chosen }),
  )
}
