import { SegmentedControl, TextInput } from '@mantine/core'
import { payeeAccountsEndpoints } from '@tallyroom/contract/pay/accounts/payee-accounts'
import {
  detailLabels,
  type EnteredDetail,
  wantedFor,
} from '@tallyroom/contract/pay/accounts/payee-details'
import { INSTITUTIONS } from '@tallyroom/domain/institutions'
import { CURRENCIES, type Currency } from '@tallyroom/domain/pay'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { Select } from '../../ui/Select.tsx'
import { toastSaved } from '../../ui/toasts.tsx'
import { refreshAccounts } from './payee-accounts.api.ts'

type Values = {
  channel: 'bank' | 'wallet'
  institution: string
  number: string
  accountName: string
  currency: Currency
} & Record<EnteredDetail, string>

const noValues: Values = {
  channel: 'bank',
  institution: '',
  number: '',
  accountName: '',
  currency: 'PHP',
  address: '',
  city: '',
  postcode: '',
  mobile: '',
  taxNumber: '',
}

interface AccountFormProps {
  /** What a bank wants to know of payees. */
  wanted: readonly EnteredDetail[]
  isFirst: boolean
  onDone: () => void
  onCancel?: () => void
}

/** Any other bank is entered by its code. */
const OTHER = 'other'

/** A bank account or e-wallet. The number is never shown again. */
export function AccountForm({ wanted, isFirst, onDone, onCancel }: AccountFormProps) {
  const client = useQueryClient()
  const [isOther, setOther] = useState(false)
  const { form, frame } = useRecordForm({
    endpoint: payeeAccountsEndpoints.enterPayeeAccount,
    values: noValues,
    bodyOf,
    onSaved: () => {
      toastSaved()
      void refreshAccounts(client)
      onDone()
    },
    ...(onCancel && { onCancel }),
  })
  const { channel, institution } = form.values
  const isBank = channel === 'bank'
  return (
    <FormFrame {...frame} narrow submitLabel={isFirst ? 'Save account' : 'Save new account'}>
      <SegmentedControl
        aria-label="Kind of account"
        data={[
          { value: 'bank', label: 'Bank account' },
          { value: 'wallet', label: 'E-wallet' },
        ]}
        value={channel}
        onChange={(next) => {
          setOther(false)
          form.setValues({
            channel: next === 'wallet' ? 'wallet' : 'bank',
            institution: '',
            ...(next === 'wallet' && { currency: 'PHP' as const }),
          })
        }}
      />
      <Select
        label={isBank ? 'Bank' : 'E-wallet'}
        withAsterisk
        allowDeselect
        searchable
        data={[
          ...INSTITUTIONS.filter(({ kind }) => kind === channel).map(({ code, name }) => ({
            value: code,
            label: name,
          })),
          ...(isBank ? [{ value: OTHER, label: 'Another bank' }] : []),
        ]}
        value={isOther ? OTHER : institution || null}
        onChange={(code) => {
          setOther(code === OTHER)
          form.setFieldValue('institution', code === OTHER || code === null ? '' : code)
        }}
        {...(!isOther && { error: form.errors['institution'] })}
      />
      {isOther && (
        <TextInput
          label="Bank’s code (BIC)"
          description="8 or 11 characters, such as BOPIPHMM. Your bank tells you."
          withAsterisk
          maxLength={11}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...form.getInputProps('institution')}
        />
      )}
      <TextInput
        label={isBank ? 'Account number' : 'Mobile number'}
        withAsterisk
        maxLength={34}
        inputMode={isBank ? 'numeric' : 'tel'}
        autoComplete="off"
        {...form.getInputProps('number')}
      />
      <TextInput
        label="Account name"
        description="As your bank or e-wallet has it"
        withAsterisk
        maxLength={70}
        autoComplete="off"
        {...form.getInputProps('accountName')}
      />
      {wantedFor(wanted, channel).map((detail) => (
        <TextInput
          key={detail}
          label={detailLabels[detail]}
          withAsterisk
          maxLength={140}
          autoComplete="off"
          {...form.getInputProps(detail)}
        />
      ))}
      {isBank && (
        <Select
          label="Currency"
          withAsterisk
          data={CURRENCIES.map((value) => ({
            value,
            label: value === 'PHP' ? 'Philippine pesos (₱)' : 'US dollars ($)',
          }))}
          {...form.getInputProps('currency')}
        />
      )}
    </FormFrame>
  )
}

const bodyOf = (values: Values) => ({
  ...values,
  institution: values.institution.trim().toUpperCase(),
})
