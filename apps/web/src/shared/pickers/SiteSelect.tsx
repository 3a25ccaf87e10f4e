import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { can } from '@tallyroom/domain/abilities'
import { skipToken, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { EntitySelect, type EntityOption } from '../../ui/EntitySelect.tsx'
import { offeredSitesQuery } from './offered-sites.ts'
import { nameOf, OPTIONS_STALE_MS, type PickerProps, withPresent } from './picker.ts'
import { useOnlyChoice } from './use-drop-unavailable.ts'

interface SiteSelectProps extends PickerProps {
  /** Offers suspended sites too. */
  withSuspended?: boolean
}

export function SiteSelect({ withSuspended = false, ...props }: SiteSelectProps) {
  const sites = useQuery({
    ...offeredSitesQuery(withSuspended),
    select: (items) =>
      items.map(({ id, sitename, active }) => ({ id, label: nameOf(sitename, active) })),
  })
  useOnlyChoice(props, sites.data)
  const { value } = props
  const isOffered = value == null || !sites.data || sites.data.some(({ id }) => id === value)
  const { present, isPending } = useUnofferedSite(isOffered ? undefined : value)
  return (
    <EntitySelect
      label="Site"
      all="All sites"
      error={sites.error?.message}
      {...props}
      options={withPresent(sites.data, present)}
      loading={isPending}
    />
  )
}

/**
 * A chosen site that selects do not offer, because it is hidden, deleted, or not for the viewer. It must be shown,
 * so that an active filter does not look like none.
 */
function useUnofferedSite(siteId: number | undefined): {
  present?: EntityOption
  isPending: boolean
} {
  const me = useMe()
  const isAsked = siteId !== undefined && can(me, 'sites.view')
  const site = useQuery({
    ...queryOf(sitesEndpoints.site, { params: { id: String(siteId) } }),
    ...(!isAsked && { queryFn: skipToken }),
    staleTime: OPTIONS_STALE_MS,
    meta: { ownErrors: true },
  })
  if (siteId === undefined) return { isPending: false }
  if (isAsked && site.isPending) return { isPending: true }
  const { sitename, active, hidden } = site.data ?? {
    sitename: `Site ${siteId}`,
    active: true,
    hidden: false,
  }
  const label = `${nameOf(sitename, active)}${hidden ? ' (Hidden)' : ''}`
  return { present: { id: siteId, label }, isPending: false }
}
