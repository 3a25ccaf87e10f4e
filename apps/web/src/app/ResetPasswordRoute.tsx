import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ResetPasswordPage } from '../features/forgot/ResetPasswordPage.tsx'
import { forgetSession } from '../lib/session.ts'
import { toast } from '../ui/toasts.tsx'

export function ResetPasswordRoute() {
  const navigate = useNavigate()
  const [token] = useState(() => location.hash.slice(1))
  // The link opens an account: it should stay neither on screen nor in the browser's history.
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  return (
    <ResetPasswordPage
      token={token}
      onReset={() => {
        // The server has ended every session of the account, perhaps this browser's too.
        forgetSession()
        toast({ kind: 'success', heading: 'Success', body: 'Sign in with your new password.' })
        void navigate({ to: '/login' })
      }}
    />
  )
}
