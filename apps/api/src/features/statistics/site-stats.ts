import type { SiteStats, StatsColumn, StatsCriteria } from '@tallyroom/contract/statistics'
import { can } from '@tallyroom/domain/abilities'
import { type Day, todayNewYork } from '@tallyroom/domain/new-york'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../http/errors.ts'
import type { Services } from '../../http/services.ts'
import { foldTotals } from '../daily-totals/index.ts'
import { findChosenSite } from './chosen-site.queries.ts'
import { presentSiteStats } from './present-stats.ts'
import type { ChosenSite, Visibility } from './stats-parts.ts'
import {
  findOverall,
  findOverallPreviousLpp,
  findPreviousLpp,
  findStatsPage,
  type StatsQuestion,
} from './statistics.queries.ts'

/** Where the totals are kept up to date, where reports read them (often the same), and what day it is. */
export type ReportDatabases = Pick<Services, 'db' | 'reportDb' | 'clock'>

/**
 * Sites Statistics (specification 2, section 2): one page of rows and the sums of the whole result,
 * all from one snapshot that holds everything committed before the call.
 */
export async function siteStats(
  { db, reportDb, clock }: ReportDatabases,
  viewer: Viewer,
  criteria: StatsCriteria,
): Promise<SiteStats> {
  await foldTotals(db)
  return inTransaction(
    reportDb,
    async (tx) => {
      const visibility = await visibilityFor(tx, viewer)
      const scope = scopeOf(viewer)
      const site = await chosenSite(tx, scope, criteria)
      const question = questionOf(
        criteria,
        site?.types ?? [],
        visibility,
        todayNewYork(clock.now()),
      )
      const page = await findStatsPage(tx, scope, question)
      const overall = await findOverall(tx, scope, question)
      const previous =
        visibility.lpp && question.groupBy !== 'date'
          ? {
              rows: await findPreviousLpp(tx, scope, question, page.rows),
              overall: await findOverallPreviousLpp(tx, scope, question),
            }
          : undefined
      return presentSiteStats({ page, overall, previous, site, visibility })
    },
    { isolation: 'repeatable read', accessMode: 'read only' },
  )
}

/** Which amounts a viewer sees (specification 2, section 2; system options). */
async function visibilityFor(tx: Tx, viewer: Viewer): Promise<Visibility> {
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
  { siteId }: StatsCriteria,
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

function questionOf(
  criteria: StatsCriteria,
  types: readonly { id: number }[],
  visibility: Visibility,
  today: Day,
): StatsQuestion {
  const { groupBy, page, pageSize } = criteria
  const typeIds = types
    .map(({ id }) => id)
    .filter((id) => criteria.typeId === undefined || criteria.typeId === id)
  return {
    range: { start: criteria.start, end: criteria.end },
    today,
    filter: {
      siteId: criteria.siteId,
      typeId: criteria.typeId,
      officeId: criteria.companyId,
      agentIds: criteria.agentId === undefined ? undefined : [criteria.agentId],
    },
    groupBy,
    typeIds,
    sort: sortOf(criteria, typeIds, visibility),
    limit: pageSize,
    offset: (page - 1) * pageSize,
  }
}

/** Refuses a column that the grouping does not have or the viewer does not see. */
function sortOf(
  { groupBy, sortField, sortAsc }: StatsCriteria,
  typeIds: readonly number[],
  visibility: Visibility,
): StatsQuestion['sort'] {
  if (sortField === undefined) return defaultSort[groupBy]
  const isOffered =
    typeof sortField === 'number'
      ? typeIds.includes(sortField)
      : hasColumn(groupBy, sortField) && sees(visibility, sortField)
  if (!isOffered) throw invalid({ sortField: ['is not a column of this view'] })
  return { column: sortField, ascending: sortAsc ?? true }
}

function hasColumn(groupBy: StatsCriteria['groupBy'], column: StatsColumn): boolean {
  if (column === 'date') return groupBy === 'date' || groupBy === 'detail'
  if (column === 'officeName') return groupBy !== 'date'
  if (column === 'agent') return groupBy === 'agent' || groupBy === 'detail'
  if (column === 'lppPrev') return groupBy !== 'date'
  return true
}

function sees(visibility: Visibility, column: StatsColumn): boolean {
  if (column === 'earn' || column === 'bonusEarn') return visibility.earning
  if (column === 'payout' || column === 'bonusPayout') return visibility.payout
  if (column === 'lpp' || column === 'lppPrev') return visibility.lpp
  return true
}
