import { ActionIcon, Button, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { IconRefresh } from '@tabler/icons-react'
import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { authEndpoints, loginSchema } from '@tallyroom/contract/people/auth'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { z } from 'zod'
import { isApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { ownPath } from '../../lib/pages/own-path.ts'
import { LANDING } from '../../lib/pages/page.ts'
import { queryOf } from '../../lib/queries.ts'
import { openSession } from '../../lib/session.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { LinkText } from '../../ui/links.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import classes from './LoginPage.module.css'

const route = getRouteApi('/login')

export function LoginPage() {
  const { history } = useRouter()
  const { returnUrl } = route.useSearch()
  const captcha = useCaptcha()
  const captchaField = useRef<HTMLInputElement>(null)
  const [capsLock, setCapsLock] = useState(false)
  const form = useForm({
    initialValues: { username: '', password: '', captchaString: '' },
    validate: schemaResolver(loginSchema.pick({ username: true, password: true }), { sync: true }),
  })

  const login = useMutation({
    mutationFn: (values: typeof form.values) => signIn({ ...values, captchaCheck: captcha.check }),
    // The form shows the error; the general policy would also raise a toast.
    meta: { ownErrors: true },
    onSuccess: () => history.replace(ownPath(returnUrl) ?? LANDING),
    onError: (error) => {
      form.setFieldValue('captchaString', '')
      form.setErrors(
        formErrors(error, ['username', 'password', 'captchaString']) ?? { _form: error.message },
      )
      captcha.reload()
      if (!isApiError(error, 'NETWORK')) captchaField.current?.focus()
    },
  })

  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const isComplete = form.isValid() && (!captcha.image || form.values.captchaString !== '')

  return (
    <DoorFrame title="Sign in" links={<LinkText to="/forgot">Forgot your password?</LinkText>}>
      <form noValidate onSubmit={form.onSubmit((values) => login.mutate(values))}>
        <Stack gap="sm">
          <FormError>{form.errors['_form']}</FormError>
          <TextInput
            label="Username"
            withAsterisk
            autoFocus
            autoComplete="username"
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
            <>
              <div className={classes.captcha}>
                {captcha.image ? (
                  <img src={captcha.image} alt="Characters to type below" />
                ) : captcha.isLoading ? (
                  <Loader size="sm" />
                ) : (
                  <Text c="dimmed">The picture could not be loaded. Try again.</Text>
                )}
                <Tooltip label="Load another picture">
                  <ActionIcon
                    variant="default"
                    aria-label="Load another picture"
                    loading={captcha.isLoading}
                    onClick={() => {
                      form.setFieldValue('captchaString', '')
                      captcha.reload()
                      captchaField.current?.focus()
                    }}
                  >
                    <IconRefresh size={16} />
                  </ActionIcon>
                </Tooltip>
              </div>
              <TextInput
                ref={captchaField}
                label="Characters in the picture"
                withAsterisk
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                {...form.getInputProps('captchaString')}
              />
            </>
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
        </Stack>
      </form>
    </DoorFrame>
  )
}

/** The captcha. An empty image means that the server does not require one. */
function useCaptcha() {
  const query = useQuery({
    ...queryOf(authEndpoints.captcha, {}),
    // A captcha is valid for one attempt, so it must never come from the cache.
    gcTime: 0,
    staleTime: Infinity,
    meta: { ownErrors: true },
  })
  const image = query.data?.image ?? ''
  return {
    image: query.isError || query.isFetching ? '' : image,
    check: query.data?.check ?? '',
    isLoading: query.isFetching,
    isNeeded: query.isError || query.data === undefined || image !== '',
    reload: () => void query.refetch(),
  }
}

/** Signs in and stores the session. @throws ApiError from `auth/login` */
async function signIn(credentials: z.input<typeof loginSchema>) {
  const { token } = await call(authEndpoints.login, { body: credentials })
  const me = await call(accountsEndpoints.me, {}, { token })
  openSession({ token, me })
}
