import type { ChatLogItem } from '@tallyroom/contract/desk/chat-logs'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { ListColumn } from '../../ui/list/columns.ts'
import { instantColumn } from '../../ui/list/plain-columns.tsx'
import { SiteLink } from '../../shared/SiteLink.tsx'
import { AgentLink, OfficeLink } from '../../ui/ObjectLink.tsx'
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
    can(viewer, 'offices.choose') && {
      id: 'officeName',
      header: 'Office',
      sortField: 'officeName',
      cell: ({ companyId, officeName }) => <OfficeLink id={companyId}>{officeName}</OfficeLink>,
      csv: ({ officeName }) => officeName,
    },
    can(viewer, 'agents.choose') && {
      id: 'agentUsername',
      header: 'Agent',
      card: 'title',
      sortField: 'agentUsername',
      cell: ({ agentId, agentUsername }) => <AgentLink id={agentId}>{agentUsername}</AgentLink>,
      csv: ({ agentUsername }) => agentUsername,
    },
    {
      id: 'sitename',
      header: 'Site',
      card: 'title',
      sortField: 'sitename',
      cell: ({ siteId, sitename }) => <SiteLink id={siteId}>{sitename}</SiteLink>,
      csv: ({ sitename }) => sitename,
    },
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
