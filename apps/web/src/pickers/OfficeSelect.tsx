import { officesEndpoints } from '@tallyroom/contract/offices'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../lib/queries.ts'
import { EntitySelect } from '../ui/EntitySelect.tsx'
import { nameOf, OPTIONS_STALE_MS, type PickerProps } from './picker.ts'

interface OfficeSelectProps extends PickerProps {
  /** Leaves out suspended offices. */
  onlyAvailable?: boolean
}

export function OfficeSelect({ onlyAvailable = false, ...props }: OfficeSelectProps) {
  const offices = useQuery({
    ...queryOf(officesEndpoints.companies, {
      query: { onlyAvailable: onlyAvailable ? 'true' : 'false' },
    }),
    staleTime: OPTIONS_STALE_MS,
    select: (items) =>
      items.map(({ id, officeName, active }) => ({ id, label: nameOf(officeName, active) })),
  })
  return (
    <EntitySelect
      label="Office"
      placeholder="All offices"
      error={offices.error?.message}
      {...props}
      options={offices.data}
    />
  )
}
