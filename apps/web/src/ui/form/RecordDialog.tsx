import { Modal, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { FORM_ERROR } from '../../lib/forms/form-errors.ts'
import { DialogButtons } from '../dialogs/DialogButtons.tsx'
import type { useOpened } from '../use-opened.ts'
import { FormError } from './FormError.tsx'

interface RecordDialogProps<Values> {
  /** Of `useRecordForm`. */
  form: UseFormReturnType<Values>
  frame: { busy: boolean; onSubmit: (values: Values) => void }
  shown: ReturnType<typeof useOpened>
  title: string
  /** Begins with a verb. */
  act: string
  onClosed: () => void
  children: ReactNode
}

/** The dialog of a form of `useRecordForm`. A click while it fades does nothing. */
export function RecordDialog<Values>({
  form,
  frame,
  shown: [opened, close],
  title,
  act,
  onClosed,
  children,
}: RecordDialogProps<Values>) {
  return (
    <Modal opened={opened} onClose={close} onExitTransitionEnd={onClosed} title={title}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => (opened ? frame.onSubmit(values) : undefined))}
      >
        <Stack gap="sm">
          <FormError>{form.errors[FORM_ERROR]}</FormError>
          {children}
          <DialogButtons act={act} onCancel={close} busy={frame.busy} disabled={!form.isValid()} />
        </Stack>
      </form>
    </Modal>
  )
}
