import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { authEndpoints, loginSchema } from '@tallyroom/contract/people/auth'
import type { Factor } from '@tallyroom/domain/factors'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { z } from 'zod'
import { isApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { ownPath } from '../../lib/pages/own-path.ts'
import { LANDING } from '../../lib/pages/page.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { LinkText } from '../../ui/links.tsx'
import { CaptchaField, useCaptcha } from './CaptchaField.tsx'
import { FactorForm } from './FactorForm.tsx'
import { openByPassword, openWith } from './open-with.ts'
import { ProviderButton } from './ProviderButton.tsx'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'

const route = getRouteApi('/login')

export function LoginPage() {
  const { history } = useRouter()
  const { returnUrl } = route.useSearch()
  const captcha = useCaptcha()
  const [step, setStep] = useState<Step>()
  const captchaField = useRef<HTMLInputElement>(null)
  const [capsLock, setCapsLock] = useState(false)
  const form = useForm({
    initialValues: { username: '', password: '', captchaString: '' },
    validate: schemaResolver(loginSchema.pick({ username: true, password: true }), { sync: true }),
  })

  const goOn = () => history.replace(ownPath(returnUrl) ?? LANDING)
  const enter = useMutation({ mutationFn: openWith, onSuccess: goOn })
  const enterByPassword = useMutation({ mutationFn: openByPassword, onSuccess: goOn })

  const login = useMutation({
    mutationFn: (values: typeof form.values) => signIn({ ...values, captchaCheck: captcha.check }),
    // The form shows the error; the general policy would also raise a toast.
    meta: { ownErrors: true },
    onSuccess: (next) => (next === undefined ? goOn() : setStep(next)),
    onError: (error) => {
      form.setFieldValue('captchaString', '')
      form.setErrors(
        formErrors(error, ['username', 'password', 'captchaString']) ?? { _form: error.message },
      )
      captcha.reload()
      if (!isApiError(error, 'NETWORK')) captchaField.current?.focus()
    },
  })

  const handleRefused = (error: Error) =>
    form.setErrors(formErrors(error, []) ?? { _form: error.message })
  const byPasskey = usePasskeySignIn({
    isOffered: step === undefined,
    onSignedIn: enter.mutate,
    onRefused: handleRefused,
  })

  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const isComplete = form.isValid() && (captcha.shown === '' || form.values.captchaString !== '')

  if (step !== undefined) {
    return (
      <DoorFrame title="Sign in">
        <FactorForm
          {...step}
          onSignedIn={enterByPassword.mutate}
          onBack={() => {
            setStep(undefined)
            form.reset()
            captcha.reload()
          }}
        />
      </DoorFrame>
    )
  }
  return (
    <DoorFrame title="Sign in" links={<LinkText to="/forgot">Forgot your password?</LinkText>}>
      <form noValidate onSubmit={form.onSubmit((values) => login.mutate(values))}>
        <Stack gap="sm">
          <FormError>{form.errors['_form']}</FormError>
          <TextInput
            label="Username"
            withAsterisk
            autoFocus
            // Where there are passkeys, browsers offer them in this field.
            autoComplete={byPasskey.isAvailable ? 'username webauthn' : 'username'}
            autoCapitalize="none"
            spellCheck={false}
            {...form.getInputProps('username')}
          />
          <PasswordInput
            label="Password"
            withAsterisk
            autoComplete="current-password"
            onKeyDown={watchCapsLock}
            onKeyUp={watchCapsLock}
            description={capsLock ? 'Caps Lock is on' : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('password')}
          />
          {captcha.isNeeded && (
            <CaptchaField
              captcha={captcha}
              ref={captchaField}
              input={form.getInputProps('captchaString')}
              onChanged={() => {
                form.setFieldValue('captchaString', '')
                captchaField.current?.focus()
              }}
            />
          )}
          <Button
            type="submit"
            size="sm"
            fullWidth
            mt="xs"
            loading={login.isPending}
            disabled={!isComplete}
          >
            Login
          </Button>
          {byPasskey.isAvailable && (
            <Button
              variant="default"
              size="sm"
              fullWidth
              loading={byPasskey.isPending}
              onClick={byPasskey.start}
            >
              Sign in with a passkey
            </Button>
          )}
          <ProviderButton returnUrl={returnUrl} onRefused={handleRefused} />
        </Stack>
      </form>
    </DoorFrame>
  )
}

type Step = { step: string; ways: Factor[] }

/** Signs in and stores the session. Of an account with a second factor, returns the step to it. @throws ApiError */
async function signIn(credentials: z.input<typeof loginSchema>): Promise<Step | undefined> {
  const answer = await call(authEndpoints.login, { body: credentials })
  if ('step' in answer) return answer
  await openByPassword(answer.token)
  return undefined
}
