import { Text } from '@mantine/core'
import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../../lib/call.ts'
import { forgetSession } from '../../lib/session.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { LinkText } from '../../ui/links.tsx'
import { toast } from '../../ui/toasts.tsx'
import { NewPasswordForm } from './NewPasswordForm.tsx'

/** Opened by the link in the email. */
export function ResetPasswordPage() {
  const navigate = useNavigate()
  // Empty when the link was truncated.
  const [token] = useState(() => location.hash.slice(1))
  // The token is a credential: remove it from the address bar and the history.
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  return (
    <DoorFrame title="New password" links={<LinkText to="/forgot">Request a new link</LinkText>}>
      {token === '' ? (
        <Text role="alert">
          This link is incomplete. Open it from the email again, or copy all of it.
        </Text>
      ) : (
        <NewPasswordForm
          save={({ password, passwordConfirm }) =>
            call(forgotEndpoints.resetPassword, { body: { token, password, passwordConfirm } })
          }
          onSaved={() => {
            // The server has ended all sessions of the account, possibly including this browser's.
            forgetSession()
            toast({ kind: 'success', heading: 'Success', body: 'Sign in with your new password.' })
            void navigate({ to: '/login' })
          }}
        />
      )}
    </DoorFrame>
  )
}
