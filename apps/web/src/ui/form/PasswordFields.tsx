import { PasswordInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

interface PasswordFieldsProps<Values> {
  form: UseFormReturnType<Values>
  /** Requires a password. Otherwise, empty fields keep the current one. */
  required?: boolean
}

/** A password and its confirmation. */
export function PasswordFields<Values extends { password: string; passwordConfirm: string }>({
  form,
  required = false,
}: PasswordFieldsProps<Values>) {
  return (
    <>
      <PasswordInput
        label="Password"
        {...(!required && { description: 'Leave empty to keep the current one' })}
        withAsterisk={required}
        maxLength={200}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <PasswordInput
        label="Confirm password"
        withAsterisk={required}
        maxLength={200}
        autoComplete="new-password"
        {...form.getInputProps('passwordConfirm')}
      />
    </>
  )
}
