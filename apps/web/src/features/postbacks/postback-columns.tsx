import { Badge, Button, UnstyledButton } from '@mantine/core'
import type { PostbackItem } from '@tallyroom/contract/postbacks'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { IconChevronRight } from '@tabler/icons-react'
import { CopyButton } from '../../ui/CopyButton.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { OutcomeBadge } from './OutcomeBadge.tsx'
import { isDeliverable } from './outcomes.ts'
import classes from './postback-columns.module.css'

interface PostbackColumnsInput {
  opened: ReadonlySet<string>
  onToggle: (id: string) => void
  onDeliver: (postback: PostbackItem) => void
}

export const postbackColumns = ({
  opened,
  onToggle,
  onDeliver,
}: PostbackColumnsInput): ListColumn<PostbackItem>[] => [
  {
    id: 'receivedAt',
    header: 'Received',
    sortField: 'receivedAt',
    fixed: true,
    cell: ({ id, receivedAt }) => (
      <UnstyledButton
        className={classes.toggle}
        aria-expanded={opened.has(id)}
        aria-label={`${formatDateTime(new Date(receivedAt))}, details`}
        onClick={() => onToggle(id)}
      >
        <IconChevronRight size={14} aria-hidden />
        {formatDateTime(new Date(receivedAt))}
      </UnstyledButton>
    ),
  },
  {
    id: 'site',
    header: 'Site',
    cell: ({ sitename, siteId }) => sitename ?? (siteId && `#${siteId}`),
  },
  {
    id: 'event',
    header: 'Event',
    cell: ({ event, test }) => (
      <span className={classes.event}>
        {event}
        {test && <Badge color="gray">Test</Badge>}
      </span>
    ),
  },
  {
    id: 'clickId',
    header: 'Click id',
    cell: ({ clickId }) => <Id text={clickId} what="click id" />,
  },
  {
    id: 'transactionId',
    header: 'Transaction id',
    cell: ({ transactionId }) => <Id text={transactionId} what="transaction id" />,
  },
  { id: 'outcome', header: 'Outcome', cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ reason }) => <div className={classes.reason}>{reason}</div>,
  },
  { id: 'office', header: 'Office', cell: ({ officeName }) => officeName },
  { id: 'agent', header: 'Agent', cell: ({ agent }) => agent },
  { id: 'type', header: 'Type', cell: ({ typename }) => typename },
  {
    id: 'actions',
    header: '',
    skeletonWidth: 60,
    cell: (postback) =>
      isDeliverable(postback) && (
        <Button variant="default" size="compact-xs" onClick={() => onDeliver(postback)}>
          Deliver again
        </Button>
      ),
  },
]

/** An id cut to its beginning; the whole is copied, and stands below the opened row. */
const Id = ({ text, what }: { text: string | null; what: string }) =>
  text && (
    <span className={classes.id}>
      <code title={text}>{text.length > ID_SHOWN ? `${text.slice(0, ID_SHOWN)}…` : text}</code>
      <CopyButton value={text} what={what} />
    </span>
  )

const ID_SHOWN = 12
