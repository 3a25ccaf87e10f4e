import { Alert, Button, Group, Text, TextInput } from '@mantine/core'
import { payEndpoints, type PayPeriodItem } from '@tallyroom/contract/pay/closing/periods'
import { rateText } from '@tallyroom/contract/pay/statements/statement-sections'
import { differsMuch, MOST_RATE_PERCENT } from '@tallyroom/domain/pay-limits'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { rateBodyOf } from '../rate-body.ts'
import { toastProposed, WAITS } from '../waits.ts'
import { refreshPay } from '../refresh-pay.ts'

interface ExchangeRateFormProps {
  period: PayPeriodItem
  /** Whether closing needs the rate. */
  isNeeded: boolean
}

/** Pesos per dollar in one period, for payees in dollars and for profit. */
export function ExchangeRateForm({
  period: { name, exchangeRate, rateBefore },
  isNeeded,
}: ExchangeRateFormProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(isNeeded)
  const { form, frame } = useRecordForm({
    endpoint: payEndpoints.savePayExchangeRate,
    params: { name },
    values: { pesosE4: '', source: '' },
    bodyOf: rateBodyOf,
    onSaved: ({ proposalId }) => {
      if (proposalId === null) toastSaved()
      else toastProposed(navigate)
      form.reset()
      setIsOpen(false)
      void refreshPay(client)
    },
  })
  const typed = rateBodyOf(form.values).pesosE4
  const waits = rateBefore !== null && differsMuch(typed, rateBefore.pesosE4)
  if (!isOpen)
    return (
      <Group gap="sm" mt="sm">
        <Button variant="default" size="xs" onClick={() => setIsOpen(true)}>
          {exchangeRate ? 'Change the exchange rate' : 'Enter an exchange rate'}
        </Button>
        <Text size="sm" c="dimmed">
          {isNeeded
            ? 'Closing needs it, as payees are paid in dollars.'
            : 'Optional: only Profit uses it.'}
        </Text>
      </Group>
    )
  return (
    <form noValidate onSubmit={form.onSubmit(frame.onSubmit)}>
      <Group align="flex-start" gap="sm" mt="sm">
        <AmountInput
          label="Pesos for a dollar"
          currency="₱"
          placeholder="58.25"
          withAsterisk
          w={150}
          {...form.getInputProps('pesosE4')}
        />
        <TextInput
          label="Source"
          placeholder="Reference rate of the central bank, 16 Nov"
          withAsterisk
          maxLength={200}
          style={{ flex: '1 1 220px' }}
          {...form.getInputProps('source')}
        />
        <Button type="submit" mt={24} loading={frame.busy} disabled={!form.isValid()}>
          {waits ? 'Ask a second person' : 'Save the rate'}
        </Button>
      </Group>
      {waits && (
        <Alert color="yellow" mt="sm" title="This waits for a second person">
          It differs by more than {MOST_RATE_PERCENT} % from {rateText(rateBefore.pesosE4)} of{' '}
          {rateBefore.period}. {WAITS}
        </Alert>
      )}
    </form>
  )
}
