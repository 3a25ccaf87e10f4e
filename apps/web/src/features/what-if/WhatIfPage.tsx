import { SegmentedControl } from '@mantine/core'
import type { WhatIf, WhatIfRow } from '@tallyroom/contract/what-if'
import { can } from '@tallyroom/domain/abilities'
import { formatCount, formatPesos } from '@tallyroom/domain/money'
import { isValidRange, periodOf } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useToday } from '../../lib/clock.ts'
import { useMe } from '../../lib/session.ts'
import { useExchangeRate } from '../../pickers/MarginMark.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportMenu } from '../../ui/list/ExportMenu.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { AgentLink, OfficeLink } from '../../ui/ObjectLink.tsx'
import { signedPesos } from '../../ui/signed-amounts.ts'
import { areAmounts, bodyOfRates, ratesOfText } from './other-rates.ts'
import { saveWhatIf, tiersQuery, typesQuery, type WhatIfBody, whatIfQuery } from './what-if.api.ts'
import { TakeOver } from './TakeOver.tsx'
import { WhatIfForm } from './WhatIfForm.tsx'

const route = getRouteApi('/app/sites/what-if')

/** What past sales would have been paid at other rates or tiers, beside what was paid. */
export function WhatIfPage() {
  const me = useMe()
  const search = route.useSearch()
  const last = periodOf(useToday(), 'beWeek', 1)
  const { start = last.start, end = last.end, groupBy, companyId, siteId, replaceOwn } = search
  const list = useListState(search, { sortField: 'difference', sortAsc: false })
  const { page, pageSize, sortField, sortAsc } = list
  const tiersNow = useQuery(tiersQuery(start))
  const types = useQuery({ ...typesQuery(siteId ?? 0), enabled: siteId !== undefined })
  const exchange = useExchangeRate()
  const rates = ratesOfText(search.rates)
  const pesos = search.tiers?.split(',')
  const figures = [...(pesos ?? []), ...[...rates.values()].flatMap((one) => Object.values(one))]
  const isAsked = isValidRange({ start, end }) && figures.length > 0 && areAmounts(figures)
  const body: WhatIfBody | undefined =
    isAsked && (!pesos || tiersNow.data)
      ? {
          start,
          end,
          groupBy: groupBy ?? 'company',
          ...(companyId !== undefined && { companyIds: [companyId] }),
          rates: bodyOfRates(rates),
          replaceOwn: replaceOwn ?? true,
          ...(pesos && {
            tiers: (tiersNow.data ?? []).map(({ from, to }, index) => ({
              from,
              to,
              payoutPhp: Number(pesos[index] ?? 0),
            })),
          }),
          page,
          pageSize,
          sortField,
          sortAsc,
        }
      : undefined
  const query = useQuery(whatIfQuery(body))
  const answer = body && query.data
  const applied = {
    start,
    end,
    groupBy,
    companyId,
    siteId,
    rates: search.rates,
    tiers: search.tiers,
    replaceOwn,
  }
  // Drawn any sooner, the list would move when the rates, their marks and the tiers above it arrive.
  if (tiersNow.isPending || exchange.isLoading || (siteId !== undefined && types.isPending))
    return null
  return (
    <ListFrame
      name="What if"
      query={body ? query : NOTHING_ASKED}
      list={list}
      columns={columnsOf(groupBy === 'agent', pesos !== undefined)}
      rowKey={({ companyId: office, agentId = 0 }) => `${office} ${agentId}`}
      criteria={
        <WhatIfForm
          applied={applied}
          from={start}
          busy={query.isFetching}
          onSearch={({ start: first, end: until, ...others }) =>
            list.search({ ...others, start: first ?? undefined, end: until ?? undefined })
          }
          onClear={list.clear}
        />
      }
      summary={
        body && (
          <div>
            {answer ? (
              <Answer answer={answer} hasRates={rates.size > 0} />
            ) : (
              <span>Working it out …</span>
            )}
            <SegmentedControl
              aria-label="Rows"
              size="xs"
              display="flex"
              w="fit-content"
              mt={6}
              data={[
                { value: 'company', label: 'By office' },
                { value: 'agent', label: 'By agent' },
              ]}
              value={groupBy ?? 'company'}
              onChange={(value) =>
                list.search({ ...applied, groupBy: value === 'agent' ? 'agent' : 'company' })
              }
            />
            {body.rates && body.rates.length > 0 && can(me, 'fees.manage') && (
              <TakeOver
                key={`${search.rates} ${companyId}`}
                rates={body.rates}
                companyId={companyId}
              />
            )}
          </div>
        )
      }
      actions={
        <ExportMenu
          disabled={!answer?.total}
          save={async (format, options) => {
            if (body) await saveWhatIf(body, format, options)
          }}
        />
      }
      empty={
        <EmptyList
          text={body ? 'No sales in these days' : 'Enter another rate'}
          about="Choose a site, enter what its link types would pay, and see what these days would have cost."
        />
      }
      totals={answer && answer.total > 0 ? [totalsOf(answer)] : []}
    />
  )
}

/** The empty list, while nothing was asked. */
const NOTHING_ASKED = {
  data: { items: [], total: 0 },
  error: null,
  isPlaceholderData: false,
  refetch: () => undefined,
}

/** The answer in a sentence, and whom it leaves alone. */
function Answer({ answer, hasRates }: { answer: WhatIf; hasRates: boolean }) {
  const { overall, leftAlone } = answer
  const paid = overall.paid + (overall.tierPaid ?? 0)
  return (
    <span>
      {formatPesos(paid)} was paid, {formatPesos(paid + overall.difference)} would have been:{' '}
      <b>
        {overall.difference > 0 && '+'}
        {signedPesos(overall.difference)}
      </b>
      {paid > 0 && ` (${((overall.difference / paid) * 100).toFixed(1)}%)`}.
      {overall.tierPaid !== undefined &&
        hasRates &&
        ' By rates as in Payroll, and by tiers as in Payroll AVP.'}
      {leftAlone.length > 0 &&
        ` Left alone, for their own rates: ${leftAlone.map(({ officeName }) => officeName).join(', ')}.`}
    </span>
  )
}

const totalsOf = ({ overall }: WhatIf) => ({
  id: 'overall',
  label: 'Overall',
  cells: {
    sales: formatCount(overall.sales),
    bonusSales: formatCount(overall.bonusSales),
    paid: formatPesos(overall.paid),
    wouldBe: formatPesos(overall.wouldBe),
    tierPaid: formatPesos(overall.tierPaid),
    tierWouldBe: formatPesos(overall.tierWouldBe),
    difference: signedPesos(overall.difference),
  },
})

const columnsOf = (byAgent: boolean, withTiers: boolean): ListColumn<WhatIfRow>[] => [
  ...(byAgent
    ? [
        {
          id: 'agent',
          header: 'Agent',
          sortField: 'agent',
          fixed: true,
          cell: ({ agentId, agent }: WhatIfRow) =>
            agentId === undefined ? '' : <AgentLink id={agentId}>{agent}</AgentLink>,
        },
      ]
    : []),
  {
    id: 'office',
    header: 'Office',
    sortField: 'name',
    ...(byAgent ? { card: 'detail' as const } : { fixed: true }),
    cell: ({ companyId, officeName }) => <OfficeLink id={companyId}>{officeName}</OfficeLink>,
  },
  amount('sales', 'Sales', ({ sales }) => formatCount(sales), 'sales'),
  amount('bonusSales', 'Bonus Sales', ({ bonusSales }) => formatCount(bonusSales)),
  amount('paid', 'Paid', ({ paid }) => formatPesos(paid), 'paid'),
  amount('wouldBe', 'Would be', ({ wouldBe }) => formatPesos(wouldBe), 'wouldBe'),
  ...(withTiers
    ? [
        amount('tierPaid', 'Paid by tier', ({ tierPaid }) => formatPesos(tierPaid)),
        amount('tierWouldBe', 'Would be by tier', (row) => formatPesos(row.tierWouldBe)),
      ]
    : []),
  {
    ...amount('difference', 'Difference', (row) => signedPesos(row.difference), 'difference'),
    card: 'money',
  },
]

const amount = (
  id: string,
  header: string,
  cell: (row: WhatIfRow) => string,
  sortField?: string,
): ListColumn<WhatIfRow> => ({
  id,
  header,
  numeric: true,
  card: 'detail',
  cell,
  ...(sortField !== undefined && { sortField }),
})
