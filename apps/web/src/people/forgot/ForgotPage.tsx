import { Button, Stack, Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { forgotEndpoints, forgotSchema } from '@tallyroom/contract/people/forgot'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { LinkText } from '../../ui/links.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AskForPassword } from './AskForPassword.tsx'

/** Requests an email with a link to set a new password; of whoever has no address, asks those who manage the account. */
export function ForgotPage() {
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const form = useForm({
    initialValues: { username: '', email: '' },
    validate: schemaResolver(forgotSchema, { sync: true }),
    validateInputOnBlur: true,
  })
  const request = useMutation({
    mutationFn: (body: typeof form.values) => call(forgotEndpoints.forgot, { body }),
    // The form shows the error; the general policy would also raise a toast.
    meta: { ownErrors: true },
    onSuccess: () => {
      // Do not reveal whether the account exists.
      toast({
        kind: 'success',
        heading: 'Check your email',
        body: 'If the account exists, a link to set a new password is on its way.',
      })
      void navigate({ to: '/login' })
    },
    onError: (error) =>
      form.setErrors(formErrors(error, ['username', 'email']) ?? { _form: error.message }),
  })

  const links = <LinkText to="/login">Back to sign in</LinkText>
  if (asks)
    return (
      <DoorFrame title="Forgot password" links={links}>
        <AskForPassword username={form.values.username} />
      </DoorFrame>
    )
  return (
    <DoorFrame title="Forgot password" links={links}>
      <form noValidate onSubmit={form.onSubmit((values) => request.mutate(values))}>
        <Stack gap="sm">
          <Text c="dimmed">We’ll email you a link to set a new one.</Text>
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
          <TextInput
            label="Email"
            type="email"
            withAsterisk
            autoComplete="email"
            maxLength={254}
            {...form.getInputProps('email')}
          />
          <Button
            type="submit"
            size="sm"
            fullWidth
            mt="xs"
            loading={request.isPending}
            disabled={!form.isValid()}
          >
            Forgot
          </Button>
        </Stack>
      </form>
      <Stack gap={4} align="center" mt="md">
        <Text size="sm" c="dimmed">
          No email address on your account?
        </Text>
        <Button variant="subtle" size="compact-sm" fw={500} onClick={() => setAsks(true)}>
          Ask your office or the network
        </Button>
      </Stack>
    </DoorFrame>
  )
}
