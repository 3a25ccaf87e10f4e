import type { StatsGrouping, StatsTable } from '@tallyroom/contract/stats-table'
import type { SiteStats, StatsRow } from '@tallyroom/contract/statistics'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { periodOf } from '@tallyroom/domain/periods'
import { bonusRatio } from '@tallyroom/domain/ratios'
import type { AvpPay } from './avp-pay.queries.ts'
import type { AvpStep } from '../../totals/index.ts'
import type { VisibleAmounts } from '../options/index.ts'
import type { RowTiers } from './row-tiers.queries.ts'
import type { ChosenSite } from './report-question.ts'
import type { StatsSumsRow, Sums } from './report.queries.ts'
import { nameOfRow, presentKey, type RowKey } from './row-keys.ts'

/** Which columns a report has for its viewer. */
type Shape = {
  table: StatsTable
  groupBy: StatsGrouping
  visibility: VisibleAmounts
  /** The link types with columns of their own. */
  typeIds: readonly number[]
  /** The tiers that places are places in. */
  steps: readonly AvpStep[]
}

type RowParts = Shape & {
  /** Each undefined where it is not shown; a row that is not in it has nothing of it. */
  previous: readonly (RowKey & { lpp_prev: number })[] | undefined
  tiers: readonly RowTiers[] | undefined
  pay: readonly (RowKey & AvpPay)[] | undefined
}

/** The rows of a page. What a viewer may not see is left out, not zeroed. */
export function presentRows(rows: readonly StatsSumsRow[], parts: RowParts): StatsRow[] {
  const { visibility, steps, groupBy, previous, tiers, pay } = parts
  const rowName = (row: RowKey) => nameOfRow(groupBy, row)
  const previousOf = new Map(previous?.map((row) => [rowName(row), row.lpp_prev]))
  const payOf = new Map(pay?.map((row) => [rowName(row), row]))
  /** Tiers are those of the row's week, or of all weeks when the row has no day. */
  const weekName = ({ day, ...row }: RowKey) =>
    rowName({ ...row, ...(day !== undefined && { day: periodOf(day, 'week').start }) })
  const tiersOf = new Map(
    tiers?.map(({ week, ...row }) => [
      rowName({ ...row, ...(week !== undefined && { day: week }) }),
      row,
    ]),
  )
  return rows.map((row) => ({
    ...presentKey(groupBy, row),
    ...presentSums(row, parts, pay && (payOf.get(rowName(row)) ?? NO_PAY)),
    ...(visibility.earning && {
      earn: fromMinorUnits(row.earning_cents),
      bonusEarn: fromMinorUnits(row.bonus_earning_cents),
    }),
    ...(previous && { lppPrev: previousOf.get(rowName(row)) ?? 0 }),
    ...(tiers && presentTiers(tiersOf.get(weekName(row)), steps)),
  }))
}

type OverallParts = Shape & {
  site: ChosenSite | undefined
  previous: number | undefined
  pay: AvpPay | undefined
}

/** The sums of the whole result, and which columns it has. */
export function presentOverall(sums: Sums, parts: OverallParts): Omit<SiteStats, 'page'> {
  const { visibility, site, previous, pay, typeIds } = parts
  const types = site?.types ?? []
  return {
    overall: {
      ...presentSums(sums, parts, pay),
      ...(visibility.earning && {
        earning: fromMinorUnits(sums.earning_cents),
        bonusEarning: fromMinorUnits(sums.bonus_earning_cents),
      }),
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

const NO_PAY: AvpPay = { paid_centavos: 0, paid_cents: 0 }

const presentSums = (
  sums: Sums,
  { table, visibility: { payout, lpp }, typeIds }: Shape,
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

/** A row whose weeks have different tiers, or a week without a schedule, has none to show. */
function presentTiers(row: RowTiers | undefined, steps: readonly AvpStep[]) {
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
