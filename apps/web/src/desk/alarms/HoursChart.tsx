import { Button } from '@mantine/core'
import type { Watched } from '@tallyroom/domain/alarms'
import { formatCount } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Instant } from '../../ui/text/Instant.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import chart from '../../ui/chart/chart.module.css'
import { alarmChartQuery } from './alarms.api.ts'
import classes from './alarms.module.css'
import {
  cameIn,
  type Hour,
  hoursOption,
  hoursSummary,
  type Measure,
  usualIn,
  usualText,
} from './hours-option.ts'

const Plot = lazy(() => import('../../ui/chart/Plot.tsx'))

const NO_HOURS: readonly Hour[] = []

interface HoursChartProps {
  watched: Watched
  id: number
  /** What it is about. */
  name: string
  /** What is shown first. */
  measure: Measure
}

/** What came in the last three days beside what is usual, by the hour. */
export function HoursChart({ watched, id, name, measure: first }: HoursChartProps) {
  const { data } = useQuery(alarmChartQuery(watched, id))
  const [chosen, choose] = useState<Measure>()
  const [asTable, setAsTable] = useState(false)
  const measure = chosen ?? first
  const hours = data?.hours ?? NO_HOURS
  const option = useMemo(() => hoursOption(hours, measure), [hours, measure])
  return (
    <section className={`${chart.trend} ${classes.chart}`} aria-label={`${name} by the hour`}>
      <h2>{name}</h2>
      <div className={chart.legend}>
        <span>
          <i /> Actual
        </span>
        <span>
          <i className={classes.usual} /> Expected
        </span>
        <Button.Group>
          {(['sales', 'clicks'] as const).map((one) => (
            <Button
              key={one}
              size="compact-xs"
              variant={one === measure ? 'light' : 'subtle'}
              color="gray"
              aria-pressed={one === measure}
              onClick={() => choose(one)}
            >
              {one === 'sales' ? 'Sales' : 'Clicks'}
            </Button>
          ))}
        </Button.Group>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-pressed={asTable}
          onClick={() => setAsTable((shown) => !shown)}
        >
          {asTable ? 'Show chart' : 'Show table'}
        </Button>
      </div>
      {asTable ? (
        <PlainTable
          label={`${name} by the hour`}
          look="bare"
          className={chart.figures}
          columns={[
            { header: 'Hour', namesRow: true, cell: ({ from }) => <Instant at={from} /> },
            {
              header: 'Actual',
              numeric: true,
              cell: (hour) => formatCount(cameIn(hour, measure)),
            },
            {
              header: 'Expected',
              numeric: true,
              className: chart.before,
              cell: (hour) => usualText(usualIn(hour, measure)),
            },
          ]}
          rows={hours.toReversed()}
          rowKey={({ from }) => from}
        />
      ) : (
        <div className={chart.frame} role="img" aria-label={hoursSummary(hours, measure)}>
          <Suspense>
            <Plot option={option} />
          </Suspense>
        </div>
      )}
    </section>
  )
}
