import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMe } from '../../lib/session.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { failureMessage } from './RemoteLoginFailure.tsx'

interface RemoteLoginQuestionProps {
  /** Goes on as before. */
  onStay: () => void
  /** Uses the link. */
  onSwitch: () => Promise<void>
}

/** A sign-in link was opened while somebody is signed in. Whose link it is shows only once it is used. */
export function RemoteLoginQuestion({ onStay, onSwitch }: RemoteLoginQuestionProps) {
  const { username } = useMe()
  const run = useMutation({ mutationFn: onSwitch, meta: { ownErrors: true } })
  return (
    <DoorFrame title="Switch account?">
      <Stack gap="sm">
        {run.error ? (
          <Text role="alert">{failureMessage(run.error)}</Text>
        ) : (
          <Text>
            You are signed in as <strong>{username}</strong>. This link signs you out and in to the
            account that it was made for. Use it only if you trust where it came from.
          </Text>
        )}
        <Button fullWidth variant="default" onClick={onStay}>
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
