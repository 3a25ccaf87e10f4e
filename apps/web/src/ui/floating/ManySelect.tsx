import { ComboboxChevron, InputBase, type MultiSelectProps } from '@mantine/core'
import { createElement } from 'react'
import { later, useLater } from '../../lib/later.ts'

const manySelect = later(() =>
  import('./ManySelectNow.tsx').then(({ ManySelectNow }) => ManySelectNow),
)

/** The library's select of several; a field of the same size keeps its place until it is there. */
export function ManySelect(props: MultiSelectProps) {
  const drawn = useLater(manySelect, true)
  const { label, placeholder, w, maw, size = 'xs' } = props
  return drawn ? (
    createElement(drawn<string>, props)
  ) : (
    <InputBase
      label={label}
      placeholder={placeholder ?? ''}
      w={w}
      maw={maw}
      size={size}
      readOnly
      rightSection={<ComboboxChevron size={size} />}
    />
  )
}
