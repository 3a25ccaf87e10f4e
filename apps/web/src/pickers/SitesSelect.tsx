import { MultiSelect } from '@mantine/core'
import { sitesEndpoints } from '@tallyroom/contract/sites'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, use, useState } from 'react'
import { queryOf } from '../lib/queries.ts'
import { nameOf, OPTIONS_STALE_MS } from './picker.ts'
import { FilterChip, Folded } from '../ui/list/folded.tsx'
import { Select } from '../ui/Select.tsx'

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
  const sites = useQuery(optionsQuery)
  const [choosing, setChoosing] = useState(false)
  const isCustom = value !== undefined && (choosing || value.length !== 1)
  const options = sites.data ?? []
  const isFolded = use(Folded) !== null
  if (isFolded) {
    const names = options.filter((option) => value?.includes(Number(option.value)))
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
        allowDeselect={false}
        disabled={sites.data === undefined}
        error={sites.error?.message}
        nothingFoundMessage="Nothing found"
        data={[
          { value: ALL, label: 'All' },
          { value: CUSTOM, label: 'Custom' },
          { group: 'Sites', items: options },
        ]}
        value={isCustom ? CUSTOM : value?.[0] === undefined ? ALL : String(value[0])}
        onChange={(chosen) => {
          setChoosing(chosen === CUSTOM)
          if (chosen === CUSTOM) onChange([...(value ?? [])])
          else onChange(chosen === null || chosen === ALL ? undefined : [Number(chosen)])
        }}
      />
      {isCustom && (
        <MultiSelect
          label="Custom sites"
          placeholder={value.length === 0 ? 'Choose sites' : ''}
          error={error}
          w={420}
          maw="100%"
          size="xs"
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear custom sites' }}
          hidePickedOptions
          nothingFoundMessage="Nothing found"
          withScrollArea={false}
          styles={{ options: { maxHeight: 320, overflowY: 'auto' } }}
          data={options}
          value={value.map(String)}
          onChange={(chosen) => {
            setChoosing(true)
            onChange(chosen.map(Number))
          }}
        />
      )}
    </>
  )
}

/** Whether the names of several chosen sites are still loading. The field's height depends on them. */
export function useAreNamesLoading(value: SitesSelectProps['value']): boolean {
  const { isLoading, failureCount } = useQuery(optionsQuery)
  return value !== undefined && value.length > 1 && isLoading && failureCount === 0
}

const optionsQuery = queryOptions({
  ...queryOf(sitesEndpoints.sites, { query: { withSuspended: '1' } }),
  staleTime: OPTIONS_STALE_MS,
  select: (items) =>
    items.map(({ id, sitename, active }) => ({
      value: String(id),
      label: nameOf(sitename, active),
    })),
})
