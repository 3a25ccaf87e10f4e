import { Text } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { isApiError } from '../../lib/api-error.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { LinkText } from '../../ui/links.tsx'

/** Shown when the link's token could not be exchanged for a session. */
export function RemoteLoginFailure({ error }: ErrorComponentProps) {
  return (
    <DoorFrame title="Sign in" links={<LinkText to="/login">Sign in with a password</LinkText>}>
      <Text role="alert">{failureMessage(error)}</Text>
    </DoorFrame>
  )
}

/** Why the link's token could not be exchanged. */
export const failureMessage = (error: unknown): string =>
  isApiError(error)
    ? (error.data['_form']?.[0] ?? error.message)
    : 'You could not be signed in. Request a new link.'
