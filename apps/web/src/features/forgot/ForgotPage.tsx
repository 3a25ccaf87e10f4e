import { Button, Stack, Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { forgotEndpoints, forgotSchema } from '@tallyroom/contract/forgot'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { formErrors } from '../../lib/form-errors.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { LinkText } from '../../ui/links.tsx'
import { toast } from '../../ui/toasts.tsx'

/** Asks for a mail that leads to a new password. */
export function ForgotPage() {
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { username: '', email: '' },
    validate: schemaResolver(forgotSchema, { sync: true }),
    validateInputOnBlur: true,
  })
  const request = useMutation({
    mutationFn: (body: typeof form.values) => call(forgotEndpoints.forgot, { body }),
    // Shown in the form: the general error policy would say it a second time.
    meta: { ownErrors: true },
    onSuccess: () => {
      // Whether the account exists is told to nobody.
      toast({
        kind: 'success',
        heading: 'Check your email',
        body: 'If there is such an account, a link to set a new password is on its way.',
      })
      void navigate({ to: '/login' })
    },
    onError: (error) =>
      form.setErrors(formErrors(error, ['username', 'email']) ?? { _form: error.message }),
  })

  return (
    <DoorFrame title="Forgot password" links={<LinkText to="/login">Back to sign in</LinkText>}>
      <form noValidate onSubmit={form.onSubmit((values) => request.mutate(values))}>
        <Stack gap="sm">
          <Text c="dimmed">We mail you a link with which you set a new one.</Text>
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
    </DoorFrame>
  )
}
