import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { LANDING } from '../../lib/pages/page.ts'
import { useMe } from '../../lib/session.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { exchangeOnce } from './exchange.ts'
import { failureMessage } from './RemoteLoginFailure.tsx'

const route = getRouteApi('/remote-login')

/** Shown when a sign-in link is opened while somebody is signed in. The link's account is unknown until it is used. */
export function RemoteLoginQuestion() {
  const router = useRouter()
  const { token = '' } = route.useSearch()
  const { username } = useMe()
  const leave = () => router.navigate({ to: LANDING, replace: true })
  const run = useMutation({
    mutationFn: async () => {
      await exchangeOnce(token)
      await leave()
    },
    meta: { ownErrors: true },
  })
  return (
    <DoorFrame title="Switch account?">
      <Stack gap="sm">
        {run.error ? (
          <Text role="alert">{failureMessage(run.error)}</Text>
        ) : (
          <Text>
            You are signed in as <strong>{username}</strong>. This link signs you out, and signs you
            in to the account that it was made for. Use it only if you trust its source.
          </Text>
        )}
        <Button fullWidth variant="default" onClick={() => void leave()}>
          Stay signed in as {username}
        </Button>
        {!run.error && (
          <Button fullWidth loading={run.isPending} onClick={() => run.mutate()}>
            Sign in with the link
          </Button>
        )}
      </Stack>
    </DoorFrame>
  )
}
