import { avpSchedulesEndpoints } from '@tallyroom/contract/catalogue/avp-schedules'
import type { AvpPeriod } from '@tallyroom/domain/avp'
import type { Day } from '@tallyroom/domain/new-york'
import { replaceEqualDeep, useQuery } from '@tanstack/react-query'
import { periodOf, type DateRange } from '@tallyroom/domain/periods'
import { queryOf } from '../../lib/queries.ts'
import { OPTIONS_STALE_MS } from '../../shared/pickers/picker.ts'
import { AvpSchedule } from '../../shared/AvpSchedule.tsx'

/** A typical number of tiers, to reserve space while the schedule loads. */
const USUAL: AvpPeriod[] = [0, 1, 2, 3, 4].map((index) => ({
  index,
  from: index * 1000,
  to: index * 1000,
  payoutPhp: 0,
  payoutDollars: 0,
}))

/** The pay schedules in force in the first and the last week of a range, shown once if they are the same. */
export function WeekSchedules({ start, end }: DateRange) {
  const lastWeek = periodOf(end, 'week').start
  const first = useSchedule(start)
  const last = useSchedule(lastWeek)
  const isSame = last.isPending || replaceEqualDeep(first.data, last.data) === first.data
  return (
    <>
      <Schedule
        periods={first.data}
        isPending={first.isPending}
        {...(!isSame && { week: start })}
      />
      {!isSame && <Schedule periods={last.data} isPending={false} week={lastWeek} />}
    </>
  )
}

const useSchedule = (day: Day) => {
  const { data = USUAL, isPending } = useQuery({
    ...queryOf(avpSchedulesEndpoints.avpPeriods, { query: { day } }),
    staleTime: OPTIONS_STALE_MS,
  })
  return { data, isPending }
}

interface ScheduleProps {
  periods: readonly AvpPeriod[]
  isPending: boolean
  /** Its Monday, if another week has a different schedule. */
  week?: Day
}

const Schedule = ({ periods, isPending, week }: ScheduleProps) =>
  periods.length > 0 && (
    <div style={isPending ? { visibility: 'hidden' } : undefined}>
      <AvpSchedule periods={periods} {...(week && { week })} />
    </div>
  )
