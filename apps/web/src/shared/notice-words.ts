import type { NoticeKind } from '@tallyroom/domain/partner-postback'

/** What a delivery tells of. */
export const eventLabels = {
  'sale.recorded': 'Sale',
  'bonus.recorded': 'Bonus',
  'sale.reversed': 'Reversal',
  'sale.adjusted': 'Refund of a part',
} satisfies Record<NoticeKind, string>
