import { NumberInput } from '@mantine/core'
import type { FileFormat, PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { Select } from '../../ui/Select.tsx'

type Widths = Pick<PayFileLayout['firstLine'][number], 'width' | 'align' | 'fill'>

interface WidthFieldsProps {
  /** Such as *column 2*. */
  of: string
  format: FileFormat
  value: Widths
  onChange: (value: Widths) => void
  /** Nothing without a label. */
  labelled: (label: string) => { label?: string } | false
}

/** How wide a column of fixed width is, and what fills it; nothing in another format. */
export function WidthFields({ of, format, value, onChange, labelled }: WidthFieldsProps) {
  if (format !== 'fixed') return null
  const { width, align = 'left', fill = 'space' } = value
  return (
    <>
      <NumberInput
        size="xs"
        {...labelled('Width')}
        aria-label={`Width of ${of}`}
        placeholder="Characters"
        min={1}
        max={200}
        allowDecimal={false}
        value={width ?? ''}
        onChange={(next) => onChange({ width: next === '' ? undefined : Number(next) })}
      />
      <Select
        {...labelled('Filled')}
        aria-label={`Filling of ${of}`}
        data={[
          { value: 'left space', label: 'Spaces after it' },
          { value: 'right space', label: 'Spaces before it' },
          { value: 'right zero', label: 'Zeros before it' },
        ]}
        value={`${align} ${fill}`}
        onChange={(next) =>
          onChange({
            align: next === 'left space' ? 'left' : 'right',
            fill: next === 'right zero' ? 'zero' : 'space',
          })
        }
      />
    </>
  )
}
