import { Button, Stack } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { newPassword } from '@tallyroom/contract/people/passwords'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { FormError } from '../../ui/form/FormError.tsx'
import { PasswordFields } from '../../ui/form/PasswordFields.tsx'

export interface NewPasswordValues {
  password: string
  passwordConfirm: string
}

interface NewPasswordFormProps {
  children?: ReactNode
  save: (values: NewPasswordValues) => Promise<unknown>
  onSaved: () => void
}

/** Sets a new password. */
export function NewPasswordForm({ children, save, onSaved }: NewPasswordFormProps) {
  const form = useForm<NewPasswordValues>({
    initialValues: { password: '', passwordConfirm: '' },
    validate: schemaResolver(newPassword({}), { sync: true }),
    validateInputOnBlur: true,
  })
  const run = useMutation({
    mutationFn: save,
    meta: { ownErrors: true },
    onSuccess: onSaved,
    onError: (error) => {
      // The user is already on the way to the sign-in page.
      if (isApiError(error, 'INVALID_TOKEN')) return
      form.setErrors(formErrors(error, Object.keys(form.getValues())) ?? { _form: error.message })
    },
  })

  return (
    <form noValidate onSubmit={form.onSubmit((values) => run.mutate(values))}>
      <Stack gap="sm">
        <FormError>{form.errors['_form']}</FormError>
        {children}
        <PasswordFields form={form} required />
        <Button
          type="submit"
          size="sm"
          fullWidth
          mt="xs"
          loading={run.isPending}
          disabled={!form.isValid()}
        >
          Set password
        </Button>
      </Stack>
    </form>
  )
}
