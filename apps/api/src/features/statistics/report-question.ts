import type { StatsGrouping } from '@tallyroom/contract/statistics'
import { can } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { invalid } from '../../http/errors.ts'
import { findSchedulesOf, stepsOf } from '../avp-schedule/index.ts'
import { findChosenSite } from './chosen-site.queries.ts'
import { type Report, type ReportColumn, type ReportCriteria, viewAbilities } from './reports.ts'
import type { ChosenSite, Visibility } from './stats-parts.ts'
import type { StatsQuestion } from './statistics.queries.ts'

/** What a report asks of the totals, for this viewer. */
export type ReportQuestion = {
  question: StatsQuestion
  site: ChosenSite | undefined
  visibility: Visibility
}

/** @throws VALIDATION_ERROR for what the report does not have or the viewer may not choose. */
export async function questionOf(
  tx: Tx,
  viewer: Viewer,
  report: Report,
  criteria: ReportCriteria,
  today: Day,
): Promise<ReportQuestion> {
  const { groupBy, siteId, typeId, companyId, agentId, start, end } = criteria
  refuseChoices(viewer, report, criteria)
  const visibility = await visibilityFor(tx, viewer)
  const site = await chosenSite(tx, scopeOf(viewer), siteId)
  const typeIds = (site?.types ?? [])
    .map(({ id }) => id)
    .filter((id) => typeId === undefined || typeId === id)
  const steps = report.hasTiers ? stepsOf(await findSchedulesOf(tx, { start, end })) : undefined
  return {
    question: {
      range: { start, end },
      today,
      filter: {
        siteId,
        typeId,
        officeId: companyId,
        agentIds: agentId === undefined ? undefined : [agentId],
        tier: steps && criteria.avp !== undefined ? { index: criteria.avp, steps } : undefined,
      },
      groupBy,
      typeIds,
      typePayouts: report.typePayouts && !report.paysByTier,
      ...(steps && { steps }),
      sort: sortOf(report, criteria, typeIds, visibility),
    },
    site,
    visibility,
  }
}

function refuseChoices(viewer: Viewer, { views }: Report, { groupBy, avp }: ReportCriteria): void {
  if (!views.includes(groupBy) || !can(viewer, viewAbilities[groupBy])) {
    throw invalid({ groupBy: ['is not one of your views'] })
  }
  if (avp !== undefined && !can(viewer, 'stats.avp.choose')) {
    throw invalid({ avp: ['is not yours to choose'] })
  }
}

/** Which amounts a viewer sees (specification 2, section 2; system options). */
export async function visibilityFor(tx: DbOrTx, viewer: Viewer): Promise<Visibility> {
  const options = await tx
    .selectFrom('options')
    .select(['name', 'value'])
    .where('name', 'in', ['payout_visible', 'lpp_visible'])
    .execute()
  const isOn = (name: string) =>
    options.some((option) => option.name === name && option.value === '1')
  return {
    earning: can(viewer, 'earning.see'),
    payout: can(viewer, 'payout.see') || isOn('payout_visible'),
    lpp: isOn('lpp_visible'),
  }
}

/** The site that the criteria are about, if it is just one. What the viewer never sold does not exist. */
async function chosenSite(
  tx: Tx,
  scope: Scope,
  siteId: number | undefined,
): Promise<ChosenSite | undefined> {
  if (siteId === undefined) return undefined
  const site = await findChosenSite(tx, scope, siteId)
  if (!site) throw invalid({ siteId: ['There is no such site'] })
  return site
}

/** The order of each grouping when none is asked for (specification 2, section 4). */
const defaultSort = {
  date: { column: 'date', ascending: false },
  company: { column: 'officeName', ascending: true },
  agent: { column: 'agent', ascending: true },
  detail: { column: 'date', ascending: false },
} as const

/** Refuses a column that the view does not have or the viewer does not see. */
function sortOf(
  report: Report,
  { groupBy, sortField, sortAsc }: ReportCriteria,
  typeIds: readonly number[],
  visibility: Visibility,
): StatsQuestion['sort'] {
  if (sortField === undefined) return defaultSort[groupBy]
  const isOffered =
    typeof sortField === 'number'
      ? typeIds.includes(sortField)
      : hasColumn(report, groupBy, sortField, typeIds) && sees(visibility, sortField)
  if (!isOffered) throw invalid({ sortField: ['is not a column of this view'] })
  return { column: sortField, ascending: sortAsc ?? true }
}

function hasColumn(
  report: Report,
  groupBy: StatsGrouping,
  column: ReportColumn,
  typeIds: readonly number[],
): boolean {
  switch (column) {
    case 'date':
      return groupBy === 'date' || groupBy === 'detail'
    case 'officeName':
    case 'lppPrev':
      return groupBy !== 'date'
    case 'agent':
      return groupBy === 'agent' || groupBy === 'detail'
    case 'avpPeriod':
    case 'agent_avp_sales_count':
      return report.hasTiers && (groupBy === 'agent' || groupBy === 'detail')
    case 'avpSales':
      return report.hasTiers
    case 'payoutPhp':
    case 'payoutDollars':
      return report.paysByTier
    default:
      return (
        !column.endsWith('_payout') ||
        (report.typePayouts && typeIds.includes(Number.parseInt(column, 10)))
      )
  }
}

function sees(visibility: Visibility, column: ReportColumn): boolean {
  if (column === 'earn' || column === 'bonusEarn') return visibility.earning
  if (column === 'payout' || column === 'bonusPayout') return visibility.payout
  if (column === 'lpp' || column === 'lppPrev') return visibility.lpp
  return true
}
