import { addDays, type Day } from '@tallyroom/domain/new-york'
import { type DateRange, type PeriodLength, periodOf } from '@tallyroom/domain/periods'
import type { DB } from '../db/types.ts'

/** The numbers that every level sums. Money is in cents and centavos. */
export const metrics = [
  'raws',
  'uniques',
  'sales',
  'bonus_sales',
  'avp_sales',
  'earning_cents',
  'bonus_earning_cents',
  'payout_centavos',
  'bonus_payout_centavos',
  'lpp',
] as const
export type Metric = (typeof metrics)[number]

/** A row of a level that disagrees with the events. */
export type TotalsDifference = { level: string; row: string; expected: string; actual: string }

export const isMoney = (column: string): boolean => /_(cents|centavos)$/.test(column)

/** What events add to the totals of one New York day, agent, office and link type. Reversals add negative numbers. */
export type TotalsDelta = {
  day: Day
  agent_id: number
  office_id: number
  site_id: number
  type_id: number
} & Partial<Record<Metric, number>>

/**
 * The columns besides `day` that identify a row of some level. `week_avp_sales` is an agent's AVP sales of the whole
 * week in all offices, which decides their tier.
 */
export type Dimension = 'agent_id' | 'office_id' | 'site_id' | 'type_id' | 'week_avp_sales'

/** What a row covers: a day, a week (Monday to Sunday), a half-month (the payout period) or a month. */
export type Unit = Exclude<PeriodLength, 'year'>

/** One table of the lattice: the columns it keeps, and its unit of time. */
export type Level = {
  table: Extract<keyof DB, `totals_${Unit}_${string}` | `totals_beweek_${string}`>
  /** `day` is the first New York day of the unit. */
  unit: Unit
  dimensions: readonly Dimension[]
  /** The columns that it sums. The office levels also count the (day, agent) rows below them. */
  sums: readonly string[]
  /** The primary key, which upserts conflict on. */
  key: readonly string[]
}

const withDetailRows = [...metrics, 'detail_rows']

/** The metrics of clicks, of which most events are. */
export const clickMetrics = ['raws', 'uniques'] as const satisfies Metric[]
export const otherMetrics = metrics.filter(
  (metric) => !clickMetrics.some((name) => name === metric),
)

/**
 * Whether a level has the rows of the open day (`totals_open_day`), the newest one. Half-months and months get them when
 * the next day begins. Weeks decide tiers, so they only lack that day's {@link clickMetrics}.
 */
export const hasOpenDay = (unit: Unit): boolean => unit === 'day' || unit === 'week'

/**
 * From the finest, with the most rows, to the coarsest. Everything that changes totals goes through this list: a new
 * level needs an entry here, a table, and its source in `derivations`.
 */
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
    table: 'totals_week_agent',
    unit: 'week',
    dimensions: ['agent_id', 'office_id'],
    sums: metrics,
    key: ['agent_id', 'day', 'office_id'],
  },
  {
    table: 'totals_beweek_agent',
    unit: 'beWeek',
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
    table: 'totals_week_office_avp',
    unit: 'week',
    dimensions: ['office_id', 'week_avp_sales'],
    sums: metrics,
    key: ['office_id', 'day', 'week_avp_sales'],
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

/** The coarsest level of a unit that keeps all of `needed`; undefined when no level of that unit does. */
const findLevel = (needed: readonly Dimension[], unit: Unit): Level | undefined =>
  LEVELS.findLast(
    (candidate) =>
      candidate.unit === unit && needed.every((column) => candidate.dimensions.includes(column)),
  )

/**
 * Like `findLevel`, for a unit that is known to keep the columns. Days keep all of them.
 * @throws RangeError if no level of that unit keeps all of `needed`.
 */
export function coarsestLevel(needed: readonly Dimension[], unit: Unit): Level {
  const level = findLevel(needed, unit)
  if (!level) throw new RangeError(`no level by ${unit} keeps ${needed.join(', ')}`)
  return level
}

const levelOf = (table: Level['table']): Level => {
  const level = LEVELS.find((candidate) => candidate.table === table)
  if (!level) throw new RangeError(`${table} is not a level`)
  return level
}

/** The level that is counted from the events themselves. */
export const finestLevel = levelOf('totals_day_agent_type')

/** Weeks of agents. Its rows also hold the agent's `week_avp_sales`. */
export const agentWeekLevel = levelOf('totals_week_agent')

/**
 * The same weeks by office and by the AVP sales of the agents. The only level with weeks that are recomputed, because
 * each AVP sale moves the agent's whole week to another row (`week-avp.queries`).
 */
export const officeWeekLevel = levelOf('totals_week_office_avp')

/** The levels that sum the events independently of the rest of the week. */
export const summedLevels = LEVELS.filter((level) => level !== officeWeekLevel)

/**
 * The level of weeks with the AVP sales behind the tiers; undefined for link types, which no level
 * of weeks distinguishes.
 */
export const weekAvpLevel = (needed: readonly Dimension[]): Level | undefined =>
  [officeWeekLevel, agentWeekLevel].find(({ dimensions }) =>
    needed.every((column) => dimensions.includes(column)),
  )

/** Every other summed level, each with the smallest finer level that it can be summed from. Sources come first. */
export const derivations: readonly (readonly [level: Level, from: Level])[] = [
  [levelOf('totals_month_agent_type'), finestLevel],
  [levelOf('totals_day_agent'), finestLevel],
  [levelOf('totals_week_agent'), levelOf('totals_day_agent')],
  [levelOf('totals_beweek_agent'), levelOf('totals_day_agent')],
  [levelOf('totals_month_agent'), levelOf('totals_beweek_agent')],
  [levelOf('totals_day_office_type'), finestLevel],
  [levelOf('totals_month_office_type'), levelOf('totals_day_office_type')],
  [levelOf('totals_day_office'), levelOf('totals_day_agent')],
  [levelOf('totals_month_office'), levelOf('totals_day_office')],
]

/** The units with a level as coarse as the one of days: a week of agents has more rows than seven days of offices. */
export function unitsFor(needed: readonly Dimension[]): Unit[] {
  const { dimensions } = coarsestLevel(needed, 'day')
  return units.filter((unit) => findLevel(needed, unit)?.dimensions.length === dimensions.length)
}

/** From the fewest rows to the most. */
const units = ['month', 'beWeek', 'week', 'day'] as const satisfies Unit[]

/** Days of one unit, both inclusive. */
export type Piece = { unit: Unit; from: Day; to: Day }

/** Cuts a range into whole units: the coarsest in the middle, finer ones at the edges. Both ends inclusive. */
export function piecesOf({ start, end }: DateRange, [unit, ...finer]: readonly Unit[]): Piece[] {
  if (start > end || unit === undefined) return []
  const first = periodOf(start, unit)
  const from = first.start === start ? start : addDays(first.end, 1)
  const last = periodOf(end, unit)
  const to = last.end === end ? end : addDays(last.start, -1)
  if (from > to) return piecesOf({ start, end }, finer)
  return [
    ...piecesOf({ start, end: addDays(from, -1) }, finer),
    { unit, from, to },
    ...piecesOf({ start: addDays(to, 1), end }, finer),
  ]
}
