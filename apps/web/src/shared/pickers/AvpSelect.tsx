import { avpSchedulesEndpoints } from '@tallyroom/contract/catalogue/avp-schedules'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import type { Day } from '@tallyroom/domain/new-york'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { EntitySelect } from '../../ui/EntitySelect.tsx'
import { OPTIONS_STALE_MS, type PickerProps } from './picker.ts'
import { useDropUnavailable } from './use-drop-unavailable.ts'

interface AvpSelectProps extends PickerProps {
  /** Any day of the week whose tiers are offered. */
  day: Day | undefined
}

/** The AVP tiers in force in a week, or all sales. */
export function AvpSelect({ day, ...props }: AvpSelectProps) {
  const tiers = useQuery({
    ...queryOf(avpSchedulesEndpoints.avpPeriods, { query: { day } }),
    staleTime: OPTIONS_STALE_MS,
    select: (periods) =>
      periods.map((period) => ({ id: period.index, label: avpSelectLabel(period) })),
  })
  useDropUnavailable(props.value, tiers.data, props.onChange)
  return (
    <EntitySelect
      label="AVP"
      all="All sales (A.V.P. Agent Volume Pay)"
      error={tiers.error?.message}
      {...props}
      options={tiers.data}
    />
  )
}
