import type { SiteStats } from '@tallyroom/contract/statistics'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { bonusRatio } from '@tallyroom/domain/ratios'
import type { AvpPay } from './tier-pay.queries.ts'
import type { ReportQuestion } from './report-question.queries.ts'
import type { Sums } from './report.queries.ts'

/** What tiers pay for a row without AVP sales. */
export const NO_PAY: AvpPay = { paid_centavos: 0, paid_cents: 0 }

/** Sums as rows and totals have them. What the viewer may not see is left out, not zeroed. */
export const presentSums = (
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
export const presentTotals = (
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
