import { Checkbox, Fieldset, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { FormText } from '../../ui/form/FormText.tsx'
import { PasswordFields } from '../../ui/form/PasswordFields.tsx'
import { adminFlags, type AdminValues } from './admin-form.ts'

interface AdminFieldsProps {
  form: UseFormReturnType<AdminValues>
  isNew?: boolean
}

export const AdminFields = ({ form, isNew = false }: AdminFieldsProps) => (
  <>
    <TextInput
      label="Email"
      type="email"
      withAsterisk
      maxLength={254}
      autoComplete="off"
      {...form.getInputProps('email')}
    />
    {isNew ? (
      <TextInput
        label="Username"
        description="At most 10 characters; it can’t be changed later"
        withAsterisk
        maxLength={10}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('username')}
      />
    ) : (
      <FormText label="Username">{form.values.username}</FormText>
    )}
    <PasswordFields form={form} required={isNew} />
    <Fieldset legend="Permissions">
      <Stack gap="xs">
        {adminFlags.map(({ field, label }) => (
          <Checkbox
            key={field}
            label={label}
            {...form.getInputProps(field, { type: 'checkbox' })}
          />
        ))}
      </Stack>
    </Fieldset>
  </>
)
