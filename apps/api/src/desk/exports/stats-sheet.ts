import {
  overallTotals,
  type StatsFigure,
  statsFigures,
  subRowText,
  tierHeaders,
} from '@tallyroom/contract/figures/stats-figures'
import {
  groupings,
  hasTier,
  type KeyColumn,
  keyColumns,
  keyColumnsOf,
  type StatsTableName,
  statsTables,
  criteriaText,
} from '@tallyroom/contract/figures/stats-table'
import type { StatsRow } from '@tallyroom/contract/figures/statistics'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import type { Day } from '@tallyroom/domain/new-york'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { openReport, type ReportCriteria } from '../../figures/index.ts'
import { chosenIn, criteriaInWords } from './criteria-words.ts'
import { cellsOf, type ColumnOf, daysOf, factsOf, type Sheet } from '../../http/sheets/sheet.ts'

/** Rows read and written at a time: about 40 kB of text, which takes a few milliseconds. */
const PART = 500

export type StatsSheet = Sheet & { countRows: () => Promise<number> }

/**
 * A whole statistics table with the columns and totals that its page has for this viewer.
 *
 * @throws VALIDATION_ERROR in the same cases as the page.
 */
export async function statsSheet(
  tx: Tx,
  viewer: Viewer,
  name: StatsTableName,
  criteria: ReportCriteria,
  { today, now }: { today: Day; now: Date },
): Promise<StatsSheet> {
  const table = statsTables[name]
  const { groupBy } = criteria
  const report = await openReport(tx, viewer, name, criteria, today)
  const flags = await report.readOverall()
  const figures = statsFigures(table, groupBy, flags)
  const columns = [
    ...keyColumnsOf(groupBy, viewer).flatMap((key) => keyCells[key]),
    ...(hasTier(table, groupBy) ? tierColumns : []),
    ...figures.map(figureColumn),
  ]
  const totals = overallTotals(flags.overall)
  const labels = columns.length - figures.length
  const words = await criteriaInWords(tx, viewer, criteria)
  return {
    title: table.title,
    about: [
      ...daysOf(criteria),
      `by-${groupings[groupBy].label.toLowerCase()}`,
      ...chosenIn(words),
    ],
    facts: factsOf(criteriaText(words), viewer, now),
    columns,
    rows: rowsOf(report.streamRows(PART), columns),
    totals: [
      'Overall total',
      ...Array<undefined>(labels - 1).fill(undefined),
      ...figures.map(({ value }) => value(totals)),
    ],
    countRows: report.countRows,
  }
}

async function* rowsOf(parts: AsyncIterable<StatsRow[]>, columns: readonly ColumnOf<StatsRow>[]) {
  for await (const part of parts) yield part.map((row) => cellsOf(columns, row))
}

const keyCells: Record<KeyColumn, ColumnOf<StatsRow>[]> = {
  date: [{ header: keyColumns.date.header, kind: 'day', value: ({ date }) => date }],
  officeName: [
    {
      header: keyColumns.officeName.header,
      kind: 'text',
      value: ({ officeName, companyId }) => officeName || `#${companyId}`,
    },
  ],
  agent: [
    {
      header: keyColumns.agent.header,
      kind: 'text',
      value: ({ agent, agentId }) => agent || `#${agentId}`,
    },
    { header: 'Agent Name', kind: 'text', value: ({ agentFullName }) => agentFullName },
  ],
  typename: [
    {
      header: keyColumns.typename.header,
      kind: 'text',
      value: ({ typename, typeId }) => typename || `#${typeId}`,
    },
  ],
  sitename: [
    {
      header: keyColumns.sitename.header,
      kind: 'text',
      value: ({ sitename, siteId }) => sitename || `#${siteId}`,
    },
  ],
  subId: [{ header: keyColumns.subId.header, kind: 'text', value: subRowText }],
}

const tierColumns: ColumnOf<StatsRow>[] = [
  {
    header: tierHeaders.avpPeriod,
    kind: 'text',
    value: ({ avpPeriod }) => (avpPeriod ? avpSelectLabel(avpPeriod) : undefined),
  },
  {
    header: tierHeaders.agent_avp_sales_count,
    kind: 'count',
    value: ({ agent_avp_sales_count: sales }) => sales,
  },
]

const figureColumn = ({ header, kind, value }: StatsFigure): ColumnOf<StatsRow> => ({
  header: `${header}${header.endsWith(UNITS[kind]) ? '' : ` ${UNITS[kind]}`}`,
  kind: kind === 'pesos' || kind === 'dollars' ? 'money' : kind,
  value,
})

/** Cells of a file are bare numbers, so the heading names the unit. */
const UNITS: Record<StatsFigure['kind'], string> = {
  count: '',
  pesos: '₱',
  dollars: '$',
  percent: '%',
}
