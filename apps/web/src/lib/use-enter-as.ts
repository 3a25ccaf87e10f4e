import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionAs } from './remote-session.ts'
import { openSession } from './session.ts'

/**
 * What a superadmin's "Sign in as" does to an office or agent of a list: goes on as that account, in every tab of
 * this browser, on its first page.
 */
export function useEnterAs() {
  const navigate = useNavigate()
  const { mutate } = useMutation({
    mutationFn: async (whose: Parameters<typeof sessionAs>[0]) => {
      const session = await sessionAs(whose)
      // First to a page that everybody may open: this one would ask for what the account may not see.
      await navigate({ to: '/app' })
      openSession(session)
    },
  })
  return mutate
}
