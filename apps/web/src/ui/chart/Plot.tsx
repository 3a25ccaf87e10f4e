import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import classes from './chart.module.css'
import { type ChartOption, drawChart } from './chart-engine.ts'

interface PlotProps {
  /** Memoized: a new one draws the chart again. */
  option: ChartOption
  /** Takes the place on the x axis that was clicked, counted from 0. */
  onPick?: ((place: number) => void) | undefined
}

/** A drawing, in a chunk with the library that draws it: import it with `lazy`. */
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
  // The frame around it says in words what it shows.
  return <div ref={ref} className={classes.plot} aria-hidden />
}
