import { Button, Stack, Text } from '@mantine/core'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { NewPasswordForm } from '../forgot/NewPasswordForm.tsx'

/** From the bell, for a sign-in that was somebody else's: ends all other sessions, and asks for a new password. */
export function DisownSignInPage() {
  const navigate = useNavigate()
  const end = useMutation({ mutationFn: () => call(profileEndpoints.endOtherSessions, {}) })
  return (
    <Stack gap="sm" maw={420}>
      {end.isSuccess ? (
        <NewPasswordForm
          save={(body) => call(profileEndpoints.changePassword, { body })}
          onSaved={() => {
            toastSaved()
            void navigate({ to: '/app/profile' })
          }}
        >
          <Text role="status">
            All other sessions have ended. Somebody may know your password: set a new one now.
          </Text>
        </NewPasswordForm>
      ) : (
        <>
          <Text>
            If this wasn’t you, somebody may know your password. The button ends all sessions of
            your account except this one. You then set a new password.
          </Text>
          <Button w="fit-content" loading={end.isPending} onClick={() => end.mutate()}>
            End all other sessions
          </Button>
        </>
      )}
    </Stack>
  )
}
