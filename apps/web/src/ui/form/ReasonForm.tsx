import { Stack, Textarea, type TextareaProps } from '@mantine/core'
import { useState } from 'react'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { DialogButtons } from '../dialogs/DialogButtons.tsx'

interface ReasonFormProps {
  label?: string
  /** Without surrounding spaces. */
  minLength?: number
  maxLength: number
  confirmLabel: string
  /** The action can't be undone, so the button is red. */
  isFinal?: true
  keepLabel?: string
  /** Gets the trimmed reason on one line. If it fails, the form stays as it is. */
  onConfirm: (reason: string) => Promise<unknown>
  onKeep: () => void
}

/** The server takes one line, but people press Enter in a field that wraps. */
export const onOneLine = (reason: string): string => reason.trim().replaceAll(/\s*\n\s*/g, ' ')

/** The field for a reason, which is required and may be long. */
export const ReasonField = (props: TextareaProps) => (
  <Textarea
    label="Reason"
    withAsterisk
    autosize
    minRows={2}
    maxRows={8}
    maxLength={500}
    {...props}
  />
)

/** Asks for a reason, which is required, and confirms with it. */
export function ReasonForm({ label = 'Reason', keepLabel = 'Cancel', ...props }: ReasonFormProps) {
  const [reason, setReason] = useState('')
  const saving = useOneMutation({ mutationFn: () => props.onConfirm(onOneLine(reason)) })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Stack gap="sm">
        <ReasonField
          label={label}
          maxLength={props.maxLength}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <DialogButtons
          act={props.confirmLabel}
          onCancel={props.onKeep}
          cancelLabel={keepLabel}
          busy={saving.isPending}
          disabled={reason.trim().length < (props.minLength ?? 1)}
          danger={props.isFinal ?? false}
        />
      </Stack>
    </form>
  )
}
