import { Button, Stack, Text } from '@mantine/core'
import { invitationsEndpoints } from '@tallyroom/contract/people/invitations'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isApiError } from '../../lib/api-error.ts'
import { useBrand } from '../../lib/brand.ts'
import { call } from '../../lib/call.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { forgetSession } from '../../lib/session.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { LinkText } from '../../ui/links.tsx'
import { toast } from '../../ui/toasts.tsx'
import { NewPasswordForm } from './NewPasswordForm.tsx'
import { useLinkToken } from './use-link-token.ts'

/** Opened by the link of an invitation: its holder chooses their first password. */
export function InvitationPage() {
  const navigate = useNavigate()
  const { name } = useBrand()
  const token = useLinkToken()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [invitationsEndpoints.readInvitation.path, token],
    queryFn: ({ signal }) =>
      call(invitationsEndpoints.readInvitation, { body: { token } }, { signal }),
    enabled: token !== '',
    retry: false,
    staleTime: Infinity,
    meta: { ownErrors: true },
  })
  // Anything else may work later: a fault of the network or the server says nothing about the invitation.
  const isOver = isApiError(error, 'VALIDATION_ERROR')
  // A card drawn before the answer would change its height under the reader's eyes.
  if (token !== '' && !data && !error) return null
  return (
    <DoorFrame
      title={isOver ? 'Invitation no longer valid' : 'Choose your password'}
      links={<LinkText to="/login">Sign in</LinkText>}
    >
      {token === '' ? (
        <Text role="alert">This link is incomplete. Open it again, or copy all of it.</Text>
      ) : isOver ? (
        <Text role="alert">{formErrors(error, [])?.['_form'] ?? error.message}</Text>
      ) : error ? (
        <Stack gap="sm">
          <FormError>{error.message}</FormError>
          <Button size="sm" fullWidth loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </Stack>
      ) : data ? (
        <NewPasswordForm
          save={({ password, passwordConfirm }) =>
            call(invitationsEndpoints.acceptInvitation, {
              body: { token, password, passwordConfirm },
            })
          }
          onSaved={() => {
            // Somebody else may be signed in to this browser.
            forgetSession()
            toast({
              kind: 'success',
              heading: 'Success',
              body: data.waitsForApproval
                ? 'Your password is set. You can sign in once the network has approved you.'
                : 'Sign in with your new password.',
            })
            void navigate({ to: '/login' })
          }}
        >
          <Text c="dimmed">
            You are invited to {name}. Your username is <strong>{data.username}</strong>.
          </Text>
        </NewPasswordForm>
      ) : null}
    </DoorFrame>
  )
}
