import { Button, Modal, Stack, Text } from '@mantine/core'
import type { Candidate } from '@tallyroom/contract/pay/runs/runs'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { fromMinorUnits, toMinorUnits } from '@tallyroom/domain/money'
import type { Currency } from '@tallyroom/domain/pay'
import { useState } from 'react'
import { failureText } from '../../lib/forms/form-errors.ts'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { amountOf } from '../../ui/form/amount-of.ts'
import { ReasonForm } from '../../ui/form/ReasonForm.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { freeOfCandidate, whyNoPart } from './run-words.ts'

interface PartDialogProps {
  candidate: Candidate
  currency: Currency
  /** Null: all of the balance. Rejects for a part that can’t be paid. */
  onChoose: (part: { amount: number; reason: string } | null) => Promise<void>
  onClosed: () => void
}

/** Asks how much of a balance the run pays, and why not all of it. */
export function PartDialog({ candidate, currency, onChoose, onClosed }: PartDialogProps) {
  const { name, amount } = candidate
  const free = freeOfCandidate(candidate)
  const [opened, close] = useOpened()
  const [typed, setTyped] = useState(fromMinorUnits(amount).toFixed(2))
  const [error, setError] = useState<string>()
  const choose = async (part: Parameters<typeof onChoose>[0]) => {
    try {
      await onChoose(part)
      close()
    } catch (failure) {
      setError(failureText(failure as Error))
    }
  }
  return (
    <Modal opened={opened} onClose={close} onExitTransitionEnd={onClosed} title={`A part: ${name}`}>
      <Stack gap="sm">
        <Text size="sm">
          The rest of {moneyText(free, currency)} stays owed, and the next run can pay it. Whoever
          approves this run reads the reason.
        </Text>
        <AmountInput
          label="Amount"
          withAsterisk
          currency={currency === 'PHP' ? '₱' : '$'}
          value={typed}
          error={error}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setError(undefined)
          }}
        />
        <ReasonForm
          maxLength={300}
          confirmLabel="Pay this part"
          onConfirm={async (reason) => {
            const chosen = toMinorUnits(amountOf(typed))
            const why = whyNoPart(chosen, free, currency)
            setError(why)
            if (why === undefined && chosen !== undefined) await choose({ amount: chosen, reason })
          }}
          onKeep={close}
        />
        {amount < free && (
          <Button variant="default" onClick={() => void choose(null)}>
            Pay all of it
          </Button>
        )}
      </Stack>
    </Modal>
  )
}
