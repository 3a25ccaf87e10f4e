import type { StatsRow } from '@tallyroom/contract/figures/statistics'
import { groupings, criteriaOf, type StatsCriteria } from '@tallyroom/contract/figures/stats-table'
import { can } from '@tallyroom/domain/abilities'
import { isValidRange } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMe } from '../../lib/session.ts'
import type { ListQuery } from '../../ui/list/ListFrame.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { amountOf, clicksOf } from './amounts.ts'
import { drillInto, drillSearch, readTrail } from './drill.tsx'
import { statsQuery, type StatsCall } from './statistics.api.ts'
import {
  expectedFlags,
  figureColumns,
  type OpensFigure,
  statsColumns,
  tierColumns,
} from './stats-columns.tsx'
import {
  isSameCriteria,
  requestOf,
  searchOf,
  sortOf,
  type StatsReport,
  type StatsSearch,
} from './stats-search.ts'

/** What the URL asks of a report, the answer, and where the page leads: new criteria, drilling down, opened figures. */
export function useStats(report: StatsReport, search: StatsSearch, ask: StatsCall) {
  const me = useMe()
  const navigate = useNavigate()
  const criteria = criteriaOf(search, report, me)
  const { groupBy } = criteria
  const trail = readTrail(search.trail, criteria)
  const list = useListState(
    { ...search, ...sortOf(search, groupBy, report, me) },
    groupings[groupBy].sort,
  )
  const { page } = list
  const request = requestOf(search, report, me)
  const query = useQuery(statsQuery(ask, request))
  const range = isValidRange(criteria) ? criteria : undefined
  const answer = range && !query.isError ? query.data : undefined
  const shown = answer?.criteria ?? criteria
  const figures = figureColumns(report, shown.groupBy, answer?.stats ?? expectedFlags(me))

  const rows: ListQuery<StatsRow> = range
    ? {
        data: answer?.stats.page,
        error: query.error,
        isPlaceholderData: query.isFetching && answer !== undefined,
        refetch: query.refetch,
      }
    : NOTHING_ASKED

  /** The parameters that new criteria keep. */
  const kept = { print: search.print, compare: search.compare, measure: search.measure }
  const load = (next: StatsCriteria) => {
    const isSame = isSameCriteria(next, criteria)
    if (isSame && page === 1) return void query.refetch()
    const isSameTable = next.groupBy === groupBy && next.siteId === criteria.siteId
    list.search({
      ...searchOf(next, report),
      ...kept,
      trail: isSame ? search.trail : undefined,
      ...(!isSameTable && { sortField: undefined, sortAsc: undefined }),
    })
  }
  const drill = (target: StatsCriteria) => ({
    ...drillSearch(target, shown, trail, report),
    ...kept,
    pageSize: search.pageSize,
  })
  const choose = (part: Pick<StatsSearch, 'compare' | 'measure' | 'print'>) =>
    void navigate({ to: '.', search: { ...search, ...part }, replace: true })
  const opens: OpensFigure = ({ sortField: column }, row, days) => ({
    amount: amountOf(report, { ...shown, ...days }, column, row),
    clicks: can(me, 'logs.click-outs') ? clicksOf({ ...shown, ...days }, column, row) : undefined,
  })

  return {
    criteria,
    trail,
    list,
    query,
    request,
    /** The days, once they are chosen. */
    range,
    answer,
    shown,
    rows,
    figures,
    columns: statsColumns({
      groupBy: shown.groupBy,
      viewer: me,
      facts: tierColumns(report, shown.groupBy),
      figures,
      drill: (column, row) => {
        const target = drillInto(shown, column, row, report, me)
        return target && drill(target)
      },
      opens,
    }),
    opens,
    load,
    pick: (target: StatsCriteria) => {
      if (!isSameCriteria(target, shown)) void navigate({ to: '.', search: drill(target) })
    },
    choose,
  }
}

/** Without a valid range the table is cleared. */
const NOTHING_ASKED: ListQuery<StatsRow> = {
  data: { items: [], total: 0 },
  error: null,
  isPlaceholderData: false,
  refetch: () => {},
}
