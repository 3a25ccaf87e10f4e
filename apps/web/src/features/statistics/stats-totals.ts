import type { StatsTotals } from '@tallyroom/contract/stats-figures'
import type { SiteStats, StatsRow } from '@tallyroom/contract/statistics'
import {
  type PayoutColumn,
  statFigures,
  type SumName,
  sumNames,
} from '@tallyroom/contract/stats-table'
import { fromMinorUnits, toMinorUnits } from '@tallyroom/domain/money'
import { bonusRatio } from '@tallyroom/domain/ratios'

/** The sums of the rows on screen; 0 for amounts that the viewer does not see. */
export function pageTotals(rows: readonly StatsRow[], types: SiteStats['types']): StatsTotals {
  const ofTypes: Record<`${number}` | PayoutColumn, number> = Object.fromEntries(
    types.flatMap(({ id }) => [
      [id, sum(rows.map((row) => row[`${id}`]))],
      [`${id}_payout`, sumOfMoney(rows.map((row) => row[`${id}_payout`]))],
    ]),
  )
  const sums = Object.fromEntries(
    sumNames.map((name) => {
      const add = statFigures[name].kind === 'count' ? sum : sumOfMoney
      return [name, add(rows.map((row) => row[name]))]
    }),
  ) as Record<SumName, number> // of all their names
  return { ...ofTypes, ...sums, bonusRatio: bonusRatio(sums.bonusSales, sums.sales) }
}

const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((total, number = 0) => total + number, 0)

/** Decimal amounts are added as minor units: 0.1 + 0.2 is 0.3. */
const sumOfMoney = (amounts: readonly (number | undefined)[]): number =>
  fromMinorUnits(sum(amounts.map((amount) => toMinorUnits(amount ?? 0))))
