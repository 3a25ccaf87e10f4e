import {
  avpWeekEndpoints,
  type CloseAgent,
  type CloseAgents,
} from '@tallyroom/contract/figures/avp-week'
import { can } from '@tallyroom/domain/abilities'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { formatCount, formatPesos, signedPesos } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { queryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { OfficeSelect } from '../../shared/pickers/OfficeSelect.tsx'
import { SiteSelect } from '../../shared/pickers/SiteSelect.tsx'
import { Amount } from '../../ui/text/Amount.tsx'
import { LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { OfficeLink } from '../../ui/ObjectLink.tsx'
import type { AvpWeekSearch } from './avp-week-search.ts'
import { type Filtering, useFilters } from '../../ui/filters/use-filters.ts'

const route = getRouteApi('/app/stats/avp-week')

/** Polled as often as Home. */
export const POLL_MS = 10_000

/** The agents who sold this week and have a next tier, closest first. */
export function CloseAgentsList() {
  const me = useMe()
  const search = route.useSearch()
  const { companyId, siteId } = search
  const list = useListState(search, { sortField: 'missing', sortAsc: true })
  const { page, pageSize, sortField, sortAsc } = list
  const query = useQuery({
    ...queryOf(
      avpWeekEndpoints.avpCloseAgents,
      { body: { page, pageSize, sortField, sortAsc, companyId, siteId } },
      { keepPrevious: true, meta: { ownErrors: true } },
    ),
    refetchInterval: POLL_MS,
  })
  const isFiltered = companyId !== undefined || siteId !== undefined
  return (
    <ListFrame
      name="AVP this week"
      query={query}
      list={list}
      columns={columnsOf(query.data, can(me, 'offices.choose'))}
      rowKey={({ agentId }) => String(agentId)}
      criteria={
        <Filters
          applied={{ companyId, siteId }}
          withOffices={can(me, 'offices.choose')}
          onSearch={list.search}
          onClear={list.clear}
        />
      }
      summary="Agents who have sold this week and can still reach a higher tier by Sunday 23:59, New York time. A tier counts the agent’s sales on all AVP sites."
      empty={
        <EmptyList
          text="Nobody is on the way to a tier"
          about="Agents appear here from their first AVP sale of the week until they reach the top tier."
          onClear={isFiltered ? list.clear : undefined}
        />
      }
    />
  )
}

type Criteria = Pick<AvpWeekSearch, 'companyId' | 'siteId'>

interface FiltersProps extends Filtering<Criteria> {
  withOffices: boolean
}

function Filters({ withOffices, ...filtering }: FiltersProps) {
  const { field, row } = useFilters(filtering)
  return (
    <CriteriaRow {...row}>
      {withOffices && <OfficeSelect {...field('companyId')} />}
      <SiteSelect {...field('siteId')} />
    </CriteriaRow>
  )
}

function columnsOf(data: CloseAgents | undefined, withOffices: boolean): ListColumn<CloseAgent>[] {
  const tierName = (index: number) => {
    const tier = data?.tiers.find((one) => one.index === index)
    return tier ? `${index} (${avpSelectLabel(tier)})` : String(index)
  }
  // If payouts are hidden, no row has any.
  const withPay = data?.items.some(({ pay }) => pay !== undefined) ?? false
  return [
    {
      id: 'agent',
      header: 'Agent',
      fixed: true,
      sortField: 'username',
      card: 'title',
      cell: ({ agentId, username }) => (
        <LinkText to="/app/stats/avp-week" search={{ agentId }}>
          {username}
        </LinkText>
      ),
    },
    ...(withOffices
      ? [
          {
            id: 'office',
            header: 'Office',
            sortField: 'officeName',
            card: 'detail' as const,
            cell: ({ companyId, officeName }: CloseAgent) => (
              <OfficeLink id={companyId}>{officeName}</OfficeLink>
            ),
          },
        ]
      : []),
    {
      id: 'missing',
      header: 'Missing',
      note: 'Sales until the next tier',
      numeric: true,
      sortField: 'missing',
      card: 'title',
      cell: ({ next }) => (
        <>
          <b>{formatCount(next.missing)}</b> more
        </>
      ),
    },
    {
      id: 'next',
      header: 'Next tier',
      card: 'title',
      cell: ({ next }) => `to tier ${tierName(next.tier)}`,
    },
    {
      id: 'sales',
      header: 'Week’s AVP Sales',
      numeric: true,
      sortField: 'sales',
      card: 'detail',
      cell: ({ agentId, sales }) => (
        <Amount
          // An office may ask only about sales that were made for it, while a tier also counts
          // those for others.
          of={
            data && withOffices
              ? { report: 'avp', column: 'avpSales', ...data.week, agentId }
              : undefined
          }
          label="Week’s AVP Sales"
        >
          {formatCount(sales)}
        </Amount>
      ),
    },
    { id: 'tier', header: 'Tier', card: 'detail', cell: ({ tier }) => tierName(tier) },
    ...(withPay
      ? [
          {
            id: 'pay',
            header: 'Payout so far',
            note: 'What the week’s AVP sales pay at the current tier, as in Payroll AVP',
            numeric: true,
            card: 'detail' as const,
            cell: ({ pay }: CloseAgent) => formatPesos(pay?.php),
          },
          {
            id: 'adds',
            header: 'Reaching it adds',
            note: 'How much more the week pays at the next tier, including the missing sales',
            numeric: true,
            sortField: 'adds',
            card: 'money' as const,
            cell: ({ next }: CloseAgent) => signedPesos(next.adds?.php),
          },
        ]
      : []),
  ]
}
