import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import classes from './chart.module.css'
import { type ChartOption, drawChart } from './chart-engine.ts'

interface PlotProps {
  /** Memoized, because a new one redraws the chart. */
  option: ChartOption
  /** Called with the clicked position on the x axis, counted from 0. */
  onPick?: ((place: number) => void) | undefined
}

/** A drawing, in one chunk with the library that draws it: import it with `lazy`. */
export default function Plot({ option, onPick }: PlotProps) {
  const ref = useRef<HTMLDivElement>(null)
  const picked = useEffectEvent((place: number) => onPick?.(place))
  const canPick = onPick !== undefined
  useLayoutEffect(
    () =>
      ref.current
        ? drawChart(ref.current, option, canPick ? (place) => picked(place) : undefined)
        : undefined,
    [option, canPick],
  )
  // The surrounding frame describes the chart in words.
  return <div ref={ref} className={classes.plot} aria-hidden />
}
