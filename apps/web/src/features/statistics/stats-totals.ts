import type { StatsTotals } from '@tallyroom/contract/stats-figures'
import type { PayoutColumn, SiteStats, StatsRow } from '@tallyroom/contract/statistics'
import { fromMinorUnits, toMinorUnits } from '@tallyroom/domain/money'
import { bonusRatio } from '@tallyroom/domain/ratios'

/** The sums of the rows on screen; 0 for amounts that the viewer does not see. */
export function pageTotals(rows: readonly StatsRow[], types: SiteStats['types']): StatsTotals {
  const sales = sum(rows.map((row) => row.sales))
  const bonusSales = sum(rows.map((row) => row.bonusSales))
  const ofTypes: Record<`${number}` | PayoutColumn, number> = Object.fromEntries(
    types.flatMap(({ id }) => [
      [id, sum(rows.map((row) => row[`${id}`]))],
      [`${id}_payout`, sumOfMoney(rows.map((row) => row[`${id}_payout`]))],
    ]),
  )
  return {
    ...ofTypes,
    raws: sum(rows.map((row) => row.raws)),
    uniques: sum(rows.map((row) => row.uniques)),
    sales,
    bonusSales,
    bonusRatio: bonusRatio(bonusSales, sales),
    lpp: sum(rows.map((row) => row.lpp)),
    lppPrev: sum(rows.map((row) => row.lppPrev)),
    earn: sumOfMoney(rows.map((row) => row.earn)),
    bonusEarn: sumOfMoney(rows.map((row) => row.bonusEarn)),
    payout: sumOfMoney(rows.map((row) => row.payout)),
    bonusPayout: sumOfMoney(rows.map((row) => row.bonusPayout)),
    avpSales: sum(rows.map((row) => row.avpSales)),
    payoutPhp: sumOfMoney(rows.map((row) => row.payoutPhp)),
    payoutDollars: sumOfMoney(rows.map((row) => row.payoutDollars)),
  }
}

const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((total, number = 0) => total + number, 0)

/** Decimal amounts are added as minor units: 0.1 + 0.2 is 0.3. */
const sumOfMoney = (amounts: readonly (number | undefined)[]): number =>
  fromMinorUnits(sum(amounts.map((amount) => toMinorUnits(amount ?? 0))))
