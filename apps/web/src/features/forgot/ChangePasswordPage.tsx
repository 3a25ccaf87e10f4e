import { Text } from '@mantine/core'
import { profileEndpoints } from '@tallyroom/contract/profile'
import { call } from '../../lib/call.ts'
import { useMe } from '../../lib/session.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { NewPasswordForm } from './NewPasswordForm.tsx'

interface ChangePasswordPageProps {
  onChanged: () => void
}

/** For accounts whose password others may know: it was handed out, or comes from an old server. */
export function ChangePasswordPage({ onChanged }: ChangePasswordPageProps) {
  const { username } = useMe()
  return (
    <DoorFrame title="Choose your own password">
      <NewPasswordForm
        isSignedIn
        save={(body) => call(profileEndpoints.changePassword, { body })}
        onSaved={onChanged}
      >
        <Text c="dimmed">Choose a new password, {username}: this one was set by someone else.</Text>
      </NewPasswordForm>
    </DoorFrame>
  )
}
