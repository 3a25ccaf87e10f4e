import { paySettingsEndpoints } from '@tallyroom/contract/pay/terms/settings'
import { type AvpRule, avpRulesIn } from '@tallyroom/domain/pay'
import type { DateRange } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { queryOf } from '../../lib/queries.ts'
import { OPTIONS_STALE_MS } from '../../shared/pickers/picker.ts'
import type { StatsReport } from './stats-search.ts'
import { WithDays } from '../../ui/text/WithDays.tsx'

type PaidBy = 'rates' | 'tiers'

interface PayRuleProps {
  report: StatsReport
  range: DateRange
  /** Shown until it is set what AVP pays. */
  unsettled: ReactElement | undefined
}

/**
 * One line that says how Payroll and Payroll AVP relate in these weeks, according to the settings
 * of pay.
 */
export default function PayRule({ report, range, unsettled }: PayRuleProps) {
  const { data } = useQuery({
    ...queryOf(paySettingsEndpoints.avpRules, {}, { meta: { ownErrors: true } }),
    staleTime: OPTIONS_STALE_MS,
  })
  const [first, ...more] = data ?? []
  if (!first) return unsettled
  const paidBy: PaidBy = report.isWeekly ? 'tiers' : 'rates'
  return (
    <span>
      <WithDays>
        {range.end < first.fromDay
          ? 'Pay was not switched on yet in these days: they were settled elsewhere.'
          : avpRulesIn([first, ...more], range)
              .map(({ monday, avp }, index) =>
                index === 0
                  ? words[avp][paidBy]
                  : `From the week of ${monday}: ${words[avp][paidBy]}`,
              )
              .join(' ')}
      </WithDays>
    </span>
  )
}

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
