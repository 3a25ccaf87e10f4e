import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { EntitySelect } from '../../ui/EntitySelect.tsx'
import { nameOf, OPTIONS_STALE_MS, type PickerProps } from './picker.ts'
import { useDropUnavailable, useOnlyChoice } from './use-drop-unavailable.ts'

interface TypeSelectProps extends PickerProps {
  /** The site whose link types are offered. Without a site, only All is offered. */
  siteId: number | undefined
}

const NONE: never[] = []

export function TypeSelect({ siteId, ...props }: TypeSelectProps) {
  const types = useQuery({
    ...queryOf(linkTypesEndpoints.typesBySite, {
      params: { siteId: String(siteId) },
      query: { sortField: 'typename', sortAsc: 'true' },
    }),
    enabled: siteId !== undefined,
    staleTime: OPTIONS_STALE_MS,
    select: (items) =>
      items.map(({ id, typename, active }) => ({ id, label: nameOf(typename, active) })),
  })
  const options = siteId === undefined ? NONE : types.data
  useDropUnavailable(props.value, options, props.onChange)
  useOnlyChoice(props, options)
  return (
    <EntitySelect
      label="Type"
      all="All"
      error={types.error?.message}
      {...props}
      options={options}
      disabled={props.disabled ?? siteId === undefined}
    />
  )
}
