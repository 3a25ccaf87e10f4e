import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { FormText } from './FormText.tsx'
import { PasswordFields } from './PasswordFields.tsx'

interface AccountFieldsProps<Values> {
  form: UseFormReturnType<Values>
  isNew: boolean
  /** Whether the username of an existing account can be changed. */
  mayRename?: boolean
  maxLength: number
  description?: string
}

/** The username and password of an account. */
export const AccountFields = <
  Values extends { username: string; password: string; passwordConfirm: string },
>({
  form,
  isNew,
  mayRename = isNew,
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
    <PasswordFields form={form} required={isNew} />
  </>
)
