import { Select } from '../Select.tsx'

interface ChoiceFilterProps<Value extends string> {
  label: string
  /** The first option, which does not filter: 'All types'. */
  all?: string
  options: readonly (Value | { value: Value; label: string })[]
  value: Value | undefined
  onChange: (value: Value | undefined) => void
  /** In pixels. */
  width?: number
}

const ALL = ''

/** Filters a list by one of a few values. */
export const ChoiceFilter = <Value extends string>({
  label,
  all = 'All',
  options,
  value,
  onChange,
  width = 140,
}: ChoiceFilterProps<Value>) => (
  <Select
    label={label}
    w={width}
    maw="100%"
    allowDeselect={false}
    clearable={value !== undefined}
    clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    data={[{ value: ALL, label: all }, ...options]}
    value={value ?? ALL}
    onChange={(chosen) => onChange(chosen === null || chosen === ALL ? undefined : chosen)}
  />
)
