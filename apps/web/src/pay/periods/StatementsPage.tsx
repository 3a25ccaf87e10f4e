import { Badge } from '@mantine/core'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import type { StatementItem } from '@tallyroom/contract/pay/statements'
import { can } from '@tallyroom/domain/abilities'
import { rangeInWords } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { statementWords } from '../../shared/earned.tsx'
import { useMe } from '../../lib/session.ts'
import { useWithin } from '../../shared/within.ts'
import { Instant } from '../../ui/Instant.tsx'
import { LinkButton, LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { payeeParams, statementColors } from './pay-words.ts'
import { statementsQuery } from './pay.api.ts'
import classes from './pay.module.css'
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
  const query = useQuery(
    statementsQuery({ ...payee, period: search.period, page: list.page, pageSize: list.pageSize }),
  )
  const own = payee ?? ownPayee(me)
  const { centavos = 0, cents = 0 } = query.data ?? {}
  return (
    <ListFrame
      name="Statements"
      query={query}
      list={list}
      columns={columnsOf(me.role === 'agent', !can(me, 'pay.manage'))}
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
        own && (
          <LinkButton to="/app/pay/balances/$kind/$id" params={own} variant="default">
            {can(me, 'pay.manage') ? 'Balance and adjustments' : 'My balance'}
          </LinkButton>
        )
      }
      empty={
        <EmptyList
          text="No statements yet"
          about="One is made for each payee when a pay period is closed."
        />
      }
      totals={
        query.data && query.data.total > 0
          ? [
              ...(centavos !== 0 || cents === 0
                ? [total('php', 'Total', moneyText(centavos, 'PHP'))]
                : []),
              ...(cents !== 0 ? [total('usd', 'Total in dollars', moneyText(cents, 'USD'))] : []),
            ]
          : []
      }
    />
  )
}

const total = (id: string, label: string, amount: string) => ({ id, label, cells: { amount } })

/** The payee that the viewer is; undefined for staff. */
const ownPayee = ({ role, companyId, agentId }: ReturnType<typeof useMe>) =>
  role === 'agent' && agentId !== null && agentId !== undefined
    ? ({ kind: 'agent', id: String(agentId) } as const)
    : role === 'company' && companyId !== null && companyId !== undefined
      ? ({ kind: 'office', id: String(companyId) } as const)
      : undefined

/** An agent’s own part of an office’s statement has no balance. */
const columnsOf = (isAgent: boolean, isOwn: boolean): ListColumn<StatementItem>[] => [
  {
    id: 'number',
    header: 'Statement',
    fixed: true,
    card: 'title',
    cell: ({ id, number, period }) => (
      <>
        <LinkText to="/app/pay/statements/$statementId" params={{ statementId: String(id) }}>
          {number}
        </LinkText>
        <span className={classes.beside}>{rangeInWords(period)}</span>
      </>
    ),
  },
  {
    id: 'payee',
    header: 'Payee',
    card: isOwn ? 'detail' : 'title',
    cell: ({ payee }) =>
      isAgent && payee.kind === 'office' ? (
        payee.name
      ) : (
        <LinkText to="/app/pay/balances/$kind/$id" params={payeeParams(payee)}>
          {payee.name}
        </LinkText>
      ),
  },
  {
    id: 'amount',
    header: 'Sum',
    numeric: true,
    card: 'money',
    cell: ({ amount, currency }) => moneyText(amount, currency),
  },
  {
    id: 'carried',
    header: 'Balance before',
    numeric: true,
    card: 'detail',
    cell: ({ carried, currency, payee }) =>
      isAgent && payee.kind === 'office' ? '–' : moneyText(carried, currency),
  },
  {
    id: 'due',
    header: 'To pay',
    numeric: true,
    card: 'detail',
    cell: ({ due, currency, payee }) =>
      isAgent && payee.kind === 'office' ? '–' : moneyText(due, currency),
  },
  {
    id: 'state',
    header: 'State',
    card: 'title',
    cell: ({ payee, ...statement }) => (
      <Badge color={statementColors[statement.state]} variant="light">
        {statementWords(statement, isAgent && payee.kind === 'office')}
      </Badge>
    ),
  },
  {
    id: 'closedAt',
    header: 'Closed',
    card: 'detail',
    cell: ({ closedAt }) => <Instant at={closedAt} />,
  },
]
