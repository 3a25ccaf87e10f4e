import type { PostbackAnswer, PostbackItem } from '@tallyroom/contract/postbacks'
import { formatClock } from '@tallyroom/domain/new-york'
import { confirm } from '../../ui/dialogs.tsx'
import { toast } from '../../ui/toasts.tsx'
import { outcomeLooks } from '../../ui/outcome-looks.ts'
import { originOf } from './outcomes.ts'
import { type DateDecision, deliverAgain, settle } from './postbacks.api.ts'

type Refresh = () => Promise<unknown>

export const askToDeliver = (postback: PostbackItem, refresh: Refresh) =>
  confirm({
    heading: 'Deliver again',
    body: `Deliver this ${wordFor(postback)} again? If its click and sale match now, it is recorded and counted.`,
    confirmLabel: 'Deliver again',
    action: async () => {
      const answer = await deliverAgain(postback.id)
      await refresh()
      tell(answer, ['recorded', 'duplicate'])
    },
  })

/** Decides on a postback dated before its click, or a reversal dated before its sale. */
export function askToSettle(postback: PostbackItem, decision: DateDecision, refresh: Refresh) {
  const origin = originOf(postback)
  const dated = `This ${wordFor(postback)} is dated ${clockOf(postback.occurredAt)}, before its ${origin} of ${clockOf(postback.earliestAt)}.`
  const request =
    decision === 'record'
      ? {
          heading: `Record at its ${origin}`,
          body: `${dated} Record it with the date and time of its ${origin}? It then counts on that day, and earlier days don’t change.`,
          confirmLabel: 'Record',
        }
      : {
          heading: 'Refuse',
          body: `${dated} Refuse it? It is not counted, and this can’t be undone.`,
          confirmLabel: 'Refuse',
          danger: true,
        }
  return confirm({
    ...request,
    action: async () => {
      const answer = await settle(postback.id, decision)
      await refresh()
      tell(answer, decision === 'record' ? ['recorded', 'duplicate'] : ['refused'])
    },
  })
}

const wordFor = ({ event }: PostbackItem) => event ?? 'postback'

const clockOf = (instant: string | null) =>
  instant === null ? '–' : formatClock(new Date(instant))

function tell({ outcome, reason }: PostbackAnswer, wanted: readonly PostbackAnswer['outcome'][]) {
  const { label, meaning } = outcomeLooks[outcome]
  toast({
    kind: wanted.includes(outcome) ? 'success' : 'error',
    heading: label,
    body: reason ?? meaning,
  })
}
