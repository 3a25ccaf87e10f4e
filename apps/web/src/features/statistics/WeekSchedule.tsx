import { payrollEndpoints } from '@tallyroom/contract/payroll-statistics'
import type { Day } from '@tallyroom/domain/new-york'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { OPTIONS_STALE_MS } from '../../pickers/picker.ts'
import { AvpSchedule } from '../../ui/AvpSchedule.tsx'

/** The pay schedule in force in the week on screen; nothing before the first one. */
export function WeekSchedule({ day }: { day: Day }) {
  const { data = [] } = useQuery({
    ...queryOf(payrollEndpoints.avpPeriods, { query: { day } }),
    staleTime: OPTIONS_STALE_MS,
  })
  return data.length > 0 && <AvpSchedule periods={data} />
}
