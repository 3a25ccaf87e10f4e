import { Button } from '@mantine/core'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { approvalEndpoints, type Unapproved } from '@tallyroom/contract/people/approval'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { refreshOf } from '../../lib/queries.ts'
import type { ListColumn } from '../../ui/list/columns.ts'
import { instantColumn, officeColumn } from '../../ui/list/plain-columns.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { useWholeList } from '../../ui/export/use-whole-list.ts'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { AgentLink } from '../../ui/ObjectLink.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { type Asked, askToChange } from '../../ui/dialogs/ask-to-change.ts'

const route = getRouteApi('/app/unapprove')

/** New agents who await approval. */
export function ApprovalPage() {
  const { list, query, csv } = useWholeList(approvalEndpoints.unapproved, {
    search: route.useSearch(),
    sortField: 'regTime',
    sortAsc: true,
  })
  const client = useQueryClient()
  const { history, navigate } = useRouter()
  // Returns to the checklist of a new network, which says what comes next, if the user came from
  // there.
  const isStep = history.location.state.fromChecklist ?? false
  const refresh = async () => {
    await refreshUnapproved(client)
    if (isStep) history.back()
  }

  const columns = columnsWith(
    (agent) =>
      void askToApprove([agent.id], 'agent', {
        whose: agent.username,
        refresh,
        ...(!isStep && {
          next: {
            label: 'Show their links',
            open: () =>
              void navigate({ to: '/app/links/links', search: { agentId: agent.agentId } }),
          },
        }),
      }),
  )
  return (
    <ListFrame
      name="New Agents"
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      empty={
        <EmptyList
          text="All agents are approved"
          about="New agents wait here until somebody approves them."
        />
      }
      summary={<TimeZoneNote />}
      actions={<ExportCsv fileName="new-agents" columns={columns} {...csv} />}
      bulkActions={(keys, done) => (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() =>
            void askToApprove(keys.map(Number), 'selected agents', {
              whose: `${keys.length} selected`,
              refresh,
              onDone: done,
            })
          }
        >
          Approve
        </Button>
      )}
    />
  )
}

/** @param ids of accounts */
const askToApprove = (ids: readonly number[], what: string, asked: Asked) =>
  askToChange({ label: 'Approve', question: `Are you sure to approve ${what}?` }, asked, () =>
    call(approvalEndpoints.approve, { body: { ids: [...ids] } }),
  )

const columnsWith = (onApprove: (agent: Unapproved) => void): ListColumn<Unapproved>[] => [
  {
    id: 'username',
    header: 'Username',
    card: 'title',
    sortField: 'username',
    fixed: true,
    cell: ({ agentId, username }) => <AgentLink id={agentId}>{username}</AgentLink>,
    csv: ({ username }) => username,
  },
  officeColumn({ card: 'title', sortField: 'officeName' }),
  instantColumn('regTime', 'Registered', { sortField: 'regTime' }, formatDateTime),
  { id: 'status', header: 'Status', cell: () => 'Unapproved' },
  {
    id: 'actions',
    header: 'Actions',
    fixed: true,
    skeletonWidth: 64,
    cell: (agent) => (
      <Button
        variant="default"
        size="compact-xs"
        aria-label={`Approve ${agent.username}`}
        onClick={() => onApprove(agent)}
      >
        Approve
      </Button>
    ),
  },
]

/** Refetches the list, its count and everything else that shows agents. */
const refreshUnapproved = refreshOf(
  approvalEndpoints.unapproved,
  approvalEndpoints.unapprovedCount,
  agentsEndpoints.searchAgents,
  officesEndpoints.companyAgents,
)
