import type { StatsRow } from '@tallyroom/contract/figures/statistics'
import {
  groupings,
  type KeyColumn,
  type StatsGrouping,
  statsGroupings,
  subText,
  viewsOf,
  type StatsCriteria,
} from '@tallyroom/contract/figures/stats-table'
import type { AbilityHolder } from '@tallyroom/domain/abilities'
import { isDay } from '@tallyroom/domain/new-york'
import { SUB_NAMES } from '@tallyroom/domain/tracked-link'
import type { ReactNode } from 'react'
import { LinkText } from '../../ui/links.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { subsOf } from './amounts.ts'
import classes from './drill.module.css'
import type { CriteriaNames } from './statistics.api.ts'
import { isSameCriteria, searchOf, type StatsReport } from './stats-search.ts'

type DrilledRow = Pick<
  StatsRow,
  'date' | 'companyId' | 'agentId' | 'siteId' | 'typeId' | 'subRow' | 'subId'
>

/**
 * Where a key cell leads: a date to the offices of that day, or to the nearest view that the viewer
 * has; an office or a link type to its agents; a site to its link types; an agent to their detail
 * (specification 2, section 2); a sub id to its detail.
 */
const drills: Record<
  KeyColumn,
  {
    narrow: (row: DrilledRow, criteria: StatsCriteria) => Partial<StatsCriteria> | undefined
    view: (offered: readonly StatsGrouping[]) => StatsGrouping
  }
> = {
  date: {
    narrow: ({ date }) => ({ start: date, end: date }),
    view: (offered) => offered.find((groupBy) => groupBy !== 'date') ?? 'detail',
  },
  officeName: { narrow: ({ companyId }) => ({ companyId }), view: () => 'agent' },
  agent: { narrow: ({ agentId }) => ({ agentId }), view: () => 'detail' },
  typename: {
    narrow: ({ siteId, typeId }) => ({ siteId, typeId }),
    view: (offered) => (offered.includes('agent') ? 'agent' : 'detail'),
  },
  sitename: { narrow: ({ siteId }) => ({ siteId }), view: () => 'type' },
  subId: { narrow: (row, criteria) => subsOf(criteria, row), view: () => 'detail' },
}

/** The criteria that a key cell of a row leads to; undefined if they are the ones on screen. */
export function drillInto(
  criteria: StatsCriteria,
  column: KeyColumn,
  row: DrilledRow,
  report: StatsReport,
  viewer: AbilityHolder,
): StatsCriteria | undefined {
  // Tiers apply to weeks, so their reports have no single days.
  if (column === 'date' && report.isWeekly) return undefined
  const { narrow, view } = drills[column]
  const narrowed = narrow(row, criteria)
  if (!narrowed) return undefined
  const target = { ...criteria, ...narrowed, groupBy: view(viewsOf(report, viewer)) }
  return isSameCriteria(target, criteria) ? undefined : target
}

/**
 * The URL search of a drilled view. It carries the views passed on the way, so that the breadcrumb also appears in a
 * new tab and for a pasted link. Drilling into a view that is already on the way goes back to it.
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

/** The URL search of a view passed on the way. */
export const backSearch = (
  target: StatsCriteria,
  trail: readonly StatsCriteria[],
  report: StatsReport,
) => ({
  ...searchOf(target, report),
  trail: trail.length > 0 ? writeTrail(trail) : undefined,
})

const MAX_STEPS = 8

/** Only what drilling changes: `date.2026-11-16.2026-11-22...._company.2026-11-20.2026-11-20....` */
const writeTrail = (steps: readonly StatsCriteria[]) =>
  steps
    .map(({ groupBy, start, end, companyId, agentId, siteId, typeId, sub, subId = '' }) =>
      [
        ...[groupBy, start, end, companyId, agentId, siteId, typeId].map((part) => part ?? ''),
        ...(sub ? [sub, escaped(subId)] : []),
      ].join('.'),
    )
    .join('_')

/** Without the characters that separate parts and steps. */
const escaped = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E').replaceAll('_', '%5F')

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text) || undefined
  } catch {
    return undefined
  }
}

/** The views passed on the way to `criteria`. Unreadable parts are dropped. */
export const readTrail = (
  text: string | undefined,
  { siteId, typeId, avp }: StatsCriteria,
): StatsCriteria[] =>
  (text ?? '').split('_').flatMap((step) => {
    const [view, start, end, companyId, agentId, ofSite, ofType, ofSub, subId = ''] =
      step.split('.')
    const sub = SUB_NAMES.find((name) => name === ofSub)
    const groupBy = statsGroupings.find((known) => known === view)
    if (!groupBy || !isDay(start) || !isDay(end)) return []
    return [
      {
        groupBy,
        // Old links lack these two, because drilling did not change them.
        siteId: ofSite === undefined ? siteId : idOf(ofSite),
        typeId: ofSite === undefined ? typeId : idOf(ofType),
        ...(avp !== undefined && { avp }),
        ...(sub && { sub, subId: unescaped(subId) }),
        start,
        end,
        companyId: idOf(companyId),
        agentId: idOf(agentId),
      },
    ]
  })

const idOf = (text = '') => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined)

interface DrillLinkProps {
  /** Undefined: the cell leads nowhere new and is not a link. */
  search: object | undefined
  tooltip?: string | undefined
  children: ReactNode
}

/** A cell that drills within its report. A real link, so that a middle click opens a new tab. */
export function DrillLink({ search, tooltip, children }: DrillLinkProps) {
  const cell = search ? (
    <LinkText to="." search={search}>
      {children}
    </LinkText>
  ) : (
    <span>{children}</span>
  )
  return tooltip ? (
    <Tooltip label={tooltip} withArrow>
      {cell}
    </Tooltip>
  ) : (
    cell
  )
}

interface DrillTrailProps {
  report: StatsReport
  /** The views passed on the way, in order. */
  trail: readonly StatsCriteria[]
  current: StatsCriteria
  names: CriteriaNames
}

/** The breadcrumb of drilling. Each step leads back to its view. */
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

/** What was clicked to get here, and the view that it led to. */
function stepLabel(
  step: StatsCriteria,
  before: StatsCriteria | undefined,
  names: CriteriaNames,
): string {
  return `${clicked(step, before, names)}, by ${groupings[step.groupBy].label.toLowerCase()}`
}

function clicked(
  step: StatsCriteria,
  before: StatsCriteria | undefined,
  names: CriteriaNames,
): string {
  const { sub, subId } = step
  if (sub && before && (sub !== before.sub || subId !== before.subId)) return subText(sub, subId)
  for (const [key, what] of NARROWED) {
    const id = step[key]
    if (id !== undefined && before && id !== before[key]) return nameOf(names, what, id)
  }
  const { start, end } = step
  return start === end ? `${start}` : `${start} – ${end}`
}

/** From the narrowest: a link type is chosen together with its site. */
const NARROWED = [
  ['agentId', 'agent'],
  ['companyId', 'office'],
  ['typeId', 'type'],
  ['siteId', 'site'],
] as const

/** A name, or `Agent #7` while it is unknown. */
const nameOf = (names: CriteriaNames, what: keyof typeof NOUNS, id: number): string =>
  names[what](id) ?? `${NOUNS[what]} #${id}`

const NOUNS = { site: 'Site', type: 'Link type', office: 'Office', agent: 'Agent' } as const
