import type { DB } from '../../db/types.ts'
import { metrics } from './totals-delta.ts'

/** The columns that tell rows of some level apart, beside `day`. */
export type Dimension = 'agent_id' | 'office_id' | 'site_id' | 'type_id'

/** One table of the lattice: which columns it keeps, for days or for whole months. */
export type Level = {
  table: Extract<keyof DB, `totals_${'day' | 'month'}_${string}`>
  /** What `day` is: the New York day itself, or the first day of its month. */
  unit: 'day' | 'month'
  dimensions: readonly Dimension[]
  /** What it sums. The office levels also count the (day, agent) rows below them. */
  sums: readonly string[]
  /** The primary key, which an upsert conflicts on. */
  key: readonly string[]
}

const withDetailRows = [...metrics, 'detail_rows']

/** From the finest to the coarsest: the first ones hold the most rows. */
export const LEVELS: readonly Level[] = [
  {
    table: 'totals_day_agent_type',
    unit: 'day',
    dimensions: ['agent_id', 'office_id', 'site_id', 'type_id'],
    sums: metrics,
    key: ['agent_id', 'day', 'type_id', 'office_id'],
  },
  {
    table: 'totals_month_agent_type',
    unit: 'month',
    dimensions: ['agent_id', 'office_id', 'site_id', 'type_id'],
    sums: metrics,
    key: ['agent_id', 'day', 'type_id', 'office_id'],
  },
  {
    table: 'totals_day_agent',
    unit: 'day',
    dimensions: ['agent_id', 'office_id'],
    sums: metrics,
    key: ['agent_id', 'day', 'office_id'],
  },
  {
    table: 'totals_month_agent',
    unit: 'month',
    dimensions: ['agent_id', 'office_id'],
    sums: metrics,
    key: ['agent_id', 'day', 'office_id'],
  },
  {
    table: 'totals_day_office_type',
    unit: 'day',
    dimensions: ['office_id', 'site_id', 'type_id'],
    sums: metrics,
    key: ['office_id', 'day', 'type_id'],
  },
  {
    table: 'totals_month_office_type',
    unit: 'month',
    dimensions: ['office_id', 'site_id', 'type_id'],
    sums: metrics,
    key: ['office_id', 'day', 'type_id'],
  },
  {
    table: 'totals_day_office',
    unit: 'day',
    dimensions: ['office_id'],
    sums: withDetailRows,
    key: ['office_id', 'day'],
  },
  {
    table: 'totals_month_office',
    unit: 'month',
    dimensions: ['office_id'],
    sums: withDetailRows,
    key: ['office_id', 'day'],
  },
]

/** The coarsest level that keeps all of `needed`, for days or months. */
export function coarsestLevel(needed: readonly Dimension[], unit: Level['unit']): Level {
  const level = LEVELS.findLast(
    (candidate) =>
      candidate.unit === unit && needed.every((column) => candidate.dimensions.includes(column)),
  )
  if (!level) throw new RangeError(`no level keeps ${needed.join(', ')}`)
  return level
}
