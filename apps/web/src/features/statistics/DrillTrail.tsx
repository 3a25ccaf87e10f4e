import { groupings } from '@tallyroom/contract/stats-table'
import { LinkText } from '../../ui/links.tsx'
import type { CriteriaNames } from './criteria-names.ts'
import { backSearch } from './drill.ts'
import classes from './DrillTrail.module.css'
import type { StatsReport } from './reports.ts'
import type { StatsCriteria } from './stats-search.ts'

interface DrillTrailProps {
  report: StatsReport
  /** The views passed on the way, the first one first. */
  trail: readonly StatsCriteria[]
  current: StatsCriteria
  names: CriteriaNames
}

/** The way that was drilled; each step leads back to its view. */
export function DrillTrail({ report, trail, current, names }: DrillTrailProps) {
  if (trail.length === 0) return null
  return (
    <nav aria-label="Drilled" className={classes.trail}>
      <ol>
        {trail.map((step, position) => (
          <li key={Object.values(step).join(' ')}>
            <LinkText to="." search={backSearch(step, trail.slice(0, position), report)}>
              {stepLabel(step, trail[position - 1], names)}
            </LinkText>
          </li>
        ))}
        <li aria-current="page">{stepLabel(current, trail.at(-1), names)}</li>
      </ol>
    </nav>
  )
}

/** What was chosen to come here, and the view it led to. */
function stepLabel(
  step: StatsCriteria,
  before: StatsCriteria | undefined,
  names: CriteriaNames,
): string {
  return `${chosen(step, before, names)}, by ${groupings[step.groupBy].label.toLowerCase()}`
}

function chosen(
  { start, end, companyId, agentId, siteId, typeId }: StatsCriteria,
  before: StatsCriteria | undefined,
  names: CriteriaNames,
): string {
  if (agentId !== undefined && before && agentId !== before.agentId)
    return names.agent(agentId) ?? `Agent #${agentId}`
  if (companyId !== undefined && before && companyId !== before.companyId)
    return names.office(companyId) ?? `Office #${companyId}`
  if (typeId !== undefined && before && typeId !== before.typeId)
    return names.type(typeId) ?? `Link type #${typeId}`
  if (siteId !== undefined && before && siteId !== before.siteId)
    return names.site(siteId) ?? `Site #${siteId}`
  return start === end ? `${start}` : `${start} – ${end}`
}
