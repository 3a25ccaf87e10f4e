import { Button, Stack, Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { askForPasswordSchema, forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { FormError } from '../../ui/form/FormError.tsx'

interface AskForPasswordProps {
  /** What was typed into the form before. */
  username: string
}

/** Asks whoever manages the account for a new password, for holders whose account has no address. */
export function AskForPassword({ username }: AskForPasswordProps) {
  const form = useForm({
    initialValues: { username },
    validate: schemaResolver(askForPasswordSchema, { sync: true }),
    validateInputOnBlur: true,
  })
  const ask = useMutation({
    mutationFn: (body: typeof form.values) => call(forgotEndpoints.forgotWithoutMail, { body }),
    // The form shows the error; the general policy would also raise a toast.
    meta: { ownErrors: true },
    onError: (error) => form.setErrors(formErrors(error, ['username']) ?? { _form: error.message }),
  })

  // Do not reveal whether the account exists.
  if (ask.isSuccess)
    return (
      <Text role="status">
        If the account exists, its office or the network sees that you asked. They will make sure
        that it is you.
      </Text>
    )
  return (
    <form noValidate onSubmit={form.onSubmit((values) => ask.mutate(values))}>
      <Stack gap="sm">
        <Text c="dimmed">
          Your office or the network sets a new one once they have made sure that it is you.
        </Text>
        <FormError>{form.errors['_form']}</FormError>
        <TextInput
          label="Username"
          withAsterisk
          autoFocus
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          {...form.getInputProps('username')}
        />
        <Button
          type="submit"
          size="sm"
          fullWidth
          mt="xs"
          loading={ask.isPending}
          disabled={!form.isValid()}
        >
          Ask for a new password
        </Button>
      </Stack>
    </form>
  )
}
