import { TextInput } from '@mantine/core'
import { letterSets, type Payer } from '@tallyroom/contract/pay/files/files'
import { Select } from '../../ui/Select.tsx'
import { ANY, letterLabels } from './letter-labels.ts'
import classes from '../runs.module.css'

interface PayerFieldsProps {
  payer: Payer | null
  onChange: (payer: Payer) => void
}

/** Who pays, and which letters their bank takes. */
export function PayerFields({ payer, onChange }: PayerFieldsProps) {
  const { name, account, bic, letters } = payer ?? { name: '', account: '', bic: '' }
  const change = (next: Partial<Payer>) => onChange({ name, account, bic, letters, ...next })
  return (
    <div className={classes.row}>
      <TextInput
        label="Name of the payer"
        maxLength={70}
        value={name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Account that pays"
        maxLength={34}
        value={account}
        onChange={(event) => change({ account: event.currentTarget.value })}
      />
      <TextInput
        label="BIC of its bank"
        maxLength={11}
        value={bic}
        onChange={(event) => change({ bic: event.currentTarget.value.toUpperCase() })}
      />
      <Select
        label="Letters"
        data={[
          { value: ANY, label: 'Any' },
          ...letterSets.map((value) => ({ value, label: letterLabels[value] })),
        ]}
        value={letters ?? ANY}
        onChange={(value) => change({ letters: letterSets.find((one) => one === value) })}
      />
    </div>
  )
}
