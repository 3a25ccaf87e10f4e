import type { PostbackItem } from '@tallyroom/contract/tracking/postbacks'
import { isPostbackEvent, isReversal } from '@tallyroom/domain/event-types'

/** Whether delivering it again can change its outcome. A held postback needs a decision instead. */
export const isDeliverable = ({ outcome, hold }: PostbackItem) =>
  (outcome === 'conflict' && hold === null) || outcome === 'unmatched'

/** What the postback follows and can't predate: its click or, for a reversal, its sale. */
export const originOf = ({ event }: Pick<PostbackItem, 'event'>): 'click' | 'sale' =>
  event !== null && isPostbackEvent(event) && isReversal(event) ? 'sale' : 'click'
