import { Button, Skeleton } from '@mantine/core'
import { chartPresets } from '@tallyroom/domain/periods'
import { can } from '@tallyroom/domain/abilities'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useToday } from '../../lib/clock.ts'
import { useMe } from '../../lib/session.ts'
import { extentsOf, pointsOf } from './chart-points.ts'
import { ChartCriteria } from './ChartCriteria.tsx'
import { ChartsSummary } from './ChartsSummary.tsx'
import { ComparedChart } from './ComparedChart.tsx'
import { OfficeChartCard } from './OfficeChartCard.tsx'
import classes from './OfficeChartsPage.module.css'
import type { ChartsSearch } from './office-performance-search.ts'
import { officeChartsQuery, saveOfficeCharts } from './office-performance.api.ts'

const route = getRouteApi('/app/stats/office-performance-chart')

/** Office Performance Charts: each office's sales over a period. */
export function OfficeChartsPage() {
  const { period, view = 'charts', common = false, offices } = route.useSearch()
  const navigate = route.useNavigate()
  const choose = (search: Partial<ChartsSearch>, options?: { replace: boolean }) =>
    void navigate({ search: (before) => ({ ...before, ...search }), ...options })
  const me = useMe()
  const today = useToday()
  const presets = useMemo(() => chartPresets(today), [today])
  // The second-to-last preset is the default (specification 2, section 4).
  const standard = presets.at(-2)
  const preset = presets.find(({ label }) => label === period) ?? standard
  if (!standard || !preset) throw new Error('there are always presets')
  const query = useQuery(officeChartsQuery(preset))
  useRefreshOnNavigation(query.refetch)
  const { groupBy } = preset
  const { cards, scale } = useMemo(() => {
    const drawn = query.data?.map((chart) => ({
      chart,
      points: pointsOf(chart, preset, preset.groupBy, today),
    }))
    return { cards: drawn, scale: extentsOf(drawn?.flatMap(({ points }) => points) ?? []) }
  }, [query.data, preset, today])

  return (
    <div className={classes.page}>
      <ChartCriteria
        presets={presets}
        standard={standard}
        chosen={{ preset, view, common }}
        onChoose={choose}
        save={saveOfficeCharts(preset)}
        hasNothingToSave={!query.data?.length || query.isFetching}
      />
      <ChartsSummary preset={preset} isDrawn={view === 'charts'} />
      {view === 'charts' && (cards ? cards.length > 1 : can(me, 'offices.choose')) && (
        <ComparedChart
          offices={cards?.map(({ chart: { companyId, officeName: name }, points }) => ({
            companyId,
            name,
            points,
          }))}
          groupBy={groupBy}
          chosen={offices}
          onChoose={(ids) => choose({ offices: ids }, { replace: true })}
        />
      )}
      {query.isError ? (
        <div className={classes.message}>
          <div role="alert">{query.error.message}</div>
          <Button variant="default" mt="sm" onClick={() => void query.refetch()}>
            Retry
          </Button>
        </div>
      ) : query.data?.length === 0 ? (
        <div className={classes.message}>
          <div>No data for period</div>No office has sold anything in it.
        </div>
      ) : (
        <div className={classes.cards} aria-busy={query.data === undefined}>
          {cards?.map(({ chart, points }) => (
            <OfficeChartCard
              key={chart.companyId}
              chart={chart}
              points={points}
              groupBy={groupBy}
              scale={common ? scale : undefined}
              asTable={view === 'tables'}
            />
          )) ?? <WaitingCards />}
        </div>
      )}
    </div>
  )
}

/** Reloads the figures on every navigation to this page, even from itself. */
function useRefreshOnNavigation(refetch: () => unknown) {
  const router = useRouter()
  useEffect(() => router.subscribe('onResolved', () => void refetch()), [router, refetch])
}

const WAITING = ['a', 'b', 'c', 'd', 'e', 'f']

const WaitingCards = () =>
  WAITING.map((key) => (
    <div key={key} className={classes.card} aria-hidden>
      <header>
        <Skeleton width={150} height={12} />
      </header>
      <div className={classes.frame} />
    </div>
  ))
