import type { StatsCriteria } from '@tallyroom/contract/statistics'
import {
  groupings,
  hasColumn,
  type PayoutColumn,
  visibleIf,
  type StatColumn,
  type StatsGrouping,
  type StatsTable,
  viewsOf,
} from '@tallyroom/contract/stats-table'
import { can } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { type DateRange, previousRange } from '@tallyroom/domain/periods'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { invalid } from '../../errors.ts'
import { type AvpStep, type Dimension, type TotalsQuestion } from '../../totals/index.ts'
import { findSchedulesOf, stepsOf } from '../avp-schedules/index.ts'
import { findVisibleAmounts, type VisibleAmounts } from '../options/index.ts'
import { findChosenSite, findTypesWithTotals } from './chosen-site.queries.ts'
import { keysOf, type RowKeyName } from './row-keys.ts'

/** What any of the reports may be asked; each report's contract lets through what it has. */
export type ReportCriteria = Omit<StatsCriteria, OptionalCriterion> &
  Partial<Pick<StatsCriteria, OptionalCriterion>>
type OptionalCriterion = 'avp' | 'sortField' | 'sortAsc'

/** The site that a question is about, with the link types that get a column each. */
export type ChosenSite = {
  useApproveSale: boolean
  types: { id: number; typename: string; bonus: boolean }[]
}

/** What a page of statistics asks of the totals. */
export type StatsQuestion = Pick<TotalsQuestion, 'range' | 'filter' | 'today'> & {
  groupBy: StatsGrouping
  /** The link types with a count column of their own. */
  typeIds: readonly number[]
  /** Whether they also have a column of what their sales pay, at the rates of the sales. */
  typePayouts?: boolean
  /** The AVP tiers of the range, where rows have theirs. */
  steps?: readonly AvpStep[]
  sort: { column: StatColumn | PayoutColumn | number; ascending: boolean }
}

/** The totals that its rows are summed up from. */
export function totalsQuestion(question: StatsQuestion): TotalsQuestion {
  const keys: readonly RowKeyName[] = keysOf[question.groupBy]
  return {
    range: question.range,
    filter: question.filter,
    today: question.today,
    dimensions: [...keys.filter((key) => key !== 'day'), ...typeDimension(question)],
    byDay: isByDay(question),
  }
}

/** Whether its rows are of single days. */
export const isByDay = ({ groupBy }: Pick<StatsQuestion, 'groupBy'>): boolean =>
  keysOf[groupBy].some((key: RowKeyName) => key === 'day')

/** Whether link types are to be told apart, as a dimension of the totals. */
export const typeDimension = ({ typeIds }: StatsQuestion): Dimension[] =>
  typeIds.length > 0 ? ['type_id'] : []

/** What a report asks of the totals, for this viewer. */
export type ReportQuestion = {
  question: StatsQuestion
  site: ChosenSite | undefined
  visibility: VisibleAmounts
}

/** @throws VALIDATION_ERROR for what the report does not have or the viewer may not choose. */
export async function questionOf(
  tx: Tx,
  viewer: Viewer,
  table: StatsTable,
  criteria: ReportCriteria,
  today: Day,
): Promise<ReportQuestion> {
  const { groupBy, siteId, typeId, companyId, agentId, start, end } = criteria
  refuseChoices(viewer, table, criteria)
  const visibility = await findVisibleAmounts(tx, viewer)
  const range = { start, end }
  const steps = table.isWeekly ? await stepsFor(tx, range) : undefined
  const about = {
    range,
    today,
    filter: {
      siteId,
      typeId,
      officeId: companyId,
      agentIds: agentId === undefined ? undefined : [agentId],
      tier: steps && criteria.avp !== undefined ? { index: criteria.avp, steps } : undefined,
    },
  }
  const site = await chosenSite(tx, scopeOf(viewer), about, sortedType(criteria))
  const typeIds = groupings[groupBy].hasTypeColumns
    ? (site?.types ?? []).map(({ id }) => id).filter((id) => typeId === undefined || typeId === id)
    : []
  return {
    question: {
      ...about,
      groupBy,
      typeIds,
      typePayouts: table.pays === 'rates',
      ...(steps && { steps }),
      sort: sortOf(table, criteria, typeIds, visibility),
    },
    site,
    visibility,
  }
}

function refuseChoices(viewer: Viewer, table: StatsTable, { groupBy, avp }: ReportCriteria): void {
  if (!viewsOf(table, viewer).includes(groupBy)) {
    throw invalid({ groupBy: ['is not one of your views'] })
  }
  if (avp !== undefined && !can(viewer, 'stats.avp.choose')) {
    throw invalid({ avp: ['is not yours to choose'] })
  }
}

/**
 * The site that the criteria are about, if it is just one. What the viewer never sold does not exist. Of its
 * deleted link types those that the answer has something of, and the one that it is to be sorted by.
 */
async function chosenSite(
  tx: Tx,
  scope: Scope,
  about: Pick<StatsQuestion, 'range' | 'today' | 'filter'>,
  sortedTypeId: number | undefined,
): Promise<ChosenSite | undefined> {
  const { siteId, typeId } = about.filter
  if (siteId === undefined) return undefined
  const site = await findChosenSite(tx, scope, siteId)
  if (!site) throw invalid({ siteId: ['There is no such site'] })
  const deleted = site.types.filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id)
  if (deleted.length === 0) return site
  const kept = new Set([
    ...(await findTypesWithTotals(tx, scope, about, deleted)),
    ...[typeId, sortedTypeId].filter((id) => id !== undefined),
  ])
  return {
    ...site,
    types: site.types.filter(({ id, deleted_at }) => deleted_at === null || kept.has(id)),
  }
}

/** The link type of the column that is sorted by: its count, or `{typeId}_payout`. */
function sortedType({ sortField }: ReportCriteria): number | undefined {
  if (typeof sortField === 'number') return sortField
  return sortField?.endsWith('_payout') ? Number.parseInt(sortField, 10) : undefined
}

/** The tiers of a range, and of the period before it that points are compared with. */
async function stepsFor(tx: Tx, range: DateRange): Promise<AvpStep[]> {
  const { start } = previousRange(range)
  return stepsOf(await findSchedulesOf(tx, { start, end: range.end }))
}

/** Refuses a column that the view does not have or the viewer does not see. */
function sortOf(
  table: StatsTable,
  { groupBy, sortField, sortAsc }: ReportCriteria,
  typeIds: readonly number[],
  visibility: VisibleAmounts,
): StatsQuestion['sort'] {
  if (sortField === undefined) {
    const { sort } = groupings[groupBy]
    return { column: sort.sortField, ascending: sort.sortAsc }
  }
  const isOffered =
    typeof sortField === 'number'
      ? typeIds.includes(sortField)
      : isPayout(sortField)
        ? table.pays !== undefined && typeIds.includes(Number.parseInt(sortField, 10))
        : hasColumn(table, groupBy, sortField) && sees(visibility, sortField)
  if (!isOffered) throw invalid({ sortField: ['is not a column of this view'] })
  return { column: sortField, ascending: sortAsc ?? true }
}

const isPayout = (column: string): column is PayoutColumn => column.endsWith('_payout')

function sees(visibility: VisibleAmounts, column: StatColumn): boolean {
  const amounts = visibleIf(column)
  return amounts === undefined || visibility[amounts]
}
