import { Text } from '@mantine/core'
import { forgotEndpoints } from '@tallyroom/contract/forgot'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../../lib/call.ts'
import { forgetSession } from '../../lib/session.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { LinkText } from '../../ui/links.tsx'
import { toast } from '../../ui/toasts.tsx'
import { NewPasswordForm } from './NewPasswordForm.tsx'

/** Where the mailed link leads. */
export function ResetPasswordPage() {
  const navigate = useNavigate()
  // Empty when only a part of the link was opened.
  const [token] = useState(() => location.hash.slice(1))
  // The link opens an account: it should stay neither on screen nor in the browser's history.
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  return (
    <DoorFrame title="New password" links={<LinkText to="/forgot">Ask for another link</LinkText>}>
      {token === '' ? (
        <Text role="alert">
          This link is not complete. Please open it from the mail once more, or copy it whole.
        </Text>
      ) : (
        <NewPasswordForm
          save={({ password, passwordConfirm }) =>
            call(forgotEndpoints.resetPassword, { body: { token, password, passwordConfirm } })
          }
          onSaved={() => {
            // The server has ended every session of the account, perhaps this browser's too.
            forgetSession()
            toast({ kind: 'success', heading: 'Success', body: 'Sign in with your new password.' })
            void navigate({ to: '/login' })
          }}
        />
      )}
    </DoorFrame>
  )
}
