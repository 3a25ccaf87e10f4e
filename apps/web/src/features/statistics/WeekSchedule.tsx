import { payrollEndpoints } from '@tallyroom/contract/payroll-statistics'
import type { AvpPeriod } from '@tallyroom/domain/avp'
import type { Day } from '@tallyroom/domain/new-york'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { OPTIONS_STALE_MS } from '../../pickers/picker.ts'
import { AvpSchedule } from '../../ui/AvpSchedule.tsx'

/** As many tiers as schedules mostly have: while they are on their way, their place is kept. */
const USUAL: AvpPeriod[] = [0, 1, 2, 3, 4].map((index) => ({
  index,
  from: index * 1000,
  to: index * 1000,
  payoutPhp: 0,
  payoutDollars: 0,
}))

/** The pay schedule in force in the week on screen; nothing before the first one. */
export function WeekSchedule({ day }: { day: Day }) {
  const { data = USUAL, isPending } = useQuery({
    ...queryOf(payrollEndpoints.avpPeriods, { query: { day } }),
    staleTime: OPTIONS_STALE_MS,
  })
  return (
    data.length > 0 && (
      <div style={isPending ? { visibility: 'hidden' } : undefined}>
        <AvpSchedule periods={data} />
      </div>
    )
  )
}
