import type { SiteStats } from '@tallyroom/contract/statistics'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { bonusRatio } from '@tallyroom/domain/ratios'
import type { ChosenSite, Visibility } from './stats-parts.ts'
import type { RowKey, StatsPage, StatsSumsRow, Sums } from './statistics.queries.ts'

export type SiteStatsParts = {
  page: StatsPage
  overall: Sums
  /** Points of the period before; undefined where they are not shown. */
  previous: { rows: readonly (RowKey & { lpp_prev: number })[]; overall: number } | undefined
  site: ChosenSite | undefined
  visibility: Visibility
}

export function presentSiteStats(parts: SiteStatsParts): SiteStats {
  const { page, overall, previous, site, visibility } = parts
  const before = new Map(previous?.rows.map((row) => [rowName(row), row.lpp_prev]))
  const types = site?.types ?? []
  return {
    page: {
      items: page.rows.map((row) => ({
        ...presentKey(row),
        ...presentSums(row, visibility),
        ...(visibility.earning && {
          earn: fromMinorUnits(row.earning_cents),
          bonusEarn: fromMinorUnits(row.bonus_earning_cents),
        }),
        ...(previous && { lppPrev: before.get(rowName(row)) ?? 0 }),
        ...typeCounts(row),
      })),
      total: page.rowCount,
    },
    overall: {
      ...presentSums(overall, visibility),
      ...(visibility.earning && {
        earning: fromMinorUnits(overall.earning_cents),
        bonusEarning: fromMinorUnits(overall.bonus_earning_cents),
      }),
      ...(previous && { lpp_prev: previous.overall }),
      ...typeCounts(overall),
    },
    earningVisible: visibility.earning,
    payoutVisible: visibility.payout,
    lppVisible: visibility.lpp,
    useApproveSale: site?.useApproveSale ?? false,
    hasBonus:
      site === undefined ||
      site.useApproveSale ||
      types.some(({ bonus }) => bonus) ||
      overall.bonus_sales !== 0,
    types: types
      .filter(({ id }) => `type_${id}` in overall)
      .map(({ id, typename, bonus }) => ({ id, typeId: id, typename, bonus })),
  }
}

const presentKey = (row: StatsSumsRow) => ({
  ...(row.day !== undefined && { date: row.day }),
  ...(row.office_id !== undefined && {
    companyId: row.office_id,
    officeName: row.office_name ?? '',
  }),
  ...(row.agent_id !== undefined && {
    agentId: row.agent_id,
    agent: row.username ?? '',
    agentFullName: row.full_name ?? '',
  }),
})

const presentSums = (sums: Sums, { payout, lpp }: Visibility) => ({
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
})

/** The counts of the link types' own columns, keyed by the type's id. */
const typeCounts = (sums: Sums): Record<`${number}`, number> =>
  Object.fromEntries(
    Object.entries(sums).flatMap(([column, count]) =>
      column.startsWith('type_') && column !== 'type_id'
        ? [[column.slice('type_'.length), count]]
        : [],
    ),
  )

/** Names a row within its page. */
const rowName = ({ day, office_id, agent_id }: RowKey): string =>
  [day, office_id, agent_id].join(' ')
