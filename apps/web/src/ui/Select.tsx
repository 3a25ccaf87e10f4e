import {
  getOptionsLockup,
  getParsedComboboxData,
  Select as LibrarySelect,
  type SelectProps,
} from '@mantine/core'

/** The library's select. A field cuts what is wider than itself: pointing at it shows all of it. */
export function Select<V extends string | number = string>(props: SelectProps<V>) {
  const { data, value, defaultValue } = props
  const chosen = value ?? defaultValue ?? null
  const option =
    chosen === null ? undefined : getOptionsLockup(getParsedComboboxData(data))[`${chosen}`]
  return <LibrarySelect title={option?.label} {...props} />
}
