import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { EntitySelect, type EntityOption } from '../../ui/EntitySelect.tsx'
import { nameOf, OPTIONS_STALE_MS, type PickerProps, withPresent } from './picker.ts'

interface OfficeSelectProps extends PickerProps {
  /** Leaves out suspended offices. */
  onlyAvailable?: boolean
  /** The chosen office, in case it is no longer offered because it is hidden or suspended. */
  present?: EntityOption
}

export function OfficeSelect({ onlyAvailable = false, present, ...props }: OfficeSelectProps) {
  const offices = useQuery(officeOptionsQuery({ onlyAvailable }))
  return (
    <EntitySelect
      label="Office"
      all="All offices"
      error={offices.error?.message}
      {...props}
      options={withPresent(offices.data, present)}
    />
  )
}

/** The offices by name, including suspended ones unless only available ones are requested. */
export const officeOptionsQuery = ({ onlyAvailable = false } = {}) =>
  queryOptions({
    ...queryOf(officesEndpoints.companies, {
      query: { onlyAvailable: onlyAvailable ? 'true' : 'false' },
    }),
    staleTime: OPTIONS_STALE_MS,
    select: (items) =>
      items.map(({ id, officeName, active }) => ({ id, label: nameOf(officeName, active) })),
  })
