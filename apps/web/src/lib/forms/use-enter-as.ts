import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionAs } from '../remote-session.ts'
import { openSession } from '../session.ts'

/**
 * Runs a superadmin's *Sign in as*: switches every tab of this browser to the account, and opens its first page.
 */
export function useEnterAs() {
  const navigate = useNavigate()
  const { mutate } = useMutation({
    mutationFn: async (whose: Parameters<typeof sessionAs>[0]) => {
      const session = await sessionAs(whose)
      // First leave for a page that everybody may open. This page would fetch data that the account may not see.
      await navigate({ to: '/app' })
      openSession(session)
    },
  })
  return mutate
}
