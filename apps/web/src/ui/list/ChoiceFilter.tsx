import { Select } from '../floating/Select.tsx'

interface ChoiceFilterProps<Value extends string> {
  label: string
  /** What no choice means: 'All types'. */
  placeholder?: string
  options: readonly (Value | { value: Value; label: string })[]
  value: Value | undefined
  onChange: (value: Value | undefined) => void
  /** In pixels. */
  width?: number
}

/** One of a few values in a row of criteria; empty means any. */
export const ChoiceFilter = <Value extends string>({
  label,
  placeholder = 'All',
  options,
  value,
  onChange,
  width = 140,
}: ChoiceFilterProps<Value>) => (
  <Select
    label={label}
    placeholder={placeholder}
    w={width}
    maw="100%"
    clearable
    clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    data={options}
    value={value ?? null}
    onChange={(chosen) => onChange(chosen ?? undefined)}
  />
)
