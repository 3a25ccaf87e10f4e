import { Modal, Stack, Text } from '@mantine/core'
import type { PaymentRun, RunLine } from '@tallyroom/contract/pay/runs/runs'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Day } from '@tallyroom/domain/new-york'
import { dayIn } from '@tallyroom/domain/time-zones'
import { useState } from 'react'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { ReasonForm } from '../../ui/form/ReasonForm.tsx'
import { useOpened } from '../../ui/use-opened.ts'

interface ReturnDialogProps {
  run: PaymentRun
  line: RunLine
  onConfirm: (returnedOn: Day, reason: string) => Promise<unknown>
  onClosed: () => void
}

/** Asks when and why a transfer that was paid came back. */
export function ReturnDialog({ run, line, onConfirm, onClosed }: ReturnDialogProps) {
  const [opened, close] = useOpened()
  const { timeZone, today } = run.bank
  const taken = run.steps.find(({ step }) => step === 'files taken')
  const [day, setDay] = useState(today)
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={`Came back: ${line.payee.name}`}
    >
      <Stack gap="sm">
        <Text size="sm">
          Without the bank’s file, this waits for a second person:{' '}
          {moneyText(line.amount, run.currency)} is owed again once somebody else has approved it in
          Pay → Approvals. The next run pays it under a new reference; {line.reference} stays marked
          as paid and come back. The payee then reads the reason.
        </Text>
        <DayPicker
          label={`Day it came back (${timeZone})`}
          value={day}
          {...(taken && { min: dayIn(timeZone, new Date(taken.at)) })}
          max={today}
          onChange={setDay}
        />
        <ReasonForm
          maxLength={300}
          confirmLabel="Ask a second person"
          onConfirm={async (reason) => {
            await onConfirm(day, reason)
            close()
          }}
          onKeep={close}
        />
      </Stack>
    </Modal>
  )
}
