import { Button, Divider, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import type { Factor } from '@tallyroom/domain/factors'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../../lib/call.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { codeField } from '../../lib/factors/code-field.ts'
import { givePasskey, hasPasskeys } from '../../lib/factors/passkeys.ts'
import { FormError } from '../../ui/form/FormError.tsx'

interface FactorFormProps {
  /** What the right password led to. */
  step: string
  /** What the account can go on with. */
  ways: readonly Factor[]
  onSignedIn: (token: string) => void
  onBack: () => void
}

/** Asks for the second factor of an account. */
export function FactorForm({ step, ways, onSignedIn, onBack }: FactorFormProps) {
  const form = useForm({ initialValues: { code: '' } })
  const input = useRef<HTMLInputElement>(null)
  const onError = (error: Error) =>
    form.setErrors(formErrors(error, ['code']) ?? { _form: error.message })
  const enter = useMutation({
    mutationFn: ({ code }: typeof form.values) =>
      call(authEndpoints.enterFactor, { body: { step, code } }),
    meta: { ownErrors: true },
    onSuccess: ({ token }) => onSignedIn(token),
    onError: (error) => {
      // A code is good once, so that nobody needs the wrong one again.
      form.setValues({ code: '' })
      onError(error)
      input.current?.focus()
    },
  })
  const give = useMutation({
    mutationFn: async () => {
      const passkey = await givePasskey(await call(authEndpoints.challengeStep, { body: { step } }))
      return call(authEndpoints.enterFactor, { body: { step, passkey } })
    },
    meta: { ownErrors: true },
    onSuccess: ({ token }) => onSignedIn(token),
    onError,
  })
  const takesPasskey = ways.includes('passkey') && hasPasskeys()
  const isBusy = enter.isPending || give.isPending
  return (
    <form noValidate onSubmit={form.onSubmit((values) => enter.mutate(values))}>
      <Stack gap="sm">
        <FormError>{form.errors['_form']}</FormError>
        {takesPasskey && (
          <>
            <Button
              size="sm"
              fullWidth
              loading={give.isPending}
              disabled={isBusy}
              onClick={() => give.mutate()}
            >
              Use a passkey
            </Button>
            <Divider label="or" />
          </>
        )}
        <Text>{askingFor(ways)}</Text>
        <TextInput
          ref={input}
          label="Code"
          withAsterisk
          autoFocus={!takesPasskey}
          {...codeField}
          {...form.getInputProps('code')}
        />
        <Button
          type="submit"
          size="sm"
          fullWidth
          mt="xs"
          variant={takesPasskey ? 'default' : 'filled'}
          loading={enter.isPending}
          disabled={isBusy || form.values.code.trim() === ''}
        >
          Continue
        </Button>
        <Button variant="default" size="sm" fullWidth onClick={onBack}>
          Start again
        </Button>
      </Stack>
    </form>
  )
}

function askingFor(ways: readonly Factor[]): string {
  if (ways.includes('code'))
    return 'Enter the code that your authenticator app shows, or one of your recovery codes.'
  return ways.includes('passkey elsewhere')
    ? 'Your passkey works on another address of this back office. Sign in there, or enter one of your recovery codes.'
    : 'Enter one of your recovery codes.'
}
