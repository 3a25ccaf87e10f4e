import { useNavigate } from '@tanstack/react-router'
import { ForgotPage } from '../features/forgot/ForgotPage.tsx'
import { toast } from '../ui/toasts.tsx'

export function ForgotRoute() {
  const navigate = useNavigate()
  return (
    <ForgotPage
      onRequested={() => {
        toast({
          kind: 'success',
          heading: 'Look into your mail',
          body: 'If there is such an account, a link to set a new password is on its way.',
        })
        void navigate({ to: '/login' })
      }}
    />
  )
}
