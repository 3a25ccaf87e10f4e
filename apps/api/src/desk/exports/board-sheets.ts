import type { RequestOf } from '@tallyroom/contract/endpoint'
import type {
  OfficeChart,
  officePerformanceEndpoints,
  PerformanceRow,
} from '@tallyroom/contract/figures/office-performance'
import type { Top10Row, topAgentsEndpoints } from '@tallyroom/contract/figures/top-agents'
import { can } from '@tallyroom/domain/abilities'
import { boardGrouping } from '@tallyroom/domain/periods'
import { progress } from '@tallyroom/domain/ratios'
import type { Viewer } from '../../access/viewer.ts'
import { officeCharts, officePerformance, top10 } from '../../figures/index.ts'
import type { TotalsDatabases } from '../../totals/index.ts'
import { rangeInWords, sitesInWords } from './criteria-words.ts'
import {
  type Cell,
  cellsOf,
  type ColumnOf,
  daysOf,
  factsOf,
  type Sheet,
} from '../../http/sheets/sheet.ts'

type Top10Criteria = RequestOf<typeof topAgentsEndpoints.top10>['body']
type Comparison = RequestOf<typeof officePerformanceEndpoints.officePerformance>['body']
type ChartsCriteria = RequestOf<typeof officePerformanceEndpoints.officeCharts>['body']

/** Top Agents: the ten rows that the viewer may see. */
export async function top10Sheet(
  databases: TotalsDatabases,
  viewer: Viewer,
  criteria: Top10Criteria,
): Promise<Sheet> {
  const rows = (await top10(databases, viewer, criteria)).map((row, index) => ({
    ...row,
    no: index + 1,
  }))
  const byAgent = (criteria.groupBy ?? boardGrouping(criteria)) === 'agent'
  const sites = await sitesInWords(databases.reportDb, criteria.siteIds ?? [])
  return sheetOf({
    title: 'Top Agents',
    about: [
      ...daysOf(criteria),
      `by-${byAgent ? 'agent' : 'office'}`,
      ...(criteria.siteIds?.length ? [sites] : []),
    ],
    criteria: `${rangeInWords(criteria)} [${sites}, by ${byAgent ? 'agent' : 'office'}]`,
    columns: [
      { header: 'No', kind: 'count', value: ({ no }) => no },
      ...(!byAgent || can(viewer, 'offices.choose') ? [boardOffice] : []),
      ...(byAgent ? boardAgent : []),
      { header: 'Sales', kind: 'count', value: ({ sales }) => sales },
    ],
    rows,
    viewer,
    now: databases.clock.now(),
  })
}

const boardOffice: ColumnOf<Top10Row> = {
  header: 'Office',
  kind: 'text',
  value: ({ office }) => office,
}

const boardAgent: ColumnOf<Top10Row>[] = [
  { header: 'Agent', kind: 'text', value: ({ agent }) => agent },
  { header: 'Agent Name', kind: 'text', value: ({ agentName }) => agentName },
]

/** Office Performance: the offices with their sales in both periods. */
export async function officePerformanceSheet(
  databases: TotalsDatabases,
  viewer: Viewer,
  criteria: Comparison,
): Promise<Sheet> {
  const { period1, period2 } = criteria
  const rows = await officePerformance(databases, viewer, criteria)
  const sum = (period: 'sales1' | 'sales2') => rows.reduce((all, row) => all + row[period], 0)
  return sheetOf<PerformanceRow>({
    title: 'Office Performance',
    about: [...daysOf(period1), ...daysOf(period2)],
    criteria: `Period 1: ${rangeInWords(period1)}, Period 2: ${rangeInWords(period2)}`,
    columns: [
      { header: 'Office', kind: 'text', value: ({ name }) => name },
      {
        header: `Sales ${period1.start} to ${period1.end}`,
        kind: 'count',
        value: ({ sales1 }) => sales1,
      },
      {
        header: `Sales ${period2.start} to ${period2.end}`,
        kind: 'count',
        value: ({ sales2 }) => sales2,
      },
      { header: 'Progress %', kind: 'percent', value: (row) => row.progress },
    ],
    rows,
    // A single office needs no total.
    ...(rows.length > 1 && {
      totals: ['All offices', sum('sales1'), sum('sales2'), progress(sum('sales1'), sum('sales2'))],
    }),
    viewer,
    now: databases.clock.now(),
  })
}

/** Office Performance Charts as numbers: one row per point of each chart. */
export async function officeChartsSheet(
  databases: TotalsDatabases,
  viewer: Viewer,
  criteria: ChartsCriteria,
): Promise<Sheet> {
  const charts = await officeCharts(databases, viewer, criteria)
  const byDay = criteria.groupBy === 'day'
  return sheetOf<ChartPoint>({
    title: 'Office Performance Charts',
    about: [...daysOf(criteria), byDay ? 'daily' : 'monthly'],
    criteria: `${rangeInWords(criteria)} [${byDay ? 'Daily' : 'Monthly'}]`,
    columns: [
      { header: 'Office', kind: 'text', value: ({ officeName }) => officeName },
      { header: byDay ? 'Date' : 'Month from', kind: 'day', value: ({ date }) => date },
      { header: 'Sales', kind: 'count', value: ({ value }) => value },
      { header: 'Progress %', kind: 'percent', value: (row) => row.progress },
    ],
    rows: charts.flatMap(({ officeName, items }) =>
      items.map((point) => ({ ...point, officeName })),
    ),
    viewer,
    now: databases.clock.now(),
  })
}

type ChartPoint = OfficeChart['items'][number] & Pick<OfficeChart, 'officeName'>

type SmallSheet<Row> = {
  title: string
  about: readonly string[]
  criteria: string
  columns: ColumnOf<Row>[]
  rows: readonly Row[]
  totals?: Cell[]
  viewer: Viewer
  now: Date
}

/** A sheet whose rows are all in memory. */
export const sheetOf = <Row>({
  criteria,
  viewer,
  now,
  rows,
  ...table
}: SmallSheet<Row>): Sheet => ({
  ...table,
  facts: factsOf(criteria, viewer, now),
  rows: [rows.map((row) => cellsOf(table.columns, row))],
})
