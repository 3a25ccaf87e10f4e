import { Button, Stack, Text } from '@mantine/core'
import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { useMutation } from '@tanstack/react-query'
import { useBrand } from '../../lib/brand.ts'
import { call } from '../../lib/call.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { LinkText } from '../../ui/links.tsx'
import { ResetPasswordForm } from './ResetPasswordForm.tsx'
import { useLinkToken } from './use-link-token.ts'

/** Opened by the link in the email about a sign-in. Nothing happens until the button is pressed: some mail servers open links. */
export function NotMePage() {
  const token = useLinkToken()
  const { name } = useBrand()
  const end = useMutation({
    mutationFn: () => call(forgotEndpoints.disownSignIn, { body: { token } }),
    meta: { ownErrors: true },
  })
  const links = <LinkText to="/forgot">Set a new password</LinkText>
  if (token === '')
    return (
      <DoorFrame title="That wasn’t me" links={links}>
        <Text role="alert">
          This link is incomplete. Open it from the email again, or copy all of it.
        </Text>
      </DoorFrame>
    )
  if (end.data)
    return (
      <DoorFrame title={end.data.setsPassword ? 'New password' : 'All sessions have ended'}>
        <Stack gap="sm">
          {end.data.setsPassword ? (
            <>
              <Text role="status">
                All sessions of the account have ended. Somebody may know the password: set a new
                one now.
              </Text>
              <ResetPasswordForm token={token} />
            </>
          ) : (
            <Text role="status">
              All sessions of the account have ended. This email went to an address that the account
              no longer has, so no password can be set here. Tell the people who run {name} at once.
            </Text>
          )}
        </Stack>
      </DoorFrame>
    )
  return (
    <DoorFrame title="That wasn’t me" links={links}>
      <Stack gap="sm">
        <FormError>
          {end.error && (formErrors(end.error, [])?.['_form'] ?? end.error.message)}
        </FormError>
        <Text>
          If this wasn’t you, somebody may know your password. The button ends all sessions of your
          account. You then set a new password.
        </Text>
        <Button size="sm" fullWidth mt="xs" loading={end.isPending} onClick={() => end.mutate()}>
          End all sessions
        </Button>
      </Stack>
    </DoorFrame>
  )
}
