import { Modal, Stack, TextInput } from '@mantine/core'
import { rangeInWords } from '@tallyroom/domain/periods'
import { daysOfQuarter } from '@tallyroom/domain/quarters'
import { isRevenueDistrict } from '@tallyroom/domain/tax-number'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { DialogButtons } from '../../ui/dialogs/DialogButtons.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import classes from '../pay.module.css'
import { alphalistQuery, saveAlphalist } from './withholding.api.ts'

interface AlphalistDialogProps {
  quarter: string
  onClosed: () => void
}

/** Downloads a quarter for the tax office’s own program, after saying what the file leaves to a person. */
export function AlphalistDialog({ quarter, onClosed }: AlphalistDialogProps) {
  const [opened, close] = useOpened()
  const [district, setDistrict] = useState('')
  const plain = district.trim().toUpperCase()
  const saving = useOneMutation({
    mutationFn: () => saveAlphalist(quarter, plain),
    onSuccess: close,
  })
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={`Alphalist: ${rangeInWords(daysOfQuarter(quarter))}`}
    >
      <FormLoader query={useQuery(alphalistQuery(quarter))} fields={1}>
        {({ problem, notes }) => (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              saving.mutate()
            }}
          >
            <Stack gap="sm">
              <p className={classes.lead}>
                The list of payees for form 1601-EQ, as the Philippine tax office’s program reads
                it: a line for each taxpayer, code and rate, in pesos, and dollars at the rates of
                their periods. Let that program check it before you send it.
              </p>
              {problem !== null && (
                <p className={classes.lead} role="status">
                  {problem}
                </p>
              )}
              {notes.length > 0 && (
                <ul aria-label="Left to you">
                  {notes.map((note) => (
                    <li key={note}>{note}</li>
                  ))}
                </ul>
              )}
              <TextInput
                label="Revenue district"
                description="The network’s RDO code: three digits, such as 043."
                withAsterisk
                maxLength={4}
                value={district}
                onChange={(event) => setDistrict(event.currentTarget.value)}
              />
              <DialogButtons
                act="Download file"
                onCancel={close}
                busy={saving.isPending}
                disabled={problem !== null || !isRevenueDistrict(plain)}
              />
            </Stack>
          </form>
        )}
      </FormLoader>
    </Modal>
  )
}
