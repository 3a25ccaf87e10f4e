import type { Day } from '@tallyroom/domain/new-york'
import type { PeriodLength } from '@tallyroom/domain/periods'
import type { DB } from '../db/types.ts'

/** The numbers that every level of the totals sums. Money in cents and centavos. */
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

/**
 * What events add to the totals of one (New York day, agent, office, link type). Reversals carry
 * negative numbers. Names are those of the columns.
 */
export type TotalsDelta = {
  day: Day
  agent_id: number
  office_id: number
  site_id: number
  type_id: number
} & Partial<Record<Metric, number>>

/**
 * The columns that tell rows of some level apart, beside `day`. `week_avp_sales`: of an agent, the AVP sales of
 * the whole week in all offices, which its tier depends on.
 */
export type Dimension = 'agent_id' | 'office_id' | 'site_id' | 'type_id' | 'week_avp_sales'

/** What a row sums up: a day, a week (Monday to Sunday), a payout period (half a month) or a month. */
export type Unit = Exclude<PeriodLength, 'year'>

/** One table of the lattice: which columns it keeps, and for which unit of time. */
export type Level = {
  table: Extract<keyof DB, `totals_${Unit}_${string}` | `totals_beweek_${string}`>
  /** `day` is the first New York day of the unit. */
  unit: Unit
  dimensions: readonly Dimension[]
  /** What it sums. The office levels also count the (day, agent) rows below them. */
  sums: readonly string[]
  /** The primary key, which an upsert conflicts on. */
  key: readonly string[]
}

const withDetailRows = [...metrics, 'detail_rows']

/**
 * From the finest to the coarsest: the first ones hold the most rows. Everything that changes totals goes
 * through this list; a new level needs its line here, its table, and what it is summed from (`derivations`).
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
export const findLevel = (needed: readonly Dimension[], unit: Unit): Level | undefined =>
  LEVELS.findLast(
    (candidate) =>
      candidate.unit === unit && needed.every((column) => candidate.dimensions.includes(column)),
  )

/**
 * The same where there must be one: days keep every dimension, of other units the caller knows what they keep.
 *
 * @throws RangeError when no level of that unit keeps all of `needed`.
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

/** Summed from the events themselves. */
export const finestLevel = levelOf('totals_day_agent_type')

/** Weeks of agents. Beside what it sums, its rows carry the `week_avp_sales` of their agent. */
const agentWeekLevel = levelOf('totals_week_agent')

/**
 * The same weeks by office and by the AVP sales that its agents had in them. The one level that is not added to:
 * an agent's whole week changes its place with every AVP sale (`week-avp.queries`).
 */
export const officeWeekLevel = levelOf('totals_week_office_avp')

/** Those that what is pending is added to, row by row. */
export const summedLevels = LEVELS.filter((level) => level !== officeWeekLevel)

/** The level of weeks that knows the AVP sales behind the tiers; undefined for link types, which none tells apart. */
export const weekAvpLevel = (needed: readonly Dimension[]): Level | undefined =>
  [officeWeekLevel, agentWeekLevel].find(({ dimensions }) =>
    needed.every((column) => dimensions.includes(column)),
  )

/** Every other summed level with the smallest finer one that it can be summed from, which comes before it. */
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
