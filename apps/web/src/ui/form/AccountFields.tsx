import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { FormText } from './FormText.tsx'
import { PasswordFields } from './PasswordFields.tsx'

interface AccountFieldsProps<Values> {
  form: UseFormReturnType<Values>
  isNew: boolean
  /** Whether the username of an existing account can be changed. */
  mayRename?: boolean
  maxLength: number
  description?: string
  /** In place of the fields of the password. */
  password?: ReactNode
}

/** The username and password of an account. */
export const AccountFields = <
  Values extends { username: string; password: string; passwordConfirm: string },
>({
  form,
  isNew,
  mayRename = isNew,
  password,
  ...username
}: AccountFieldsProps<Values>) => (
  <>
    {isNew || mayRename ? (
      <TextInput
        label="Username"
        withAsterisk
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...username}
        {...form.getInputProps('username')}
      />
    ) : (
      <FormText label="Username">{form.values.username}</FormText>
    )}
    {password ?? <PasswordFields form={form} required={isNew} />}
  </>
)
