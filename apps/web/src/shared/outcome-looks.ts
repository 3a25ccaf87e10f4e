import type { PostbackOutcome } from '@tallyroom/contract/list-choices'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconEyeOff,
  IconHourglass,
  IconThumbDown,
  IconCopyCheck,
  IconUnlink,
  type Icon,
} from '@tabler/icons-react'

interface OutcomeLook {
  label: string
  /** One sentence for a merchant's developer. */
  meaning: string
  icon: Icon
  tone: 'good' | 'quiet' | 'pending' | 'warning' | 'bad'
}

export const outcomeLooks: Record<PostbackOutcome, OutcomeLook> = {
  recorded: {
    label: 'Recorded',
    meaning: 'Counted.',
    icon: IconCircleCheck,
    tone: 'good',
  },
  duplicate: {
    label: 'Duplicate',
    meaning: 'Already recorded. Nothing changed.',
    icon: IconCopyCheck,
    tone: 'quiet',
  },
  waiting: {
    label: 'Waiting',
    meaning: 'Stored until its click, or the sale it reverses, arrives.',
    icon: IconClock,
    tone: 'pending',
  },
  unmatched: {
    label: 'Unmatched',
    meaning: 'Its click or sale did not arrive within three days.',
    icon: IconUnlink,
    tone: 'warning',
  },
  pending: {
    label: 'Pending',
    meaning: 'Not counted until the merchant approves it.',
    icon: IconHourglass,
    tone: 'pending',
  },
  rejected: {
    label: 'Rejected',
    meaning: 'The merchant says that it does not count.',
    icon: IconThumbDown,
    tone: 'quiet',
  },
  ignored: {
    label: 'Ignored',
    meaning: 'It says nothing about a sale. Nothing is to be done.',
    icon: IconEyeOff,
    tone: 'quiet',
  },
  conflict: {
    label: 'Conflict',
    meaning: 'It contradicts its click or an earlier postback. Somebody has to decide.',
    icon: IconAlertTriangle,
    tone: 'warning',
  },
  refused: {
    label: 'Refused',
    meaning: 'Malformed, or without the right key.',
    icon: IconCircleX,
    tone: 'bad',
  },
}
