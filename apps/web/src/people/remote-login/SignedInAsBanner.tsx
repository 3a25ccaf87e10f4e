import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { leaveAgain } from '../../lib/remote-session.ts'
import { useMe } from '../../lib/session.ts'
import classes from './SignedInAsBanner.module.css'

/** Tells a superadmin whose account they are using, with a way back. Renders nothing for the account holder. */
export function SignedInAsBanner() {
  const { username, role, signedInBy } = useMe()
  const navigate = useNavigate()
  const back = useMutation({
    mutationFn: async () => {
      const list = role === 'company' ? '/app/offices/offices' : '/app/agents'
      await leaveAgain()
      await navigate({ to: list })
    },
  })
  if (signedInBy === null) return null
  return (
    <div className={classes.banner} role="status">
      <span>
        You are signed in as <strong>{username}</strong>. Everything you do affects this account.
      </span>
      <Button
        size="compact-sm"
        variant="white"
        loading={back.isPending}
        onClick={() => back.mutate()}
      >
        Back to {signedInBy}
      </Button>
    </div>
  )
}
