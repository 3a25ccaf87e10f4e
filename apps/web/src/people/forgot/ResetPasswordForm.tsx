import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { forgetSession } from '../../lib/session.ts'
import { toast } from '../../ui/toasts.tsx'
import { NewPasswordForm } from './NewPasswordForm.tsx'

/** Sets a new password with the token of a mailed link, and leads to the sign-in page. */
export function ResetPasswordForm({ token }: { token: string }) {
  const navigate = useNavigate()
  return (
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
  )
}
