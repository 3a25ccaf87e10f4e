import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { Button } from '@mantine/core'
import { can } from '@tallyroom/domain/abilities'
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMe } from '../../lib/session.ts'
import { useEnterAs } from '../../lib/forms/use-enter-as.ts'
import type { ColumnSet } from '../../shared/sellers/column-set.ts'
import { BesideSwitch, ColumnSets, useColumnSet } from '../../shared/sellers/column-sets.tsx'
import { columnsWithin, isFiltered, useWithin } from '../../shared/within.ts'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { ShowPasswords } from '../../ui/list/ShowPasswords.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { agentActions, askToChangeAgents, askToDeleteAgent } from './agent-actions.ts'
import { agentColumns, sellersAmong } from './agent-columns.tsx'
import { AgentFilters } from './AgentFilters.tsx'
import { refreshAgents } from './agents.api.ts'
import { type AgentsPageSearch, criteriaOf, wireCriteria } from './agents-search.ts'

/** The agents of all offices, of the viewer's own, or of the office whose tab this is. */
export function AgentsPage() {
  const me = useMe()
  const within = useWithin()
  const search: AgentsPageSearch = useSearch({ strict: false })
  const applied = { ...criteriaOf(search, me), ...within }
  const { set, remember } = useColumnSet('agents', search)
  const ofSellers = set === 'sellers'
  const { list, query, filters, csv } = usePagedList(agentsEndpoints.searchAgents, {
    search,
    ...(applied.username
      ? { sortField: 'match', sortAsc: true }
      : ofSellers
        ? { sortField: 'sales', sortAsc: false }
        : { sortField: 'username', sortAsc: true }),
    asked: { figures: ofSellers, criteria: wireCriteria(applied) },
  })
  const clear = () => list.search({ show: search.show })
  const switching = {
    set,
    onChange: (next: ColumnSet) => {
      remember(next)
      list.search({
        ...criteriaOf(search, me),
        show: next,
        sortField: undefined,
        sortAsc: undefined,
      })
    },
  }
  const client = useQueryClient()
  const refresh = () => refreshAgents(client)
  const enterAs = useEnterAs()
  // An office without agents is not an empty search result.
  const isSearched = isFiltered({ ...applied, companyId: undefined }, within)
  const leftOut = leftOutText(query.data?.leftOut ?? 0)

  const days = query.data?.figuresOf
  const accountColumns = agentColumns({
    viewer: me,
    rows: query.data?.items,
    onAction: (action, { id, username }) =>
      void askToChangeAgents(action, { ids: [id], whose: username, refresh }),
    onDelete: (agent) => void askToDeleteAgent(agent, refresh),
    onSignInAs: ({ id }) => enterAs({ agentId: id }),
    refresh,
  })
  const columns = ofSellers ? sellersAmong(accountColumns, days) : accountColumns
  const addButton = (label: string) =>
    can(me, 'agents.create') && (
      <LinkButton
        to="/app/agents/create"
        search={{ companyId: applied.companyId }}
        state={FROM_LIST}
      >
        {label}
      </LinkButton>
    )
  return (
    <ListFrame
      name="Agents"
      query={query}
      list={list}
      columns={columnsWithin(columns, within)}
      rowKey={({ id }) => String(id)}
      empty={
        <EmptyList
          text={isSearched ? 'No agents match' : leftOut && `No agents to list, ${leftOut}`}
          about="Agents send visitors through their links. Each of them works for an office."
          onClear={isSearched ? clear : undefined}
        >
          {addButton('Add the first agent')}
        </EmptyList>
      }
      leftOut={leftOut}
      criteria={
        <BesideSwitch {...switching}>
          <AgentFilters
            applied={applied}
            onSearch={(next) => filters.onSearch({ ...next, show: search.show })}
            onClear={clear}
          />
        </BesideSwitch>
      }
      summary={<ColumnSets {...switching} days={days} />}
      actions={
        <>
          {!ofSellers && <ShowPasswords of={query} />}
          <ExportCsv
            fileName={ofSellers ? 'agents-sellers' : 'agents'}
            columns={columns}
            {...csv}
          />
          {can(me, 'agents.create') && (
            <LinkButton to="/app/agents/import" variant="default">
              Import
            </LinkButton>
          )}
          {addButton('+ Add Agent')}
        </>
      }
      bulkActions={(keys, done) =>
        agentActions.map(
          ({ label, change, consequence, bulkQuestion: question }) =>
            question && (
              <Button
                key={label}
                variant="default"
                size="compact-sm"
                onClick={() =>
                  void askToChangeAgents(
                    { label, change, question, ...(consequence && { consequence }) },
                    {
                      ids: keys.map(Number),
                      whose: keys.length === 1 ? '1 agent' : `${keys.length} agents`,
                      refresh,
                      onDone: done,
                    },
                  )
                }
              >
                {label}
              </Button>
            ),
        )
      }
    />
  )
}

/** Statistics count these agents' sales, too. */
const leftOutText = (count: number): string | undefined =>
  count === 0
    ? undefined
    : `${count} ${count === 1 ? 'agent' : 'agents'} left out (hidden or suspended)`
