import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { enterAs } from './remote-session.ts'

/** What a superadmin's "Sign in as" does to an office or agent of a list: goes on as that account, on its first page. */
export function useEnterAs() {
  const navigate = useNavigate()
  const { mutate } = useMutation({
    mutationFn: enterAs,
    onSuccess: () => navigate({ to: '/app' }),
  })
  return mutate
}
