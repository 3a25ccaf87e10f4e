import type { PostbackItem } from '@tallyroom/contract/tracking/postbacks'
import { inSentence } from '@tallyroom/domain/invisible'
import { holdWords } from '../../shared/held/hold-words.ts'

/** `Part of an order, A-1`. */
export const nameOf = ({ hold, transactionId }: PostbackItem): string =>
  inSentence([hold && holdWords[hold.kind].label, transactionId].filter(Boolean).join(', '))
