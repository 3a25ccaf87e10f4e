import type { ChatLogItem } from '@tallyroom/contract/desk/chat-logs'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { ListColumn } from '../../ui/list/columns.ts'
import { agentColumn, instantColumn, officeColumn } from '../../ui/list/plain-columns.tsx'
import { siteColumn } from '../../shared/site-column.tsx'
import { RowToggle } from '../../ui/list/RowToggle.tsx'
import classes from './chat-logs.module.css'

interface ChatLogColumnsInput {
  viewer: AbilityHolder
  /** The ids of the expanded rows. */
  opened: ReadonlySet<number>
  onToggle: (id: number) => void
}

export const chatLogColumns = ({
  viewer,
  opened,
  onToggle,
}: ChatLogColumnsInput): ListColumn<ChatLogItem>[] => {
  const columns: (ListColumn<ChatLogItem> | false)[] = [
    can(viewer, 'offices.choose') && officeColumn({ sortField: 'officeName' }),
    can(viewer, 'agents.choose') && agentColumn('agentUsername', { sortField: 'agentUsername' }),
    siteColumn({ sortField: 'sitename' }),
    {
      id: 'clientUsername',
      header: 'Client name',
      card: 'title',
      sortField: 'clientUsername',
      cell: ({ clientUsername }) => <span className={classes.client}>{clientUsername}</span>,
      csv: ({ clientUsername }) => clientUsername,
    },
    {
      id: 'conversation',
      header: 'Conversation',
      fixed: true,
      cell: ({ id, clientUsername, conversation }) => (
        <RowToggle
          label={`Conversation with ${clientUsername}`}
          opened={opened.has(id)}
          onToggle={() => onToggle(id)}
          maxWidth="min(480px, 60vw)"
        >
          {beginningOf(conversation)}
        </RowToggle>
      ),
      csv: ({ conversation }) => conversation,
    },
    instantColumn('submitTime', 'Submit Time', { card: 'title', sortField: 'submitTime' }),
  ]
  return columns.filter((column) => column !== false)
}

/** More than fits into a cell, which then truncates it. */
const beginningOf = (conversation: string) => conversation.slice(0, 200)

/** A whole conversation, with its line breaks. */
export const Conversation = ({ chat }: { chat: ChatLogItem }) => (
  <div
    className={classes.conversation}
    role="region"
    aria-label={`Whole conversation with ${chat.clientUsername}`}
    tabIndex={0}
  >
    {chat.conversation}
  </div>
)
