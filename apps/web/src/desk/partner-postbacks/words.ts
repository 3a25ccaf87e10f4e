import type { Delivery, PartnerPostback } from '@tallyroom/contract/desk/partner-postbacks'
import type { PostbackMacro } from '@tallyroom/domain/partner-postback'

export const stateLabels = {
  on: 'On',
  off: 'Off',
  failing: 'Off: it kept failing',
  gone: 'Off: its server said that it is gone',
} satisfies Record<PartnerPostback['state'], string>

export const deliveryLabels = {
  waiting: 'Waiting',
  sent: 'Delivered',
  failed: 'Failed',
  missed: 'Not sent: the postback was off',
  held: 'On hold after a restore of the database',
  dropped: 'Dropped after a restore of the database',
} satisfies Record<Delivery['state'], string>

const subOf = (number: number) => `Your own sub${number} of the link`

/** What each macro stands for. */
export const macroLabels = {
  click_id: 'The click',
  sub1: subOf(1),
  sub2: subOf(2),
  sub3: subOf(3),
  sub4: subOf(4),
  sub5: subOf(5),
  event: 'sale, bonus or approval',
  event_id: 'The event: the same if it is sent again',
  status: 'approved, reversed or adjusted',
  payout: 'Your payout; negative for a reversal',
  currency: 'PHP',
  site_id: 'The site’s number',
  site: 'The site’s name',
  type_id: 'The link type’s number',
  type: 'The link type’s name',
  agent_id: 'The agent’s number',
  agent: 'The agent’s username',
  transaction_id: 'The merchant’s order number',
  time: 'When it happened, such as 2026-03-10T16:00:00.000Z',
  time_unix: 'The same in seconds since 1970',
  token: 'A secret of this postback, for your tracker to check',
} satisfies Record<PostbackMacro, string>
