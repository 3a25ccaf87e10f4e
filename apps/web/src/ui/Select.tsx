import {
  getOptionsLockup,
  getParsedComboboxData,
  Select as LibrarySelect,
  type SelectProps,
} from '@mantine/core'
import { use } from 'react'
import { FilterChip, Folded, WaitingChip } from './filters/folded.tsx'

/**
 * The library's select, with a tooltip for text that is too long for the field. Choosing what is chosen already clears it
 * only if it is `clearable`. Among folded filters, a chip.
 */
export function Select<V extends string | number = string>(props: SelectProps<V>) {
  const { data, value, defaultValue, error } = props
  const label = typeof props.label === 'string' ? props.label : ''
  const isFolded = use(Folded) !== null
  const chosen = value ?? defaultValue ?? null
  const option =
    chosen === null ? undefined : getOptionsLockup(getParsedComboboxData(data))[`${chosen}`]
  if (!isFolded) {
    // 'All sites' needs no label beside it, in a line of chips.
    const text = (option?.label ?? props.placeholder ?? '').toLowerCase().replaceAll('.', '')
    const words = label.toLowerCase().split(' ')
    const namesItself = words.some((word) => text.includes(word))
    return (
      <LibrarySelect
        title={option?.label}
        allowDeselect={props.clearable ?? false}
        {...(namesItself && { labelProps: { 'data-named': true } })}
        {...props}
      />
    )
  }
  // Filters can be cleared. Required choices can't.
  const isSet = props.clearable === true && option !== undefined
  const asks = chosen === null && (props.withAsterisk === true || Boolean(error))
  if (!isSet && props.loading === true && chosen !== null) return <WaitingChip />
  if (!isSet && !asks) return null
  return (
    <FilterChip
      text={isSet ? `${label}: ${option.label}` : (props.placeholder ?? label)}
      error={Boolean(error)}
    />
  )
}
