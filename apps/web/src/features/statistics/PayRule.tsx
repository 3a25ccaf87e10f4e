import { payEndpoints } from '@tallyroom/contract/pay'
import { type AvpRule, avpRulesIn } from '@tallyroom/domain/pay'
import type { DateRange } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { OPTIONS_STALE_MS } from '../../pickers/picker.ts'
import type { StatsReport } from './stats-search.ts'

type PaidBy = 'rates' | 'tiers'

/** One line that says how Payroll and Payroll AVP relate in these weeks, by the settings of pay. */
export default function PayRule({ report, range }: { report: StatsReport; range: DateRange }) {
  const { data } = useQuery({
    ...queryOf(payEndpoints.avpRules, {}, { meta: { ownErrors: true } }),
    staleTime: OPTIONS_STALE_MS,
  })
  const paidBy: PaidBy = report.isWeekly ? 'tiers' : 'rates'
  const text = data && ruleText(data, range, paidBy)
  return text ? <span style={{ flexBasis: '100%' }}>{text}</span> : null
}

function ruleText(
  [first, ...more]: readonly { fromDay: string; avp: AvpRule }[],
  range: DateRange,
  paidBy: PaidBy,
): string | undefined {
  if (!first) return paidBy === 'tiers' ? UNSETTLED : undefined
  // What is older than pay was settled elsewhere.
  if (range.end < first.fromDay) return undefined
  return avpRulesIn([first, ...more], range)
    .map(({ monday, avp }, index) =>
      index === 0 ? words[avp][paidBy] : `From the week of ${monday}: ${words[avp][paidBy]}`,
    )
    .join(' ')
}

const UNSETTLED =
  'For information: nobody has chosen yet whether tiers pay instead of rates or on top of them.'

const words: Record<AvpRule, Record<PaidBy, string>> = {
  instead: {
    rates:
      'Sales of AVP sites are paid by their week’s tier, as Payroll AVP shows, and not by these rates. All others are paid by rate.',
    tiers: 'Tiers are paid instead of rates: Payroll does not pay these sales again.',
  },
  'on-top': {
    rates: 'All sales are paid by these rates, and those of AVP sites by tier on top.',
    tiers: 'Tiers are paid on top of the rates in Payroll.',
  },
  information: {
    rates: 'All sales are paid by these rates. Payroll AVP is for information only.',
    tiers: 'For information only: these sales are paid by their rates.',
  },
}
