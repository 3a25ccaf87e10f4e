import { Loader, type ComboboxItem, type OptionsFilter } from '@mantine/core'
import type { ReactNode } from 'react'
import { Select } from './floating/Select.tsx'

export interface EntityOption {
  id: number
  label: string
}

export interface EntitySelectProps {
  label: string
  /** Undefined while loading: the select waits, disabled. */
  options: readonly EntityOption[] | undefined
  /** Undefined or null means all, or none chosen yet. */
  value: number | null | undefined
  onChange: (id: number | undefined) => void
  /** What no choice means: 'All sites', 'Choose a site'. */
  placeholder: string
  disabled?: boolean
  required?: boolean
  error?: ReactNode
  width?: number
}

const MAX_SHOWN = 100
const MORE = -1

/** One of many by name: searchable, and quick with thousands, of which it draws the first hundred that match. */
export function EntitySelect(props: EntitySelectProps) {
  const {
    label,
    options,
    value,
    onChange,
    placeholder,
    disabled,
    required,
    error,
    width = 190,
  } = props
  return (
    <Select
      label={label}
      w={width}
      maw="100%"
      data={(options ?? []).map(({ id, label: text }) => ({ value: id, label: text }))}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      placeholder={options ? placeholder : 'Loading…'}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      filter={firstMatches}
      nothingFoundMessage="Nothing found"
      disabled={disabled || options === undefined}
      {...(options === undefined && !error ? { rightSection: <Loader size={14} /> } : {})}
      withAsterisk={required ?? false}
      error={error}
      comboboxProps={{
        width: 'max-content',
        position: 'bottom-start',
        styles: { dropdown: { minWidth: width } },
      }}
    />
  )
}

const firstMatches: OptionsFilter<number> = ({ options, search }) => {
  const words = search.trim().toLowerCase()
  const items = options.filter((option): option is ComboboxItem<number> => 'value' in option)
  // Names that begin with what was typed stand before those that hold it.
  const found = items.filter(({ label }) => label.toLowerCase().includes(words))
  const ranked = words ? found.toSorted((a, b) => rank(a, words) - rank(b, words)) : found
  if (ranked.length <= MAX_SHOWN) return ranked
  const more = {
    value: MORE,
    label: `${ranked.length - MAX_SHOWN} more: type to narrow`,
    disabled: true,
  }
  return [...ranked.slice(0, MAX_SHOWN), more]
}

const rank = ({ label }: ComboboxItem<number>, words: string) =>
  label.toLowerCase().startsWith(words) ? 0 : 1
