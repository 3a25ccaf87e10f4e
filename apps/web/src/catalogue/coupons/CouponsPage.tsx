import { IconCircleOff } from '@tabler/icons-react'
import { type Coupon, couponsEndpoints } from '@tallyroom/contract/catalogue/coupons'
import { couponStates } from '@tallyroom/contract/list-choices'
import { can } from '@tallyroom/domain/abilities'
import { formatCount } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { useMe } from '../../lib/session.ts'
import { AgentSelect } from '../../shared/pickers/AgentSelect.tsx'
import { SiteSelect } from '../../shared/pickers/SiteSelect.tsx'
import { SiteLink } from '../../shared/SiteLink.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { askToChange } from '../../ui/dialogs/ask-to-change.ts'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { ChoiceFilter } from '../../ui/filters/ChoiceFilter.tsx'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { type Filtering, useFilters } from '../../ui/filters/use-filters.ts'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import type { ListColumn } from '../../ui/list/columns.ts'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { actionsColumn, agentColumn } from '../../ui/list/plain-columns.tsx'
import { RowIcon } from '../../ui/list/RowIcon.tsx'
import { patternsQuery, refreshCoupons } from './coupons.api.ts'
import { type CouponCriteria, criteriaOf } from './coupons-search.ts'

const route = getRouteApi('/app/links/coupons')

/** The codes by which merchants report sales without a click: an agent's own, an office's, or everybody's. */
export function CouponsPage() {
  const me = useMe()
  const search = route.useSearch()
  const applied = criteriaOf(search)
  const client = useQueryClient()
  const { list, query, filters, csv } = usePagedList(couponsEndpoints.coupons, {
    search,
    sortField: 'code',
    sortAsc: true,
    asked: applied,
  })
  const makesOwn = can(me, 'coupons.make')
  const patterns = useQuery({ ...patternsQuery(), enabled: makesOwn })
  const manages = can(me, 'coupons.manage')
  const end = (coupon: Coupon) =>
    void askToChange(
      {
        label: 'End',
        question: `Orders made from now on no longer count by this code. Those from before do, and ${manages ? 'the code can be given to another agent.' : 'you can make the code again.'}`,
        danger: true,
      },
      { whose: coupon.code, refresh: () => refreshCoupons(client) },
      () => {
        const params = { id: String(coupon.id) }
        return manages
          ? call(couponsEndpoints.endCoupon, { params })
          : call(couponsEndpoints.endOwnCoupon, { params })
      },
    )
  const columns = columnsOf({
    withAgent: can(me, 'agents.choose'),
    mayEnd: ({ madeByAgent }) => manages || (makesOwn && madeByAgent),
    onEnd: end,
  })
  const isFiltered = Object.values(applied).some((value) => value !== undefined)
  const add = manages ? (
    <LinkButton to="/app/links/coupons/create" state={FROM_LIST}>
      + Add Code
    </LinkButton>
  ) : (
    makesOwn &&
    patterns.data !== undefined &&
    patterns.data.length > 0 && (
      <LinkButton to="/app/links/coupons/make" state={FROM_LIST}>
        + Make a Code
      </LinkButton>
    )
  )
  return (
    <ListFrame
      name="Coupon codes"
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      empty={
        <EmptyList
          text="No coupon codes"
          about="A customer who orders with an agent’s code is that agent’s sale, without a click."
          onClear={isFiltered ? list.clear : undefined}
        >
          {add}
        </EmptyList>
      }
      criteria={<CouponFilters applied={applied} {...filters} />}
      actions={
        <>
          <ExportCsv fileName="coupons" columns={columns} {...csv} />
          {add}
        </>
      }
    />
  )
}

function CouponFilters(filtering: Filtering<CouponCriteria>) {
  const me = useMe()
  const { field, row } = useFilters(filtering)
  return (
    <CriteriaRow {...row}>
      <SiteSelect withSuspended {...field('siteId')} />
      {can(me, 'agents.choose') && <AgentSelect {...field('agentId')} />}
      <ChoiceFilter
        label="State"
        options={couponStates.map((value) => ({ value, label: STATES[value] }))}
        {...field('state')}
      />
    </CriteriaRow>
  )
}

const STATES: Record<Coupon['state'], string> = {
  active: 'Active',
  planned: 'From a later day',
  ended: 'Ended',
}

interface ColumnsInput {
  withAgent: boolean
  mayEnd: (coupon: Coupon) => boolean
  onEnd: (coupon: Coupon) => void
}

const columnsOf = ({ withAgent, mayEnd, onEnd }: ColumnsInput): ListColumn<Coupon>[] => [
  {
    id: 'code',
    header: 'Code',
    card: 'title',
    sortField: 'code',
    fixed: true,
    cell: ({ code }) => <code>{code}</code>,
    csv: ({ code }) => code,
  },
  {
    id: 'sitename',
    header: 'Site',
    sortField: 'sitename',
    cell: ({ siteId, sitename }) => <SiteLink id={siteId}>{sitename}</SiteLink>,
    csv: ({ sitename }) => sitename,
  },
  {
    id: 'typename',
    header: 'Link type',
    cell: ({ typename }) => typename ?? 'All',
    csv: ({ typename }) => typename ?? 'All',
  },
  ...(withAgent ? [agentColumn('username', { sortField: 'username' })] : []),
  {
    id: 'starts',
    header: 'From',
    sortField: 'starts',
    cell: ({ fromDay }) => fromDay,
    csv: ({ fromDay }) => fromDay,
  },
  { id: 'until', header: 'Until', cell: untilOf, csv: untilOf },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => STATES[state],
    csv: ({ state }) => STATES[state],
  },
  {
    id: 'orders',
    header: 'Orders',
    numeric: true,
    note: 'Orders that were reported with the code, whatever became of them.',
    cell: ({ orders }) => formatCount(orders),
    csv: ({ orders }) => orders,
  },
  actionsColumn(48, (coupon) => (
    <>
      <CopyButton value={coupon.code} what={`code ${coupon.code}`} />
      {coupon.state !== 'ended' && mayEnd(coupon) && (
        <RowIcon
          icon={IconCircleOff}
          label={`End ${coupon.code}`}
          tooltip="End"
          onClick={() => onEnd(coupon)}
        />
      )}
    </>
  )),
]

/** The last day, or the one on which it was ended. */
function untilOf({ untilDay, endedAt }: Coupon): string {
  return endedAt === null ? (untilDay ?? '–') : dayOf(new Date(endedAt))
}
