import { Button, Modal, Stack, Text } from '@mantine/core'
import type { PaymentRun, RunFile, RunLine } from '@tallyroom/contract/pay/runs/runs'
import type { Day } from '@tallyroom/domain/new-york'
import { dayIn } from '@tallyroom/domain/time-zones'
import { useState } from 'react'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { ReasonForm } from '../../ui/form/ReasonForm.tsx'
import { LinkText } from '../../ui/links.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { canBeRefused, payeesOfFile, refusedText, sumText } from './run-words.ts'
import { useAsked } from '../../ui/use-asked.ts'

interface RefusedFileProps {
  run: PaymentRun
  file: RunFile
  onConfirm: (refusedOn: Day, reason: string) => Promise<unknown>
}

/** That the bank refused a file: to be entered, waiting for a second person, or what can be done after it. */
export function RefusedFile({ run, file, onConfirm }: RefusedFileProps) {
  const refusing = useAsked<true>()
  const { refused, name } = file
  if (refused) {
    const what = refusedText(refused)
    const isOwed = payeesOfFile(run, name).length > 0
    return (
      <div>
        <p>
          {what}{' '}
          {refused.waits
            ? 'It waits for a second person.'
            : `It does not leave a second time.${isOwed ? ' What failed of it is owed again.' : ''}`}
        </p>
        {refused.waits ? (
          <LinkText to="/app/pay/proposals" underlined>
            See who can approve
          </LinkText>
        ) : isOwed ? (
          <LinkText to="/app/pay/runs/prepare" search={{ of: run.id, file: name }} underlined>
            Pay these again
          </LinkText>
        ) : null}
      </div>
    )
  }
  if (!canBeRefused(run, file)) return null
  const open = run.lines.filter((line) => line.file === name && line.state === 'sent')
  return (
    <div>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`The bank refused ${name}`}
        onClick={() => refusing.ask(true)}
      >
        The bank refused this file
      </Button>
      {refusing.asked && (
        <RefusedDialog
          key={refusing.key}
          run={run}
          file={file}
          open={open}
          onConfirm={onConfirm}
          onClosed={refusing.end}
        />
      )}
    </div>
  )
}

interface RefusedDialogProps extends RefusedFileProps {
  /** Its lines without a result. */
  open: readonly RunLine[]
  onClosed: () => void
}

/** Asks when and why the bank refused a file. */
function RefusedDialog({ run, file, open, onConfirm, onClosed }: RefusedDialogProps) {
  const [opened, close] = useOpened()
  const { timeZone, today } = run.bank
  const [first] = file.downloads
  const [day, setDay] = useState(today)
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={`The bank refused: ${file.name}`}
    >
      <Stack gap="sm">
        <Text size="sm">
          Only if the bank carries out nothing of it. Without the bank’s file, this waits for a
          second person: {sumText(open, run.currency)} is owed again once somebody else has approved
          it in Pay → Approvals, and can then be paid with another date, under new references. The
          payees then read the reason.
        </Text>
        <DayPicker
          label={`Day on which the bank refused it (${timeZone})`}
          value={day}
          {...(first && { min: dayIn(timeZone, new Date(first.at)) })}
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
