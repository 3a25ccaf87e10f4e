import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { can } from '@tallyroom/domain/abilities'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { useMe } from '../../lib/session.ts'
import { useWithin } from '../../shared/within.ts'
import { LinkButton, LinkText } from '../../ui/links.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportList } from '../../ui/export/ExportList.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { statementsQuery } from '../pay.api.ts'
import { statementColumns, statementTotals } from './statement-columns.tsx'
import { statementsSearch } from './statements-search.ts'

/** Statements, newest first: all of them, those of the viewer, or those of the office or agent whose tab it is. */
export function StatementsPage() {
  const me = useMe()
  const search = statementsSearch.parse(useSearch({ strict: false }))
  const { companyId, agentId } = useWithin()
  const list = useListState(search, { sortField: 'closedAt', sortAsc: false, pageSize: 50 })
  // Agents also see their own lines of their office's statements.
  const payee =
    me.role === 'agent'
      ? undefined
      : agentId !== undefined
        ? ({ kind: 'agent', id: String(agentId) } as const)
        : companyId !== undefined
          ? ({ kind: 'office', id: String(companyId) } as const)
          : undefined
  const asked = { ...payee, period: search.period }
  const query = useQuery(statementsQuery({ ...asked, page: list.page, pageSize: list.pageSize }))
  const columns = statementColumns({
    isAgent: me.role === 'agent',
    isOwn: !can(me, 'pay.manage'),
    isTaxed: (query.data?.withheld ?? null) !== null,
  })
  const own = payee ?? ownPayee(me)
  return (
    <ListFrame
      name="Statements"
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      summary={
        search.period ? (
          <>
            Of {search.period}.{' '}
            <LinkText to="/app/pay/statements" underlined>
              Show all
            </LinkText>
          </>
        ) : (
          'What was earned in each closed period. A statement never changes.'
        )
      }
      actions={
        <>
          <ExportList
            fileName="statements"
            columns={columns}
            fetchPage={(part) =>
              call(statementsEndpoints.statements, { query: { ...asked, ...part } })
            }
            disabled={!query.data?.total}
          />
          {own && (
            <LinkButton to="/app/pay/balances/$kind/$id" params={own} variant="default">
              {can(me, 'pay.manage') ? 'Balance and adjustments' : 'My balance'}
            </LinkButton>
          )}
        </>
      }
      empty={
        <EmptyList
          text="No statements yet"
          about="One is made for each payee when a pay period is closed."
        />
      }
      totals={query.data && query.data.total > 0 ? statementTotals(query.data) : []}
    />
  )
}

/** The payee that the viewer is; undefined for staff. */
const ownPayee = ({ role, companyId, agentId }: ReturnType<typeof useMe>) =>
  role === 'agent' && agentId !== null && agentId !== undefined
    ? ({ kind: 'agent', id: String(agentId) } as const)
    : role === 'company' && companyId !== null && companyId !== undefined
      ? ({ kind: 'office', id: String(companyId) } as const)
      : undefined
