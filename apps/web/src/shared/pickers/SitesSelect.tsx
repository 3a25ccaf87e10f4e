import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, use, useState } from 'react'
import { queryOf } from '../../lib/queries.ts'
import { ManySelect } from './ManySelect.tsx'
import { nameOf, OPTIONS_STALE_MS } from './picker.ts'
import { FilterChip, Folded, WaitingChip } from '../../ui/filters/folded.tsx'
import { Select } from '../../ui/Select.tsx'

interface SitesSelectProps {
  /** Undefined means all. Empty means custom sites, of which none is chosen yet. */
  value: readonly number[] | undefined
  onChange: (siteIds: number[] | undefined) => void
  /** Shown below the custom sites. */
  error?: ReactNode
}

const ALL = 'all'
const CUSTOM = 'custom'

/** Selects all sites, one site, or several. Suspended sites are offered too. */
export function SitesSelect({ value, onChange, error }: SitesSelectProps) {
  const sites = useQuery(siteOptionsQuery)
  const [choosing, setChoosing] = useState(false)
  const isCustom = value !== undefined && (choosing || value.length !== 1)
  const options = sites.data ?? []
  const isFolded = use(Folded) !== null
  if (isFolded) {
    if (sites.isPending && value?.length) return <WaitingChip />
    const names = options.filter(({ id }) => value?.includes(id))
    const text = names.map(({ label }) => label).join(', ') || 'Choose sites'
    return value && <FilterChip text={text} error={Boolean(error)} />
  }

  return (
    <>
      <Select
        label="Site"
        w={190}
        maw="100%"
        searchable
        disabled={sites.data === undefined}
        error={sites.error?.message}
        nothingFoundMessage="Nothing found"
        data={[
          { value: ALL, label: 'All' },
          { value: CUSTOM, label: 'Custom' },
          {
            group: 'Sites',
            items: options.map(({ id, label }) => ({ value: String(id), label })),
          },
        ]}
        value={isCustom ? CUSTOM : value?.[0] === undefined ? ALL : String(value[0])}
        onChange={(chosen) => {
          setChoosing(chosen === CUSTOM)
          if (chosen === CUSTOM) onChange([...(value ?? [])])
          else onChange(chosen === null || chosen === ALL ? undefined : [Number(chosen)])
        }}
      />
      {isCustom && (
        <ManySelect
          label="Custom sites"
          none="Choose sites"
          error={error}
          options={sites.data}
          value={value}
          onChange={(chosen) => {
            setChoosing(true)
            onChange(chosen)
          }}
        />
      )}
    </>
  )
}

/** Whether the names of several chosen sites are still loading. The field's height depends on them. */
export function useAreNamesLoading(value: SitesSelectProps['value']): boolean {
  const { isLoading, failureCount } = useQuery(siteOptionsQuery)
  return value !== undefined && value.length > 1 && isLoading && failureCount === 0
}

/** All sites by name, suspended ones too. */
export const siteOptionsQuery = queryOptions({
  ...queryOf(sitesEndpoints.sites, { query: { withSuspended: '1' } }),
  staleTime: OPTIONS_STALE_MS,
  select: (items) =>
    items.map(({ id, sitename, active }) => ({
      id,
      label: nameOf(sitename, active),
    })),
})
