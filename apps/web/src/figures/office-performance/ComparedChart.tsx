import { lazy, Suspense } from 'react'
import type { ChartGroupBy } from '@tallyroom/domain/periods'
import { type ChartPoint, salesOf } from './chart-points.ts'
import { comparedOption } from './compared-option.ts'
import classes from './ComparedChart.module.css'

const Plot = lazy(() => import('../../ui/chart/Plot.tsx'))

interface Drawn {
  companyId: number
  name: string
  points: readonly ChartPoint[]
}

interface ComparedChartProps {
  /** Undefined while loading. */
  offices: readonly Drawn[] | undefined
  groupBy: ChartGroupBy
  /** Undefined: those with the most sales. */
  chosen: readonly number[] | undefined
  onChoose: (ids: number[] | undefined) => void
}

const NONE: readonly Drawn[] = []

/** The sales of the chosen offices as lines in one chart. */
export function ComparedChart({ offices = NONE, groupBy, chosen, onChoose }: ComparedChartProps) {
  const ranked = offices
    .toSorted((a, b) => totalOf(b) - totalOf(a))
    .map(({ companyId }) => companyId)
  const shown = chosen?.filter((id) => ranked.includes(id)) ?? ranked.slice(0, AT_FIRST)
  const drawn = offices
    .filter(({ companyId }) => shown.includes(companyId))
    .map((office) => ({ ...office, ...lookOf(ranked.indexOf(office.companyId)) }))
  const option = comparedOption(drawn, groupBy)
  const toggle = (id: number) =>
    onChoose(shown.includes(id) ? shown.filter((other) => other !== id) : [...shown, id])
  return (
    <section className={classes.card} aria-label="Offices compared">
      <div className={classes.offices} role="group" aria-label="Offices in the chart">
        {offices.map(({ companyId, name }) => {
          const { color, isDashed } = lookOf(ranked.indexOf(companyId))
          return (
            <button
              key={companyId}
              type="button"
              aria-pressed={shown.includes(companyId)}
              onClick={() => toggle(companyId)}
            >
              <i style={{ borderTopColor: color, borderTopStyle: isDashed ? 'dashed' : 'solid' }} />
              {name}
            </button>
          )
        })}
      </div>
      <div
        className={classes.frame}
        role="img"
        aria-label={
          drawn.length === 0
            ? 'No office is chosen'
            : `Sales of ${drawn.map(({ name }) => name).join(', ')} by ${groupBy}. The view ‘Tables’ has the figures.`
        }
      >
        <Suspense>
          <Plot option={option} />
        </Suspense>
      </div>
    </section>
  )
}

/** How many lines can be told apart at a glance. */
const AT_FIRST = 5

const totalOf = ({ points }: Drawn): number =>
  salesOf(points.map(({ value }) => ({ value: value ?? 0 })))

/** Each at least 3:1 on light and on dark. */
const COLORS = [
  'light-dark(#00836f, #2fc4a8)',
  'light-dark(#c2410c, #fb8b4b)',
  'light-dark(#1d5fd1, #7aa7ff)',
  'light-dark(#9333a8, #d78bea)',
  'light-dark(#8a6a00, #d6b13c)',
  'light-dark(#b4184e, #ff7ba4)',
]

/** By rank, so that an office keeps its line while others come and go. */
const lookOf = (rank: number) => ({
  color: COLORS[rank % COLORS.length] ?? '',
  isDashed: rank % (2 * COLORS.length) >= COLORS.length,
})
