import { SegmentedControl } from '@mantine/core'
import type { WhatIf } from '@tallyroom/contract/what-if'
import { can } from '@tallyroom/domain/abilities'
import { formatPesos } from '@tallyroom/domain/money'
import { periodOf } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useToday } from '../../lib/clock.ts'
import { useMe } from '../../lib/session.ts'
import { useExchangeRate } from '../../pickers/MarginMark.tsx'
import { officeOptionsQuery } from '../../pickers/OfficeSelect.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportMenu } from '../../ui/list/ExportMenu.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { signedPesos } from '../../ui/signed-amounts.ts'
import { questionOf, ratesOfText } from './other-rates.ts'
import {
  nameOfTypeIn,
  saveWhatIf,
  tiersQuery,
  useRateSites,
  type WhatIfBody,
  whatIfQuery,
} from './what-if.api.ts'
import { TakeOver } from './TakeOver.tsx'
import { columnsOf, type Recorded, totalsOf } from './what-if-columns.tsx'
import { WhatIfForm } from './WhatIfForm.tsx'

const route = getRouteApi('/app/sites/what-if')

/** What past sales would have been paid at other rates or tiers, beside what was paid. */
export function WhatIfPage() {
  const me = useMe()
  const search = route.useSearch()
  const last = periodOf(useToday(), 'beWeek', 1)
  const { start = last.start, end = last.end, groupBy, companyIds, siteIds, replaceOwn } = search
  const list = useListState(search, { sortField: 'difference', sortAsc: false })
  const { page, pageSize, sortField, sortAsc } = list
  const tiersNow = useQuery(tiersQuery(start))
  const { sites, isPending: areSitesPending } = useRateSites(siteIds ?? [])
  const offices = useQuery(officeOptionsQuery())
  const exchange = useExchangeRate()
  const rates = ratesOfText(search.rates)
  const hasTiers = search.tiers !== undefined && (tiersNow.data?.length ?? 0) > 0
  const tiers = search.tiers === undefined ? [] : tiersNow.data
  const question = tiers && questionOf(search, { start, end }, tiers)
  const body: WhatIfBody | undefined = question && {
    ...question,
    page,
    pageSize,
    sortField,
    sortAsc,
  }
  const query = useQuery(whatIfQuery(body))
  const answer = body && query.data
  const [onlyType] = rates.keys()
  const [onlyOffice] = companyIds ?? []
  const siteId = sites.find(({ types }) => types.some(({ id }) => id === onlyType))?.id
  const recorded: Recorded =
    rates.size === 1 &&
    onlyType !== undefined &&
    siteId !== undefined &&
    !hasTiers &&
    // Until the answer arrives, the figures are those of the previous question.
    !query.isPlaceholderData
      ? {
          start,
          end,
          siteId,
          typeId: onlyType,
          ...(onlyOffice !== undefined && { companyId: onlyOffice }),
        }
      : undefined
  const applied = {
    start,
    end,
    groupBy,
    companyIds,
    siteIds,
    rates: search.rates,
    tiers: search.tiers,
    replaceOwn,
  }
  // Rendering the list earlier would shift the layout when the rates, marks and tiers above it arrive.
  if (tiersNow.isPending || exchange.isLoading || areSitesPending || offices.isPending) return null
  return (
    <ListFrame
      name="What if"
      query={body ? query : { ...NOTHING_ASKED, error: tiersNow.error }}
      list={list}
      columns={columnsOf(groupBy === 'agent', hasTiers, recorded)}
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
              <span>Calculating …</span>
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
                key={`${search.rates} ${companyIds?.join()}`}
                rates={body.rates}
                offices={(companyIds ?? []).map(
                  (id) =>
                    offices.data?.find((office) => office.id === id) ?? {
                      id,
                      label: `Office ${id}`,
                    },
                )}
                nameOf={nameOfTypeIn(sites)}
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
          about="Choose sites, enter what their link types would pay, and see what these days would have cost."
        />
      }
      totals={
        answer && answer.total > 0
          ? [
              // For several offices there is no explanation that sums them.
              totalsOf(answer, (companyIds?.length ?? 0) > 1 ? undefined : recorded),
            ]
          : []
      }
    />
  )
}

/** Shown before anything was asked. */
const NOTHING_ASKED = {
  data: { items: [], total: 0 },
  error: null,
  isPlaceholderData: false,
  refetch: () => undefined,
}

/** The answer in a sentence, with the offices whose own rates were kept. */
function Answer({ answer, hasRates }: { answer: WhatIf; hasRates: boolean }) {
  const { overall, leftAlone } = answer
  const paid = overall.paid + (overall.tierPaid ?? 0)
  return (
    <span>
      {formatPesos(paid)} was paid, {formatPesos(paid + overall.difference)} would have been:{' '}
      <b style={{ whiteSpace: 'nowrap' }}>
        {overall.difference > 0 && '+'}
        {signedPesos(overall.difference)}
      </b>
      {paid > 0 && ` (${((overall.difference / paid) * 100).toFixed(1)}%)`}.
      {overall.tierPaid !== undefined &&
        hasRates &&
        ' By rates as in Payroll, and by tiers as in Payroll AVP.'}
      {leftAlone.length > 0 &&
        ` Not changed, because they have own rates: ${leftAlone.map(({ officeName }) => officeName).join(', ')}.`}
    </span>
  )
}
