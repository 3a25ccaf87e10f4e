import { sitesEndpoints } from '@tallyroom/contract/sites'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../lib/queries.ts'
import { EntitySelect } from '../ui/EntitySelect.tsx'
import { nameOf, OPTIONS_STALE_MS, type PickerProps } from './picker.ts'

interface SiteSelectProps extends PickerProps {
  /** Offers suspended sites too. */
  withSuspended?: boolean
}

export function SiteSelect({ withSuspended = false, ...props }: SiteSelectProps) {
  const sites = useQuery({
    ...queryOf(sitesEndpoints.sites, { query: { withSuspended: withSuspended ? '1' : '0' } }),
    staleTime: OPTIONS_STALE_MS,
    select: (items) =>
      items.map(({ id, sitename, active }) => ({ id, label: nameOf(sitename, active) })),
  })
  return (
    <EntitySelect
      label="Site"
      placeholder="All sites"
      error={sites.error?.message}
      {...props}
      options={sites.data}
    />
  )
}
