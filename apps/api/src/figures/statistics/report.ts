import type { SiteStats, StatsRow } from '@tallyroom/contract/figures/statistics'
import type { StatsTableName } from '@tallyroom/contract/figures/stats-table'
import { fromMinorUnits } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { bonusRatio } from '@tallyroom/domain/ratios'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { type AvpStep, readTotals, type TotalsDatabases } from '../../totals/index.ts'
import {
  type AvpPay,
  findJoinedRows,
  type JoinedRows,
  NO_PAY,
  type RowTiers,
} from './joined-columns.queries.ts'
import { type PaidSums, readComparison } from './comparison.ts'
import { questionOf, reachOf, type ReportCriteria } from './report-criteria.ts'
import { keyText, presentKey, type ReportQuestion, type RowKey } from './report-question.queries.ts'
import {
  countRows,
  findRows,
  findWhole,
  type ReportRow,
  streamRows,
  type Sums,
  type WholeResult,
} from './report.queries.ts'

/** One page of a report's rows and the sums of its whole result. */
export const statsReport = (
  databases: TotalsDatabases,
  viewer: Viewer,
  name: StatsTableName,
  criteria: ReportCriteria,
): Promise<SiteStats> =>
  readTotals(
    databases,
    async (tx, today) => {
      const report = await openReport(tx, viewer, name, criteria, today)
      const { page, pageSize } = criteria
      return {
        ...(await report.readPage({ offset: (page - 1) * pageSize, limit: pageSize })),
        ...(await report.readComparison()),
      }
    },
    reachOf(viewer, name, criteria),
  )

/** A report that is read within the transaction that opened it, and so within its snapshot. */
export type OpenReport = {
  /** Rows in the requested order from an offset on, how many there are in all, and what `readOverall` reads. */
  readPage(part: { offset: number; limit: number }): Promise<Omit<SiteStats, 'compared' | 'points'>>
  /** All rows in the requested order, in parts of `size`, of which only one is in memory. */
  streamRows(size: number): AsyncGenerator<StatsRow[]>
  countRows(): Promise<number>
  /** The sums of the whole result, and which columns it has. */
  readOverall(): Promise<Omit<SiteStats, 'page' | 'compared' | 'points'>>
  /** The compared period and the points of a chart, if the criteria ask for them. */
  readComparison(): Promise<Pick<SiteStats, 'compared' | 'points'>>
}

/**
 * Checks the criteria against what the viewer may see. Ignores the criteria's page and comparison: the screen reads
 * one page, an export reads everything.
 *
 * @throws VALIDATION_ERROR for a view, column, tier or site that the viewer may not choose.
 */
export async function openReport(
  tx: Tx,
  viewer: Viewer,
  name: StatsTableName,
  criteria: ReportCriteria,
  today: Day,
): Promise<OpenReport> {
  const scope = scopeOf(viewer)
  const question = await questionOf(tx, viewer, name, criteria, today)
  const completed = async (rows: ReportRow[]): Promise<StatsRow[]> =>
    presentRows(rows, question, await findJoinedRows(tx, scope, question, rows))
  const readOverall = async (whole?: WholeResult) =>
    presentOverall(whole ?? (await findWhole(tx, scope, question)), question)
  return {
    async readPage(part) {
      const { rows, rowCount, whole } = await findRows(tx, scope, question, part)
      return {
        page: { items: await completed(rows), total: rowCount },
        ...(await readOverall(whole)),
      }
    },
    async *streamRows(size) {
      for await (const rows of streamRows(tx, scope, question, size)) yield await completed(rows)
    },
    countRows: () => countRows(tx, scope, question),
    readOverall: () => readOverall(),
    async readComparison() {
      return presentComparison(await readComparison(tx, scope, question, criteria), question)
    },
  }
}

/**
 * The rows of a page, as the answer has them. What a viewer may not see is left out, not zeroed.
 */
function presentRows(
  rows: readonly ReportRow[],
  question: ReportQuestion,
  { previous, tiers, pay }: JoinedRows,
): StatsRow[] {
  const { visibility, steps, groupBy } = question
  const nameOf = (row: RowKey) => keyText(groupBy, row)
  const previousOf = new Map(previous?.map((row) => [nameOf(row), row.lpp_prev]))
  const payOf = new Map(pay?.map((row) => [nameOf(row), row]))
  /** A row about a day has the tier of that week; a row without a day, that of all weeks. */
  const weekOf = ({ day, ...row }: RowKey) =>
    nameOf({ ...row, ...(day !== undefined && { day: periodOf(day, 'week').start }) })
  const tiersOf = new Map(
    tiers?.map(({ week, ...row }) => [
      nameOf({ ...row, ...(week !== undefined && { day: week }) }),
      row,
    ]),
  )
  return rows.map((row) => ({
    ...presentKey(groupBy, row),
    ...presentSums(row, question, pay && (payOf.get(nameOf(row)) ?? NO_PAY)),
    ...(visibility.earning && {
      earn: fromMinorUnits(row.earning_cents),
      bonusEarn: fromMinorUnits(row.bonus_earning_cents),
    }),
    ...(previous && { lppPrev: previousOf.get(nameOf(row)) ?? 0 }),
    ...(tiers && presentTiers(tiersOf.get(weekOf(row)), steps)),
  }))
}

/** The sums of the whole result, as the answer has them, and which columns it has. */
function presentOverall(
  { sums, previous, pay }: WholeResult,
  question: ReportQuestion,
): Omit<SiteStats, 'page' | 'compared' | 'points'> {
  const { visibility, site, typeIds } = question
  const types = site?.types ?? []
  return {
    overall: {
      ...presentTotals(sums, question, pay),
      ...(previous !== undefined && { lpp_prev: previous }),
    },
    earningVisible: visibility.earning,
    payoutVisible: visibility.payout,
    lppVisible: visibility.lpp,
    useApproveSale: site?.useApproveSale ?? false,
    hasBonus:
      site === undefined ||
      site.useApproveSale ||
      types.some(({ bonus }) => bonus) ||
      sums.bonus_sales !== 0,
    types: types
      .filter(({ id }) => typeIds.includes(id))
      .map(({ id, typename, bonus }) => ({ id, typeId: id, typename, bonus })),
  }
}

function presentComparison(
  { compared, points }: Awaited<ReturnType<typeof readComparison>>,
  question: ReportQuestion,
): Pick<SiteStats, 'compared' | 'points'> {
  const present = ({ sums, pay }: PaidSums) => presentTotals(sums, question, pay)
  return {
    ...(compared && { compared: { ...compared, overall: present(compared.overall) } }),
    ...(points && {
      points: {
        ...points,
        items: points.items.map(({ now, before, ...days }) => ({
          ...days,
          ...(now && { now: present(now) }),
          ...(before && { before: present(before) }),
        })),
      },
    }),
  }
}

/** Sums as rows and totals have them. What the viewer may not see is left out, not zeroed. */
const presentSums = (
  sums: Sums,
  { table, visibility: { payout, lpp }, typeIds }: ReportQuestion,
  pay: AvpPay | undefined,
) => ({
  raws: sums.raws,
  uniques: sums.uniques,
  sales: sums.sales,
  bonusSales: sums.bonus_sales,
  bonusRatio: bonusRatio(sums.bonus_sales, sums.sales),
  ...(payout && {
    payout: fromMinorUnits(sums.payout_centavos),
    bonusPayout: fromMinorUnits(sums.bonus_payout_centavos),
  }),
  ...(lpp && { lpp: sums.lpp }),
  ...(table.isWeekly && { avpSales: sums.avp_sales }),
  ...(pay && {
    payoutPhp: fromMinorUnits(pay.paid_centavos),
    payoutDollars: fromMinorUnits(pay.paid_cents),
  }),
  ...Object.fromEntries(typeIds.map((id) => [`${id}` as const, sums[`type_${id}`] ?? 0])),
  ...(table.pays !== undefined &&
    Object.fromEntries(
      typeIds.map((id) => {
        const centavos = pay ? pay[`paid_${id}`] : sums[`payout_${id}`]
        return [`${id}_payout` as const, fromMinorUnits(centavos ?? 0)]
      }),
    )),
})

/** The sums for totals, where amounts of earnings have different names. */
const presentTotals = (
  sums: Sums,
  question: ReportQuestion,
  pay: AvpPay | undefined,
): SiteStats['overall'] => ({
  ...presentSums(sums, question, pay),
  ...(question.visibility.earning && {
    earning: fromMinorUnits(sums.earning_cents),
    bonusEarning: fromMinorUnits(sums.bonus_earning_cents),
  }),
})

/** A row has no tier if its weeks have different ones, or if no schedule was in force. */
function presentTiers(row: Omit<RowTiers, 'week'> | undefined, steps: readonly AvpStep[]) {
  const tiers = (row?.places ?? []).map((place) => (place === null ? undefined : steps[place - 1]))
  const [first] = tiers
  const isSame = tiers.every(
    (tier) => tier?.index === first?.index && tier?.from === first?.from && tier?.to === first?.to,
  )
  return {
    avpPeriod: first && isSame ? { index: first.index, from: first.from, to: first.to } : null,
    agent_avp_sales_count: row?.week_sales ?? 0,
  }
}
