import { NumberInput } from '@mantine/core'
import type { PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { payFileLabels } from '@tallyroom/contract/pay/labels'
import { Select } from '../../ui/Select.tsx'

interface FormatFieldsProps {
  layout: PayFileLayout
  onChange: (next: Partial<PayFileLayout>) => void
}

/** A file’s format, with what only some formats have, and how many transfers it holds. */
export const FormatFields = ({ layout, onChange }: FormatFieldsProps) => (
  <>
    <Select
      label={payFileLabels.format}
      data={[
        { value: 'separated', label: 'Separated values' },
        { value: 'fixed', label: 'Fixed width' },
        { value: 'xlsx', label: 'Excel workbook (.xlsx)' },
        { value: 'pain.001', label: 'ISO 20022 (pain.001)' },
      ]}
      value={layout.format}
      onChange={(value) => value && onChange({ format: value })}
    />
    {layout.format === 'separated' && (
      <Select
        label={payFileLabels.separator}
        data={[
          { value: 'comma', label: 'Comma ,' },
          { value: 'semicolon', label: 'Semicolon ;' },
          { value: 'tab', label: 'Tab' },
          { value: 'pipe', label: 'Bar |' },
        ]}
        value={layout.separator}
        onChange={(value) => value && onChange({ separator: value })}
      />
    )}
    {(layout.format === 'separated' || layout.format === 'fixed') && (
      <Select
        label={payFileLabels.encoding}
        data={[
          { value: 'utf-8', label: 'UTF-8' },
          { value: 'windows-1252', label: 'Windows-1252' },
        ]}
        value={layout.encoding}
        onChange={(value) =>
          onChange({ encoding: value === 'windows-1252' ? 'windows-1252' : 'utf-8' })
        }
      />
    )}
    {layout.format !== 'pain.001' && (
      <Select
        label={payFileLabels.decimals}
        data={[
          { value: 'point', label: '1234.50' },
          { value: 'comma', label: '1234,50' },
          { value: 'none', label: '123450 (centavos)' },
        ]}
        value={layout.decimals}
        onChange={(value) => value && onChange({ decimals: value })}
      />
    )}
    <NumberInput
      size="xs"
      label={payFileLabels.mostLines}
      min={1}
      max={100_000}
      allowDecimal={false}
      value={layout.mostLines}
      onChange={(value) => onChange({ mostLines: Number(value) })}
    />
  </>
)
