import { type AbilityHolder, can } from '@tallyroom/domain/abilities'
import { type Day, isDay } from '@tallyroom/domain/new-york'
import { type MaybeRange, weeksOf } from '@tallyroom/domain/periods'
import { type StatsGrouping, type StatsTable, viewsOf } from './stats-table.ts'

/** What a report covers, without order and page. A missing id means all. */
export interface StatsCriteria extends MaybeRange {
  groupBy: StatsGrouping
  siteId?: number | undefined
  typeId?: number | undefined
  companyId?: number | undefined
  agentId?: number | undefined
  /** The index of an AVP tier, in the AVP reports. */
  avp?: number | undefined
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
}

/** `From 2026-11-16 To 2026-11-22 [All sites, Type:All, Office:All, Agent:All]`; a chosen tier follows the agent. */
export function criteriaText({ start, end, site, type, office, agent, tier }: CriteriaWords) {
  const parts = [site, `Type:${type}`, `Office:${office}`, `Agent:${agent}`]
  if (tier !== undefined) parts.push(`AVP:${tier}`)
  return `From ${start} To ${end} [${parts.join(', ')}]`
}
