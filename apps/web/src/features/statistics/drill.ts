import { type StatsGrouping, statsGroupings, viewsOf } from '@tallyroom/contract/stats-table'
import type { AbilityHolder } from '@tallyroom/domain/abilities'
import { isDay, type Day } from '@tallyroom/domain/new-york'
import { isSameCriteria, searchOf, type StatsCriteria } from './stats-search.ts'
import type { StatsReport } from './reports.ts'

/** The cell that was chosen. */
export type DrillChoice =
  | { date: Day }
  | { companyId: number }
  | { agentId: number }
  | { siteId: number; typeId?: number }

/**
 * Where a cell leads (specification 2, section 2): a date to the offices of that single day, or the
 * nearest view that the viewer has; an office or a link type to its agents, a site to its link types; an agent to
 * its detail. Undefined when that is what is on screen.
 */
export function drillInto(
  criteria: StatsCriteria,
  choice: DrillChoice,
  report: StatsReport,
  viewer: AbilityHolder,
): StatsCriteria | undefined {
  // Tiers are by week: there is no report by tiers of a single day.
  if ('date' in choice && report.isWeekly) return undefined
  const target = { ...criteria, ...narrowing(choice), groupBy: nextView(choice, report, viewer) }
  return isSameCriteria(target, criteria) ? undefined : target
}

const narrowing = (choice: DrillChoice) =>
  'date' in choice ? { start: choice.date, end: choice.date } : choice

function nextView(choice: DrillChoice, report: StatsReport, viewer: AbilityHolder): StatsGrouping {
  if ('agentId' in choice) return 'detail'
  if ('companyId' in choice) return 'agent'
  if ('siteId' in choice && choice.typeId === undefined) return 'type'
  if ('siteId' in choice) return viewsOf(report, viewer).includes('agent') ? 'agent' : 'detail'
  return viewsOf(report, viewer).find((groupBy) => groupBy !== 'date') ?? 'detail'
}

/**
 * The URL of a drilled view. It carries the views passed on the way, so that the breadcrumb is there
 * in a new tab and in a pasted link too. Coming by a view that was on the way already goes back to it.
 */
export function drillSearch(
  target: StatsCriteria,
  from: StatsCriteria,
  trail: readonly StatsCriteria[],
  report: StatsReport,
) {
  const way = [...trail, from].slice(-MAX_STEPS)
  const again = way.findIndex((step) => isSameCriteria(step, target))
  return backSearch(target, again === -1 ? way : way.slice(0, again), report)
}

/** The URL of a view that was passed on the way. */
export const backSearch = (
  target: StatsCriteria,
  trail: readonly StatsCriteria[],
  report: StatsReport,
) => ({
  ...searchOf(target, report),
  trail: trail.length > 0 ? writeTrail(trail) : undefined,
})

const MAX_STEPS = 8

/** `date.2026-11-16.2026-11-22...._company.2026-11-20.2026-11-20....`: only what drilling changes. */
const writeTrail = (steps: readonly StatsCriteria[]) =>
  steps
    .map(({ groupBy, start, end, companyId, agentId, siteId, typeId }) =>
      [groupBy, start, end, companyId, agentId, siteId, typeId].map((part) => part ?? '').join('.'),
    )
    .join('_')

/** The views passed on the way to `criteria`; what can't be read is left out. */
export const readTrail = (
  text: string | undefined,
  { siteId, typeId, avp }: StatsCriteria,
): StatsCriteria[] =>
  (text ?? '').split('_').flatMap((step) => {
    const [view, start, end, companyId, agentId, ofSite, ofType] = step.split('.')
    const groupBy = statsGroupings.find((known) => known === view)
    if (!groupBy || !isDay(start) || !isDay(end)) return []
    return [
      {
        groupBy,
        // Steps of old links do not name these two: drilling kept them.
        siteId: ofSite === undefined ? siteId : idOf(ofSite),
        typeId: ofSite === undefined ? typeId : idOf(ofType),
        ...(avp !== undefined && { avp }),
        start,
        end,
        companyId: idOf(companyId),
        agentId: idOf(agentId),
      },
    ]
  })

const idOf = (text = '') => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined)
