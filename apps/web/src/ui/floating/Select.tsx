import {
  ComboboxChevron,
  ComboboxClearButton,
  getOptionsLockup,
  getParsedComboboxData,
  InputBase,
  useProps,
  type SelectProps,
} from '@mantine/core'
import { createElement, useEffect, useState } from 'react'
import { later, useLater } from '../../lib/later.ts'

type Value = string | number

const select = later(() => import('./SelectNow.tsx').then(({ SelectNow }) => SelectNow))

/**
 * The library's select, whose list and what places it come when the first page is painted. Until then a field
 * of the same look stands for it; whoever is quicker than that finds it open where they asked for it.
 */
export function Select<V extends Value = string>(props: SelectProps<V>) {
  const [asked, setAsked] = useState<'focus' | 'open'>()
  const drawn = useLater(select, asked !== undefined)
  const isDrawnOpen = drawn !== undefined && asked === 'open'
  const [, drawAgain] = useState(false)
  // A field that begins open names its list only when it is drawn once more: the list comes after it.
  useEffect(() => {
    if (!isDrawnOpen) return undefined
    const timer = setTimeout(() => drawAgain(true))
    return () => clearTimeout(timer)
  }, [isDrawnOpen])
  return drawn ? (
    createElement(drawn<V>, {
      title: chosenLabel(props),
      ...props,
      ...(asked && { autoFocus: true }),
      ...(asked === 'open' && { defaultDropdownOpened: true }),
    })
  ) : (
    <SelectToBe props={props} onAsk={setAsked} />
  )
}

/** A field cuts what is wider than itself: pointing at it shows all of it. */
function chosenLabel<V extends Value>({ data, value, defaultValue }: SelectProps<V>) {
  const chosen = value ?? defaultValue ?? null
  return chosen === null
    ? undefined
    : getOptionsLockup(getParsedComboboxData(data))[`${chosen}`]?.label
}

/** What the library says of a select that has no list yet. */
const closed = { role: 'combobox', 'aria-haspopup': 'listbox', 'aria-expanded': false } as const

interface SelectToBeProps<V extends Value> {
  props: SelectProps<V>
  onAsk: (asked: 'focus' | 'open' | undefined) => void
}

function SelectToBe<V extends Value>({ props, onAsk }: SelectToBeProps<V>) {
  const {
    data: _data,
    value,
    defaultValue,
    onChange,
    searchable,
    clearable,
    clearButtonProps,
    nothingFoundMessage: _message,
    allowDeselect: _allowDeselect,
    filter: _filter,
    comboboxProps: _comboboxProps,
    withScrollArea: _withScrollArea,
    styles: _styles,
    ...field
  } = useProps('Select', null, props)
  const chosen = value ?? defaultValue ?? null
  return (
    <InputBase
      {...field}
      __staticSelector="Select"
      __defaultRightSection={<ComboboxChevron size={field.size ?? 'xs'} error={field.error} />}
      __clearSection={
        <ComboboxClearButton {...clearButtonProps} onClear={() => onChange?.(null, null)} />
      }
      __clearable={clearable === true && chosen !== null && !field.disabled}
      rightSectionPointerEvents="none"
      pointer={!searchable}
      {...closed}
      autoComplete="off"
      readOnly
      value={chosenLabel(props) ?? ''}
      onFocus={() => onAsk('focus')}
      onClick={() => onAsk('open')}
      onBlur={() => onAsk(undefined)}
    />
  )
}
