import { can, type Ability, type AbilityHolder } from '@tallyroom/domain/abilities'

/*
 * What the statistics tables are: their groupings, their columns and the reports. Server, page, print version and
 * file read it from here. Without the calls' schemas, because a page's address is read by it before the page has come.
 */

/** What a row is about. */
export type KeyColumn = 'date' | 'officeName' | 'agent' | 'typename' | 'sitename'

/** A choice of 'View By'. */
interface Grouping {
  label: string
  /** What its rows are about; the first stays in view. */
  keys: readonly [KeyColumn, ...KeyColumn[]]
  /** Who is offered it (specification 2, section 2). */
  ability: Ability
  /** Its order until another is asked for (specification 2, section 4). */
  sort: { sortField: StatColumn; sortAsc: boolean }
  /** Points are compared with the period before by agent, office and link type, not by the day alone. */
  hasPoints: boolean
  /** A tier is one agent's, by its weeks. */
  hasTier: boolean
  /** Whether the link types of the chosen site have columns: not where they are the rows. */
  hasTypeColumns: boolean
}

/** `date`: a row a day; `company`: an office; `agent`; `detail`: a day and agent; `type`: a link type. */
export const statsGroupings = ['date', 'company', 'agent', 'detail', 'type'] as const
export type StatsGrouping = (typeof statsGroupings)[number]

export const groupings = {
  date: {
    label: 'Date',
    keys: ['date'],
    ability: 'stats.view',
    sort: { sortField: 'date', sortAsc: false },
    hasPoints: false,
    hasTier: false,
    hasTypeColumns: true,
  },
  company: {
    label: 'Office',
    keys: ['officeName'],
    ability: 'offices.choose',
    sort: { sortField: 'officeName', sortAsc: true },
    hasPoints: true,
    hasTier: false,
    hasTypeColumns: true,
  },
  agent: {
    label: 'Agent',
    keys: ['agent', 'officeName'],
    ability: 'agents.choose',
    sort: { sortField: 'agent', sortAsc: true },
    hasPoints: true,
    hasTier: true,
    hasTypeColumns: true,
  },
  detail: {
    label: 'Detail',
    keys: ['date', 'officeName', 'agent'],
    ability: 'stats.view',
    sort: { sortField: 'date', sortAsc: false },
    hasPoints: true,
    hasTier: true,
    hasTypeColumns: true,
  },
  type: {
    label: 'Link type',
    keys: ['typename', 'sitename'],
    ability: 'sites.choose',
    sort: { sortField: 'typename', sortAsc: true },
    hasPoints: true,
    hasTier: false,
    hasTypeColumns: false,
  },
} as const satisfies Record<StatsGrouping, Grouping>

/** One of the statistics tables, on a page and in a file. */
export interface StatsTable {
  title: string
  /** Whether its figures go by AVP tiers, and so by whole weeks. */
  isWeekly: boolean
  /** What it can be grouped by, for those who have the view at all. */
  views: readonly [StatsGrouping, ...StatsGrouping[]]
  /** The view that it opens with. */
  defaultView: StatsGrouping
  /** What payrolls pay by: the rates of the sales, or the tiers of their agents. */
  pays?: 'rates' | 'tiers'
}

/*
 * Specification 2, section 2. Where it says of Payroll AVP both that the first view is Agent and that it is Office,
 * it is Office, as the call has it.
 */
export const statsTables = {
  sites: {
    title: 'Sites Statistics',
    isWeekly: false,
    views: ['date', 'company', 'agent', 'detail', 'type'],
    defaultView: 'detail',
  },
  avp: {
    title: 'Sites AVP Statistics',
    isWeekly: true,
    views: ['agent', 'detail'],
    defaultView: 'detail',
  },
  payroll: {
    title: 'Payroll',
    isWeekly: false,
    views: ['date', 'company', 'agent', 'detail', 'type'],
    defaultView: 'detail',
    pays: 'rates',
  },
  payrollAvp: {
    title: 'Payroll AVP',
    isWeekly: true,
    views: ['date', 'company', 'agent', 'detail'],
    defaultView: 'company',
    pays: 'tiers',
  },
} as const satisfies Record<string, StatsTable>

export type StatsTableName = keyof typeof statsTables

/** The views of a table that the viewer may choose. */
export const viewsOf = ({ views }: Pick<StatsTable, 'views'>, viewer: AbilityHolder) =>
  views.filter((groupBy) => can(viewer, groupings[groupBy].ability))

/** The key columns, and who sees them at all (specification 2, section 2). */
export const keyColumns = {
  date: { header: 'Date', ability: 'stats.view' },
  officeName: { header: 'Office', ability: 'offices.choose' },
  agent: { header: 'Agent', ability: 'agents.choose' },
  typename: { header: 'Link Type', ability: 'sites.choose' },
  sitename: { header: 'Site', ability: 'sites.choose' },
} as const satisfies Record<KeyColumn, { header: string; ability: Ability }>

export const keyColumnsOf = (groupBy: StatsGrouping, viewer: AbilityHolder): KeyColumn[] =>
  groupings[groupBy].keys.filter((key) => can(viewer, keyColumns[key].ability))

/** A column of figures or facts. */
interface Figure {
  kind: 'count' | 'pesos' | 'dollars' | 'percent' | 'tier'
  /** Whether its totals are the sums of its rows. */
  isSum: boolean
  /** Which tables have it, in which views; left out: all. */
  in?: (table: StatsTable, grouping: Grouping) => boolean
  /** Which amounts a viewer has to see to be shown it; left out: none. */
  visibleIf?: 'earning' | 'payout' | 'lpp'
}

const weekly = ({ isWeekly }: StatsTable) => isWeekly
const byTier = ({ pays }: StatsTable) => pays === 'tiers'
const tiered = ({ isWeekly }: StatsTable, { hasTier }: Grouping) => isWeekly && hasTier

/** Every column with a name of its own, beside the keys and those of link types. */
export const statFigures = {
  raws: { kind: 'count', isSum: true },
  uniques: { kind: 'count', isSum: true },
  sales: { kind: 'count', isSum: true },
  bonusSales: { kind: 'count', isSum: true },
  bonusRatio: { kind: 'percent', isSum: false },
  earn: { kind: 'dollars', isSum: true, visibleIf: 'earning' },
  bonusEarn: { kind: 'dollars', isSum: true, visibleIf: 'earning' },
  payout: { kind: 'pesos', isSum: true, visibleIf: 'payout' },
  bonusPayout: { kind: 'pesos', isSum: true, visibleIf: 'payout' },
  lpp: { kind: 'count', isSum: true, visibleIf: 'lpp' },
  lppPrev: { kind: 'count', isSum: true, visibleIf: 'lpp', in: (_, { hasPoints }) => hasPoints },
  avpPeriod: { kind: 'tier', isSum: false, in: tiered },
  agent_avp_sales_count: { kind: 'count', isSum: false, in: tiered },
  avpSales: { kind: 'count', isSum: true, in: weekly },
  payoutPhp: { kind: 'pesos', isSum: true, in: byTier },
  payoutDollars: { kind: 'dollars', isSum: true, in: byTier },
} as const satisfies Record<string, Figure>

export type FigureName = keyof typeof statFigures
export type StatColumn = KeyColumn | FigureName
/** A figure that is counted or paid, and so has totals. */
export type SumName = {
  [Name in FigureName]: (typeof statFigures)[Name]['isSum'] extends true ? Name : never
}[FigureName]

/** The column of what a link type's sales pay. Bonuses are not in it: they have the column bonusPayout. */
export type PayoutColumn = `${number}_payout`
export const isPayoutColumn = (column: string): column is PayoutColumn => column.endsWith('_payout')

const keyNames = Object.keys(keyColumns) as KeyColumn[]
const figureNames = Object.keys(statFigures) as FigureName[]
export const sumNames = figureNames.filter((name): name is SumName => statFigures[name].isSum)
export const statColumns: readonly StatColumn[] = [...keyNames, ...figureNames]

/** What a table has in one of its views, apart from what the viewer may see of it. */
export function hasColumn(table: StatsTable, groupBy: StatsGrouping, column: StatColumn): boolean {
  const grouping: Grouping = groupings[groupBy]
  if (isKeyColumn(column)) return grouping.keys.includes(column)
  const figure: Figure = statFigures[column]
  return figure.in?.(table, grouping) ?? true
}

export const isKeyColumn = (column: StatColumn): column is KeyColumn => column in keyColumns

/** Which amounts a viewer has to see to be shown a column; undefined: none. */
export const visibleIf = (column: StatColumn): Figure['visibleIf'] =>
  isKeyColumn(column) ? undefined : (statFigures[column] as Figure).visibleIf

/** What a report may be sorted by in one view or another; a column that the view at hand lacks is refused later. */
export const sortColumnsOf = (table: StatsTable): StatColumn[] =>
  statColumns.filter((column) => table.views.some((groupBy) => hasColumn(table, groupBy, column)))

/** Whether a view's rows have a tier. */
export const hasTier = (table: StatsTable, groupBy: StatsGrouping): boolean =>
  hasColumn(table, groupBy, 'avpPeriod')

/** What an agent's tier, and what it has it by, are called. */
export const tierHeaders = { avpPeriod: 'AVP', agent_avp_sales_count: 'Week’s AVP Sales' } as const

/** What criteria are called in words. */
export interface CriteriaWords {
  start: string
  end: string
  site: string
  type: string
  office: string
  agent: string
  /** Only where an AVP tier was chosen. */
  tier?: string | undefined
}

/** `From 2026-11-16 To 2026-11-22 [All sites, Type:All, Office:All, Agent:All]`; a chosen tier stands behind the agent. */
export function criteriaText({ start, end, site, type, office, agent, tier }: CriteriaWords) {
  const parts = [site, `Type:${type}`, `Office:${office}`, `Agent:${agent}`]
  if (tier !== undefined) parts.push(`AVP:${tier}`)
  return `From ${start} To ${end} [${parts.join(', ')}]`
}
