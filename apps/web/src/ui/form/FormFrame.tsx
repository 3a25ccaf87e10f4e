import { Button, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { FORM_ERROR } from '../../lib/forms/form-errors.ts'
import { FormError } from './FormError.tsx'
import { StaleNotice, type StaleState } from './StaleNotice.tsx'
import { useLeaveGuard } from './use-leave-guard.ts'

export interface FormFrameProps<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  children: ReactNode
  submitLabel: string
  busy: boolean
  onSubmit: (values: Values) => void
  /** Shows Cancel beside the submit button. */
  onCancel?: () => void
  /** More buttons in the same row. */
  actions?: ReactNode
  /** For fields in one column, rather than in sections (`FormSection`). */
  narrow?: true
  stale?: StaleState
}

/**
 * A form: its error on top, then its fields, and a submit button that is disabled while the form is invalid or busy.
 * Asks before leaving with unsaved changes.
 */
export function FormFrame<Values extends Record<string, unknown>>(props: FormFrameProps<Values>) {
  const { form, busy, stale } = props
  useLeaveGuard(form.isDirty() && !busy)
  return (
    <form noValidate onSubmit={form.onSubmit(props.onSubmit)}>
      <Stack gap="sm" maw={props.narrow ? 440 : 1120}>
        <FormError>{form.errors[FORM_ERROR]}</FormError>
        {stale && <StaleNotice {...stale} />}
        {props.children}
        <Group gap="xs" mt="xs">
          <Button type="submit" loading={busy} disabled={!form.isValid()}>
            {props.submitLabel}
          </Button>
          {props.onCancel && (
            <Button variant="default" onClick={props.onCancel}>
              Cancel
            </Button>
          )}
          {props.actions}
        </Group>
      </Stack>
    </form>
  )
}
