import { statsGroupings, type StatsGrouping } from '@tallyroom/contract/statistics'
import type { AbilityHolder } from '@tallyroom/domain/abilities'
import { isDay, type Day } from '@tallyroom/domain/new-york'
import { isSameCriteria, searchOf, type SiteStatsCriteria } from './site-stats-search.ts'
import { viewsOf } from './views.ts'

/** The cell that was chosen. */
export type DrillChoice = { date: Day } | { companyId: number } | { agentId: number }

/**
 * Where a cell leads (specification 2, section 2): a date to the offices of that single day, or the
 * nearest view that the viewer has; an office to its agents; an agent to its detail. Undefined when
 * that is what is on screen.
 */
export function drillInto(
  criteria: SiteStatsCriteria,
  choice: DrillChoice,
  viewer: AbilityHolder,
): SiteStatsCriteria | undefined {
  const target = { ...criteria, ...narrowing(choice), groupBy: nextView(choice, viewer) }
  return isSameCriteria(target, criteria) ? undefined : target
}

const narrowing = (choice: DrillChoice) =>
  'date' in choice ? { start: choice.date, end: choice.date } : choice

function nextView(choice: DrillChoice, viewer: AbilityHolder): StatsGrouping {
  if ('agentId' in choice) return 'detail'
  if ('companyId' in choice) return 'agent'
  return viewsOf(viewer).find((groupBy) => groupBy !== 'date') ?? 'detail'
}

/**
 * The URL of a drilled view. It carries the views passed on the way, so that the breadcrumb is there
 * in a new tab and in a pasted link too. Coming by a view that was on the way already goes back to it.
 */
export function drillSearch(
  target: SiteStatsCriteria,
  from: SiteStatsCriteria,
  trail: readonly SiteStatsCriteria[],
) {
  const way = [...trail, from].slice(-MAX_STEPS)
  const again = way.findIndex((step) => isSameCriteria(step, target))
  return backSearch(target, again === -1 ? way : way.slice(0, again))
}

/** The URL of a view that was passed on the way. */
export const backSearch = (target: SiteStatsCriteria, trail: readonly SiteStatsCriteria[]) => ({
  ...searchOf(target),
  trail: trail.length > 0 ? writeTrail(trail) : undefined,
})

const MAX_STEPS = 8

/** `date.2026-11-16.2026-11-22.._company.2026-11-20.2026-11-20..`: only what drilling changes. */
const writeTrail = (steps: readonly SiteStatsCriteria[]) =>
  steps
    .map(({ groupBy, start, end, companyId, agentId }) =>
      [groupBy, start, end, companyId, agentId].map((part) => part ?? '').join('.'),
    )
    .join('_')

/** The views passed on the way to `criteria`; what can't be read is left out. */
export const readTrail = (
  text: string | undefined,
  { siteId, typeId }: SiteStatsCriteria,
): SiteStatsCriteria[] =>
  (text ?? '').split('_').flatMap((step) => {
    const [view, start, end, companyId, agentId] = step.split('.')
    const groupBy = statsGroupings.find((known) => known === view)
    if (!groupBy || !isDay(start) || !isDay(end)) return []
    return [
      { groupBy, siteId, typeId, start, end, companyId: idOf(companyId), agentId: idOf(agentId) },
    ]
  })

const idOf = (text = '') => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined)
