import {
  type PostbackAnswer,
  type PostbackItem,
  postbacksEndpoints,
} from '@tallyroom/contract/tracking/postbacks'
import { call } from '../../lib/call.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { toast } from '../../ui/toasts.tsx'
import { outcomeLooks } from '../../shared/outcome-looks.ts'

type Refresh = () => Promise<unknown>

export const askToDeliver = (postback: PostbackItem, refresh: Refresh) =>
  confirm({
    heading: 'Deliver again',
    body: `Deliver this ${wordFor(postback)} again? If its click and sale match now, it is recorded and counted.`,
    confirmLabel: 'Deliver again',
    action: async () => {
      const answer = await call(postbacksEndpoints.deliverPostback, { params: { id: postback.id } })
      await refresh()
      tell(answer, ['recorded', 'duplicate'])
    },
  })

const wordFor = ({ event }: PostbackItem) => event ?? 'postback'

function tell({ outcome, reason }: PostbackAnswer, wanted: readonly PostbackAnswer['outcome'][]) {
  const { label, meaning } = outcomeLooks[outcome]
  toast({
    kind: wanted.includes(outcome) ? 'success' : 'error',
    heading: label,
    body: reason ?? meaning,
  })
}
