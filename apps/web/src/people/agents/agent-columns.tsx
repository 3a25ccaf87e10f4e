import { IconAlertTriangle, IconClock, IconLock, IconLockOpen } from '@tabler/icons-react'
import { type AgentItem, agentsEndpoints } from '@tallyroom/contract/people/agents'
import type { SellerDays } from '@tallyroom/contract/people/sellers'
import { type AbilityHolder, can } from '@tallyroom/domain/abilities'
import { statusLabel } from '@tallyroom/domain/labels'
import { formatCount } from '@tallyroom/domain/money'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { call } from '../../lib/call.ts'
import { nameInPath } from '../../lib/pages/name-in-path.ts'
import { sellerColumns } from '../../shared/sellers/seller-columns.tsx'
import { RecentInstant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import { ACTIONS, type ListColumn } from '../../ui/list/columns.ts'
import { actionsColumn, dayColumn } from '../../ui/list/plain-columns.tsx'
import { EditLink } from '../../ui/list/EditLink.tsx'
import { RowMenu } from '../../ui/list/RowMenu.tsx'
import { AgentLink, OfficeLink } from '../../ui/ObjectLink.tsx'
import { StatusNote, StatusWithNotes } from '../../ui/text/StatusNote.tsx'
import { InvitationNote } from '../invitations/InvitationNote.tsx'
import { type ActedAgent, type AgentAction, agentMenu, isLoginOpen } from './agent-actions.ts'
import { passwordColumns } from '../../ui/list/password-columns.tsx'

interface AgentColumnsInput {
  viewer: AbilityHolder
  rows: readonly AgentItem[] | undefined
  onAction: (action: AgentAction, agent: AgentItem) => void
  onDelete: (agent: AgentItem) => void
  onSignInAs: (agent: AgentItem) => void
  refresh: () => Promise<unknown>
}

export const agentColumns = ({
  viewer,
  rows,
  onAction,
  onDelete,
  onSignInAs,
  refresh,
}: AgentColumnsInput): ListColumn<AgentItem>[] => [
  {
    id: 'username',
    header: 'Username',
    card: 'title',
    sortField: 'username',
    fixed: true,
    cell: ({ id, username }) => <AgentLink id={id}>{username}</AgentLink>,
    csv: ({ username }) => username,
  },
  {
    id: 'name',
    header: 'Name',
    card: 'title',
    behind: true,
    cell: ({ firstName, lastName }) => `${firstName} ${lastName}`.trim() || '–',
    csv: [
      { header: 'First Name', value: ({ firstName }) => firstName },
      { header: 'Last Name', value: ({ lastName }) => lastName },
      { header: 'Office', value: ({ officeName }) => officeName },
    ],
  },
  ...passwordColumns(rows, ({ id }) =>
    call(agentsEndpoints.agentPassword, { params: { id: String(id) } }),
  ),
  ...(can(viewer, 'offices.choose')
    ? [
        {
          id: 'officeName',
          header: 'Office',
          sortField: 'officeName',
          cell: ({ companyId, officeName }: AgentItem) => (
            <OfficeLink id={companyId}>{officeName}</OfficeLink>
          ),
        },
      ]
    : []),
  dayColumn('regTime', 'Registered', { sortField: 'regTime' }),
  {
    id: 'lastLoginTime',
    header: 'Last Login',
    sortField: 'lastLoginTime',
    cell: ({ lastLoginTime }) => (lastLoginTime ? <RecentInstant at={lastLoginTime} /> : '–'),
    csv: [
      {
        header: 'Last Login (New York)',
        value: ({ lastLoginTime }) => lastLoginTime && formatDateTime(new Date(lastLoginTime)),
      },
    ],
  },
  {
    id: 'loginCount',
    header: 'Login Times',
    sortField: 'loginCount',
    numeric: true,
    cell: ({ id, companyId, loginCount, username }) => (
      <LinkText
        to="/app/logs/login"
        search={{ agentId: id, companyId }}
        aria-label={`${formatCount(loginCount)} logins of ${username}`}
      >
        {formatCount(loginCount)}
      </LinkText>
    ),
    csv: ({ loginCount }) => loginCount,
  },
  {
    id: 'status',
    header: 'Status',
    card: 'title',
    sortField: 'status',
    cell: (agent) => <AgentStatus agent={agent} />,
    csv: [
      { header: 'Status', value: statusLabel },
      { header: 'Fraud', value: ({ fraudFlaggedAt }) => (fraudFlaggedAt ? 'reported' : '') },
      { header: 'Approved', value: ({ approved }) => (approved ? 'yes' : 'no') },
      {
        header: 'Login',
        value: (agent) =>
          agent.loginBlocked ? (isLoginOpen(agent) ? 'blocked from 01:00' : 'blocked') : 'enabled',
      },
    ],
  },
  {
    id: 'sitesCount',
    header: 'Sites',
    card: 'money',
    sortField: 'sitesCount',
    numeric: true,
    cell: ({ id, username, sitesCount }) => (
      <LinkText
        to="/app/agents/$agentId/$name/sites"
        params={{ agentId: String(id), name: nameInPath(username) }}
        aria-label={`${formatCount(sitesCount)} sites of ${username}`}
      >
        {formatCount(sitesCount)}
      </LinkText>
    ),
    csv: ({ sitesCount }) => sitesCount,
  },
  actionsColumn(48, (agent) => (
    <>
      <EditLink
        to="/app/agents/edit/$agentId"
        params={{ agentId: String(agent.id) }}
        aria-label={`Edit ${agent.username}`}
      />
      <RowMenu
        of={agent.username}
        actions={agentMenu(agent, {
          viewer,
          onAction: (action) => onAction(action, agent),
          onDelete: () => onDelete(agent),
          onSignInAs: () => onSignInAs(agent),
          refresh,
        })}
      />
    </>
  )),
]

/** The columns of sellers: who they are, what they sold, and how they stand. */
export const sellersAmong = (
  columns: readonly ListColumn<AgentItem>[],
  days: SellerDays | undefined,
): ListColumn<AgentItem>[] => [
  ...columns.filter(({ id }) => id === 'username' || id === 'officeName'),
  ...sellerColumns<AgentItem>({
    days,
    sellerOf: ({ id, username }) => ({ name: username, stats: { agentId: id } }),
  }),
  ...columns.filter(({ id }) => id === 'status'),
  ...columns
    .filter(({ id }) => id === 'name')
    .map((column) => ({ ...column, card: 'detail' as const })),
  ...columns.filter(({ id }) => id === ACTIONS),
]

/** An agent's status, with whatever else keeps them from signing in. */
export function AgentStatus({ agent }: { agent: ActedAgent & Pick<AgentItem, 'approved'> }) {
  return (
    <StatusWithNotes status={agent}>
      {!agent.approved && (
        <StatusNote icon={IconClock} label="Unapproved">
          They can’t sign in, and their links don’t work, until they are approved
        </StatusNote>
      )}
      <InvitationNote {...agent} />
      {agent.fraudFlaggedAt && (
        <StatusNote icon={IconAlertTriangle} label="Fraud">
          {`A merchant reported one of their sales as fraud on ${formatDateTime(new Date(agent.fraudFlaggedAt))}. Clear the flag once this is settled: activating the agent keeps it`}
        </StatusNote>
      )}
      {agent.loginBlocked &&
        (isLoginOpen(agent) ? (
          <StatusNote icon={IconLockOpen} label="Login blocked from 01:00">
            Login is enabled up to 01:00 New York time
          </StatusNote>
        ) : (
          <StatusNote icon={IconLock} label="Login blocked">
            They can’t sign in. Enable login in the menu: login is enabled up to 01:00 New York time
          </StatusNote>
        ))}
    </StatusWithNotes>
  )
}
