import { Badge, Button } from '@mantine/core'
import type { PostbackItem } from '@tallyroom/contract/tracking/postbacks'
import type { HoldAct } from '@tallyroom/domain/holds'
import { formatClock } from '@tallyroom/domain/new-york'
import { holdWords } from '../../shared/held/hold-words.ts'
import { HoldActs } from '../../shared/held/HoldActs.tsx'
import { WhoDecides } from '../../shared/held/WhoDecides.tsx'
import { SiteLink } from '../../shared/SiteLink.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { RowToggle } from '../../ui/list/RowToggle.tsx'
import { AgentLink, OfficeLink } from '../../ui/ObjectLink.tsx'
import { OutcomeBadge } from '../../shared/OutcomeBadge.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
import { isDeliverable } from './outcomes.ts'
import classes from './postback-columns.module.css'

interface PostbackColumnsInput {
  opened: ReadonlySet<string>
  /** Whether the viewer delivers postbacks again, and decides on held ones. */
  mayManage: boolean
  onToggle: (id: string) => void
  onDeliver: (postback: PostbackItem) => void
  onDecide: (postback: PostbackItem, act: HoldAct) => void
}

export const postbackColumns = ({
  opened,
  mayManage,
  onToggle,
  onDeliver,
  onDecide,
}: PostbackColumnsInput): ListColumn<PostbackItem>[] => [
  {
    id: 'receivedAt',
    header: 'Received',
    card: 'title',
    sortField: 'receivedAt',
    fixed: true,
    cell: ({ id, receivedAt }) => (
      <RowToggle label="Details" opened={opened.has(id)} onToggle={() => onToggle(id)}>
        <Instant at={receivedAt} />
      </RowToggle>
    ),
    csv: [
      {
        header: 'Received (New York)',
        value: ({ receivedAt }) => formatClock(new Date(receivedAt)),
      },
      {
        header: 'Happened (New York)',
        value: ({ occurredAt }) => occurredAt && formatClock(new Date(occurredAt)),
      },
    ],
  },
  {
    id: 'site',
    header: 'Site',
    card: 'title',
    cell: ({ sitename, siteId }) =>
      siteId !== null && <SiteLink id={siteId}>{sitename ?? `#${siteId}`}</SiteLink>,
    csv: ({ sitename }) => sitename,
  },
  {
    id: 'event',
    header: 'Event',
    card: 'title',
    cell: ({ event, test }) => (
      <span className={classes.event}>
        {event}
        {test && <Badge color="gray">Test</Badge>}
      </span>
    ),
    csv: [
      { header: 'Event', value: ({ event }) => event },
      { header: 'Test', value: ({ test }) => (test ? 'test' : '') },
    ],
  },
  {
    id: 'clickId',
    header: 'Click id',
    behind: true,
    cell: ({ clickId }) => <Id text={clickId} what="click id" shown={8} />,
    csv: ({ clickId }) => clickId,
  },
  {
    id: 'transactionId',
    header: 'Transaction id',
    cell: ({ transactionId }) => <Id text={transactionId} what="transaction id" shown={16} />,
    csv: ({ transactionId }) => transactionId,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    card: 'money',
    cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
    csv: ({ outcome }) => outcome,
  },
  {
    id: 'reason',
    header: 'Reason',
    fixed: true,
    // What needs a decision is decided without unfolding the card.
    card: 'title',
    cell: (postback) =>
      (postback.reason || isDeliverable(postback)) && (
        <div className={classes.reason}>
          <WithDays>{postback.reason}</WithDays>{' '}
          {mayManage && isDeliverable(postback) && (
            <Button variant="default" size="compact-xs" onClick={() => onDeliver(postback)}>
              Deliver again
            </Button>
          )}
          {mayManage && postback.hold && (
            <HoldActs acts={postback.hold.acts} onAct={(act) => onDecide(postback, act)} />
          )}
          {!mayManage && postback.hold && <WhoDecides id={postback.id} />}
        </div>
      ),
    csv: [
      { header: 'Reason', value: ({ reason }) => reason },
      { header: 'Held for', value: ({ hold }) => hold && holdWords[hold.kind].label },
    ],
  },
  {
    id: 'office',
    header: 'Office',
    behind: true,
    cell: ({ companyId, officeName }) =>
      companyId !== null && <OfficeLink id={companyId}>{officeName}</OfficeLink>,
    csv: ({ officeName }) => officeName,
  },
  {
    id: 'agent',
    header: 'Agent',
    cell: ({ agentId, agent }) => agentId !== null && <AgentLink id={agentId}>{agent}</AgentLink>,
    csv: ({ agent }) => agent,
  },
  {
    id: 'type',
    header: 'Type',
    behind: true,
    cell: ({ typename }) => typename,
    csv: [
      { header: 'Type', value: ({ typename }) => typename },
      { header: 'Method', value: ({ method }) => method },
      { header: 'IP', value: ({ ip }) => ip },
      { header: 'Parameters', value: ({ params }) => params },
      { header: 'Postback id', value: ({ id }) => id },
      { header: 'Sale event id', value: ({ eventId }) => eventId },
    ],
  },
]

/** A truncated id. The copy button copies all of it, and the expanded row shows it. */
const Id = ({ text, what, shown }: { text: string | null; what: string; shown: number }) =>
  text && (
    <span className={classes.id}>
      <code title={text}>{text.length > shown ? `${text.slice(0, shown)}…` : text}</code>
      <CopyButton value={text} what={what} />
    </span>
  )
