import { MultiSelect } from '@mantine/core'
import { type ReactNode, use } from 'react'
import type { EntityOption } from '../../ui/EntitySelect.tsx'
import { FilterChip, Folded, WaitingChip } from '../../ui/filters/folded.tsx'

interface ManySelectProps {
  label: string
  /** The placeholder: what no choice means, such as `All offices`, or what to choose. */
  none: string
  /** Undefined while loading, which disables the select. */
  options: readonly EntityOption[] | undefined
  value: readonly number[]
  onChange: (ids: number[]) => void
  error?: ReactNode
  /** In pixels. */
  width?: number
}

/** Selects any number of options by name. */
export function ManySelect({ label, none, options, value, onChange, ...props }: ManySelectProps) {
  const { error, width = 420 } = props
  const isFolded = use(Folded) !== null
  if (isFolded) {
    if (!options && value.length > 0 && !error) return <WaitingChip />
    const chosen = options?.filter(({ id }) => value.includes(id)) ?? []
    const text = chosen.map((option) => option.label).join(', ')
    return <FilterChip text={text || none} error={Boolean(error)} />
  }
  return (
    <MultiSelect
      label={label}
      placeholder={value.length === 0 ? none : ''}
      error={error}
      w={width}
      maw="100%"
      size="xs"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      hidePickedOptions
      nothingFoundMessage="Nothing found"
      withScrollArea={false}
      styles={{
        options: { maxHeight: 320, overflowY: 'auto' },
        // Two short names fit beside it on one line.
        inputField: { minWidth: 60 },
      }}
      disabled={options === undefined}
      data={(options ?? []).map((option) => ({ value: String(option.id), label: option.label }))}
      value={value.map(String)}
      onChange={(chosen) => onChange(chosen.map(Number))}
    />
  )
}
