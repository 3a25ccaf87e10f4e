import { can, type Ability, type AbilityHolder } from '@tallyroom/domain/abilities'
import { type Day, isDay } from '@tallyroom/domain/new-york'
import { type MaybeRange, weeksOf } from '@tallyroom/domain/periods'
import { SUB_NAMES, type SubName } from '@tallyroom/domain/tracked-link'

/*
 * Declares the statistics tables: groupings, columns, reports and their criteria. The server, the page, the print
 * version and the file read it. It has no schemas, because the router needs it to parse a URL before the page has loaded.
 */

/** A column that says what a row is about. */
export type KeyColumn = 'date' | 'officeName' | 'agent' | 'typename' | 'sitename' | 'subId'

/** A choice in View By. */
interface Grouping {
  label: string
  /** The key columns. The first one sticks while scrolling. */
  keys: readonly [KeyColumn, ...KeyColumn[]]
  /** Who may choose it (specification 2, section 2). */
  ability: Ability
  /** The default order (specification 2, section 4). */
  sort: { sortField: StatColumn; sortAsc: boolean }
  /** Whether points are compared with the period before: by agent, office or link type, but not by day alone. */
  hasPoints: boolean
  /** Whether a row is about one agent, so that it can have an AVP tier. */
  hasTier: boolean
  /** Whether the chosen site's link types have columns: not if they are the rows. */
  hasTypeColumns: boolean
}

/**
 * `date`: a row a day; `company`: an office; `agent`; `detail`: a day and agent; `type`: a link type; `sub1` to `sub5`: a
 * value of that sub id of the clicks.
 */
export const statsGroupings = ['date', 'company', 'agent', 'detail', 'type', ...SUB_NAMES] as const
export type StatsGrouping = (typeof statsGroupings)[number]

/** The sub id whose values are the rows of a view; undefined for other views. */
export const subOfView = (groupBy: StatsGrouping): SubName | undefined =>
  SUB_NAMES.find((name) => name === groupBy)

/** `sub2` in words. */
export const subLabel = (name: SubName) => `Sub id ${SUB_NAMES.indexOf(name) + 1}` as const

/**
 * The values of a sub id. Totals don't distinguish them, so the figures are read from the clicks, and there are no points to
 * compare with.
 */
const bySub = (name: SubName) =>
  ({
    label: subLabel(name),
    keys: ['subId'],
    ability: 'logs.click-outs',
    sort: { sortField: 'sales', sortAsc: false },
    hasPoints: false,
    hasTier: false,
    hasTypeColumns: true,
  }) as const

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
  sub1: bySub('sub1'),
  sub2: bySub('sub2'),
  sub3: bySub('sub3'),
  sub4: bySub('sub4'),
  sub5: bySub('sub5'),
} as const satisfies Record<StatsGrouping, Grouping>

/** One of the statistics tables, as a page and as a file. */
export interface StatsTable {
  title: string
  ability: Ability
  /** Whether its figures depend on AVP tiers, and so cover whole weeks. */
  isWeekly: boolean
  /** The groupings it offers, to viewers who may choose them. */
  views: readonly [StatsGrouping, ...StatsGrouping[]]
  /** The view that opens first. */
  defaultView: StatsGrouping
  /** What a payroll pays by: the sales' rates, or the agents' tiers. */
  pays?: 'rates' | 'tiers'
}

/*
 * Specification 2, section 2. It names both Agent and Office as the first view of Payroll AVP; the endpoint's default
 * is Office.
 */
export const statsTables = {
  sites: {
    title: 'Sites Statistics',
    ability: 'stats.view',
    isWeekly: false,
    views: ['date', 'company', 'agent', 'detail', 'type', ...SUB_NAMES],
    defaultView: 'detail',
  },
  avp: {
    title: 'Sites AVP Statistics',
    ability: 'stats.avp',
    isWeekly: true,
    views: ['agent', 'detail', ...SUB_NAMES],
    defaultView: 'detail',
  },
  payroll: {
    title: 'Payroll',
    ability: 'stats.payroll',
    isWeekly: false,
    views: ['date', 'company', 'agent', 'detail', 'type'],
    defaultView: 'detail',
    pays: 'rates',
  },
  payrollAvp: {
    title: 'Payroll AVP',
    ability: 'stats.payroll',
    isWeekly: true,
    views: ['date', 'company', 'agent', 'detail'],
    defaultView: 'company',
    pays: 'tiers',
  },
} as const satisfies Record<string, StatsTable>

export type StatsTableName = keyof typeof statsTables
export const statsTableNames = Object.keys(statsTables) as [StatsTableName, ...StatsTableName[]]

/** Whether a table has the sub ids of the clicks, as rows and as a filter. */
export const hasSubs = ({ views }: Pick<StatsTable, 'views'>) =>
  views.some((groupBy) => subOfView(groupBy) !== undefined)

/** The views of a table that the viewer may choose. */
export const viewsOf = ({ views }: Pick<StatsTable, 'views'>, viewer: AbilityHolder) =>
  views.filter((groupBy) => can(viewer, groupings[groupBy].ability))

/** The key columns and who sees them (specification 2, section 2). */
export const keyColumns = {
  date: { header: 'Date', ability: 'stats.view' },
  officeName: { header: 'Office', ability: 'offices.choose' },
  agent: { header: 'Agent', ability: 'agents.choose' },
  typename: { header: 'Link Type', ability: 'sites.choose' },
  sitename: { header: 'Site', ability: 'sites.choose' },
  subId: { header: 'Sub id', ability: 'logs.click-outs' },
} as const satisfies Record<KeyColumn, { header: string; ability: Ability }>

export const keyColumnsOf = (groupBy: StatsGrouping, viewer: AbilityHolder): KeyColumn[] =>
  groupings[groupBy].keys.filter((key) => can(viewer, keyColumns[key].ability))

/** A column of figures or facts. */
interface Figure {
  kind: 'count' | 'pesos' | 'dollars' | 'percent' | 'tier'
  /** Whether its total is the sum of its rows. */
  isSum: boolean
  /** Which tables have it, and in which views; if left out, all of them. */
  in?: (table: StatsTable, grouping: Grouping) => boolean
  /** Which amounts a viewer must be allowed to see; if left out, none. */
  visibleIf?: 'earning' | 'payout' | 'lpp'
}

const weekly = ({ isWeekly }: StatsTable) => isWeekly
const byTier = ({ pays }: StatsTable) => pays === 'tiers'
const tiered = ({ isWeekly }: StatsTable, { hasTier }: Grouping) => isWeekly && hasTier

/** Every named column except the key columns. Columns of link types have no name here. */
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
/** A figure that can be summed. */
export type SumName = {
  [Name in FigureName]: (typeof statFigures)[Name]['isSum'] extends true ? Name : never
}[FigureName]

/** The column of a link type's payout, without bonuses: those are in bonusPayout. */
export type PayoutColumn = `${number}_payout`
export const isPayoutColumn = (column: string): column is PayoutColumn => column.endsWith('_payout')

/** Consists of sales or bonuses, and so can be explained sale by sale. */
const amountNames = [
  'sales',
  'bonusSales',
  'avpSales',
  'payout',
  'bonusPayout',
  'earn',
  'bonusEarn',
  'payoutPhp',
  'payoutDollars',
] as const satisfies FigureName[]
export type AmountName = (typeof amountNames)[number]

/** An amount or a count of sales: a named one, or the sales or payout of a link type (`12`, `12_payout`). */
export type AmountColumn = AmountName | `${number}` | PayoutColumn
export const isAmountColumn = (column: string): column is AmountColumn =>
  isAmountName(column) || /^[1-9]\d{0,9}(_payout)?$/.test(column)
export const isAmountName = (column: string): column is AmountName =>
  amountNames.some((name) => name === column)

/** The link type that a column is about; undefined for a named one. */
export const typeOf = (column: AmountColumn): number | undefined =>
  isAmountName(column) ? undefined : Number.parseInt(column, 10)

const keyNames = Object.keys(keyColumns) as KeyColumn[]
const figureNames = Object.keys(statFigures) as FigureName[]
export const sumNames = figureNames.filter((name): name is SumName => statFigures[name].isSum)
export const statColumns: readonly StatColumn[] = [...keyNames, ...figureNames]

/** Whether a table has a column in one of its views, regardless of what the viewer may see. */
export function hasColumn(table: StatsTable, groupBy: StatsGrouping, column: StatColumn): boolean {
  const grouping: Grouping = groupings[groupBy]
  if (isKeyColumn(column)) return grouping.keys.includes(column)
  const figure: Figure = statFigures[column]
  return figure.in?.(table, grouping) ?? true
}

export const isKeyColumn = (column: StatColumn): column is KeyColumn => column in keyColumns

/** Which amounts a viewer must be allowed to see for a column; undefined: none. */
export const visibleIf = (column: StatColumn): Figure['visibleIf'] =>
  isKeyColumn(column) ? undefined : (statFigures[column] as Figure).visibleIf

/** The columns that at least one view of a report can be sorted by. The server rejects those that a view lacks. */
export const sortColumnsOf = (table: StatsTable): StatColumn[] =>
  statColumns.filter((column) => table.views.some((groupBy) => hasColumn(table, groupBy, column)))

/** Whether a view's rows have a tier. */
export const hasTier = (table: StatsTable, groupBy: StatsGrouping): boolean =>
  hasColumn(table, groupBy, 'avpPeriod')

/** What a report covers, without order and page. A missing id means all. */
export interface StatsCriteria extends MaybeRange {
  groupBy: StatsGrouping
  siteId?: number | undefined
  typeId?: number | undefined
  companyId?: number | undefined
  agentId?: number | undefined
  /** The index of an AVP tier, in the AVP reports. */
  avp?: number | undefined
  /** Only clicks with this sub id, and their sales; without `subId`, clicks without it. */
  sub?: SubName | undefined
  subId?: string | undefined
  start?: Day | null | undefined
  end?: Day | null | undefined
}

type StatsSearch = Omit<StatsCriteria, 'groupBy'> & { groupBy?: StatsGrouping | undefined }

/** The criteria of a URL, limited to what the report has and the viewer may choose. */
export function criteriaOf(
  search: StatsSearch,
  report: StatsTable,
  viewer: AbilityHolder,
): StatsCriteria {
  const { groupBy = report.defaultView, siteId, typeId, companyId, agentId } = search
  return {
    groupBy: viewsOf(report, viewer).includes(groupBy) ? groupBy : fallbackView(report, viewer),
    siteId,
    typeId: siteId === undefined ? undefined : typeId,
    companyId: can(viewer, 'offices.choose') ? companyId : undefined,
    agentId: can(viewer, 'agents.choose') ? agentId : undefined,
    ...(report.isWeekly && can(viewer, 'stats.avp.choose') && { avp: search.avp }),
    ...(hasSubs(report) &&
      can(viewer, 'logs.click-outs') &&
      search.sub && { sub: search.sub, subId: search.subId || undefined }),
    ...daysOf(search, report),
  }
}

/** The report's default view, or Detail, which everybody has. */
const fallbackView = (report: StatsTable, viewer: AbilityHolder): StatsGrouping =>
  viewsOf(report, viewer).includes(report.defaultView) ? report.defaultView : 'detail'

/** AVP reports widen days to whole weeks. Without an end, the range is the week of the start. */
function daysOf({ start, end }: StatsSearch, report: StatsTable): MaybeRange {
  if (!report.isWeekly || !isDay(start)) return { start, end }
  return weeksOf({ start, end: isDay(end) ? end : start })
}

/** Criteria in words. */
export interface CriteriaWords {
  start: string
  end: string
  site: string
  type: string
  office: string
  agent: string
  /** Only if an AVP tier was chosen. */
  tier?: string | undefined
  /** Only if a sub id was chosen: `sub2 = post-7`. */
  sub?: string | undefined
}

/** A sub id and its value in words: `sub2 = post-7`, or `sub2 = none` for clicks without it. */
export const subText = (name: SubName, value: string | undefined) =>
  `${name} = ${value === undefined ? 'none' : value}`

/** `From 2026-11-16 To 2026-11-22 [All sites, Type:All, Office:All, Agent:All]`; a chosen tier or sub id follows the agent. */
export function criteriaText({ start, end, site, type, office, agent, tier, sub }: CriteriaWords) {
  const parts = [site, `Type:${type}`, `Office:${office}`, `Agent:${agent}`]
  if (tier !== undefined) parts.push(`AVP:${tier}`)
  if (sub !== undefined) parts.push(sub)
  return `From ${start} To ${end} [${parts.join(', ')}]`
}
