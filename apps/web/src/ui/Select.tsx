import {
  getOptionsLockup,
  getParsedComboboxData,
  Select as LibrarySelect,
  type SelectProps,
} from '@mantine/core'

/** The library's select, with a tooltip for text that is too long for the field. */
export function Select<V extends string | number = string>(props: SelectProps<V>) {
  const { data, value, defaultValue } = props
  const chosen = value ?? defaultValue ?? null
  const option =
    chosen === null ? undefined : getOptionsLockup(getParsedComboboxData(data))[`${chosen}`]
  return <LibrarySelect title={option?.label} {...props} />
}
