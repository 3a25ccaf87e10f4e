import { type ComboboxItem, type OptionsFilter } from '@mantine/core'
import type { ReactNode, SyntheticEvent } from 'react'
import { Select } from './Select.tsx'

export interface EntityOption {
  id: number
  label: string
}

export interface EntitySelectProps {
  label: string
  /** Undefined while loading, which disables the select. */
  options: readonly EntityOption[] | undefined
  /** Undefined or null means all, or none chosen yet. */
  value: number | null | undefined
  onChange: (id: number | undefined) => void
  /** The first option, which does not filter: 'All sites'. Not offered if there is a placeholder. */
  all?: string
  /** Asks for a choice: 'Choose a site'. */
  placeholder?: string
  disabled?: boolean
  /** Whether the name of the chosen one is asked for. */
  loading?: boolean
  required?: boolean
  error?: ReactNode
  width?: number
}

const MAX_SHOWN = 100
const MORE = -1
const ALL = -2

/** A searchable select. Stays fast with thousands of options, because it renders only the first hundred matches. */
export function EntitySelect(props: EntitySelectProps) {
  const { label, options, value, onChange, disabled, required, error, width = 190 } = props
  const { placeholder, loading = false } = props
  const all = placeholder === undefined ? (props.all ?? 'All') : undefined
  const shown = options?.find(({ id }) => id === value)?.label ?? all
  // Select the text, so that typing replaces it.
  const selectName = ({ currentTarget: input }: SyntheticEvent<HTMLInputElement>) => {
    if (input.value === shown) input.select()
  }
  return (
    <Select
      label={label}
      w={width}
      maw="100%"
      data={[
        ...(all === undefined ? [] : [{ value: ALL, label: all }]),
        ...(options ?? []).map(({ id, label: text }) => ({ value: id, label: text })),
      ]}
      value={value ?? (all === undefined || !options ? null : ALL)}
      onChange={(id) => onChange(id === null || id === ALL ? undefined : id)}
      placeholder={options ? placeholder : 'Loading…'}
      searchable
      allowDeselect={all === undefined}
      clearable={value != null}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      onFocus={selectName}
      onClick={selectName}
      filter={firstMatches}
      nothingFoundMessage="Nothing found"
      disabled={disabled || options === undefined}
      loading={loading || (options === undefined && !error)}
      withAsterisk={required ?? false}
      error={error}
      comboboxProps={{
        width: 'max-content',
        position: 'bottom-start',
        styles: { dropdown: { minWidth: width, maxWidth: 'min(560px, calc(100vw - 16px))' } },
      }}
    />
  )
}

const firstMatches: OptionsFilter<number> = ({ options, search }) => {
  const words = search.trim().toLowerCase()
  const items = options.filter((option): option is ComboboxItem<number> => 'value' in option)
  // Names that begin with the search come before those that merely contain it.
  const found = items.filter(({ label }) => label.toLowerCase().includes(words))
  const ranked = words ? found.toSorted((a, b) => rank(a, words) - rank(b, words)) : found
  if (ranked.length <= MAX_SHOWN) return ranked
  const more = {
    value: MORE,
    label: `${ranked.length - MAX_SHOWN} more: type to narrow the list`,
    disabled: true,
  }
  return [...ranked.slice(0, MAX_SHOWN), more]
}

const rank = ({ label }: ComboboxItem<number>, words: string) =>
  label.toLowerCase().startsWith(words) ? 0 : 1
