import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { FormText } from './FormText.tsx'
import { PasswordFields } from './PasswordFields.tsx'

interface AccountFieldsProps<Values> {
  form: UseFormReturnType<Values>
  /** Only a new account chooses its username. */
  isNew: boolean
  maxLength: number
  description?: string
}

/** What one signs in with. */
export const AccountFields = <
  Values extends { username: string; password: string; passwordConfirm: string },
>({
  form,
  isNew,
  ...username
}: AccountFieldsProps<Values>) => (
  <>
    {isNew ? (
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
