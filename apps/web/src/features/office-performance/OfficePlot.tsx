import type { ChartGroupBy } from '@tallyroom/domain/periods'
import { useLayoutEffect, useRef } from 'react'
import { drawOfficeChart } from './chart-engine.ts'
import type { ChartPoint } from './chart-points.ts'
import classes from './OfficeChartsPage.module.css'

interface OfficePlotProps {
  points: readonly ChartPoint[]
  groupBy: ChartGroupBy
}

/** The drawing itself, in a chunk with the library that draws it. */
export default function OfficePlot({ points, groupBy }: OfficePlotProps) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(
    () => (ref.current ? drawOfficeChart(ref.current, { points, groupBy }) : undefined),
    [points, groupBy],
  )
  // The frame around it says in words what it shows.
  return <div ref={ref} className={classes.plot} aria-hidden />
}
