import { Button, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { FORM_ERROR } from '../../lib/form-errors.ts'
import { FormError } from './FormError.tsx'
import { useLeaveGuard } from './use-leave-guard.ts'

interface FormFrameProps<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  children: ReactNode
  submitLabel: string
  busy: boolean
  onSubmit: (values: Values) => void
  /** Draws Cancel beside the button. */
  onCancel?: () => void
  /** More buttons in the same row. */
  actions?: ReactNode
  /** For texts: as wide as they are read. */
  wide?: boolean
}

/**
 * A form: fields in one column, the whole form's error on top, one button that is disabled while the
 * form is invalid or busy. Leaving with unsaved changes asks.
 */
export function FormFrame<Values extends Record<string, unknown>>(props: FormFrameProps<Values>) {
  const { form, busy, wide = false } = props
  useLeaveGuard(form.isDirty() && !busy)
  return (
    <form noValidate onSubmit={form.onSubmit(props.onSubmit)}>
      <Stack gap="sm" maw={wide ? 900 : 440}>
        <FormError>{form.errors[FORM_ERROR]}</FormError>
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
