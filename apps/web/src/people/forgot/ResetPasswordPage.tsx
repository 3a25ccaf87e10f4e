import { Text } from '@mantine/core'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { LinkText } from '../../ui/links.tsx'
import { ResetPasswordForm } from './ResetPasswordForm.tsx'
import { useLinkToken } from './use-link-token.ts'

/** Opened by the link in the email. */
export function ResetPasswordPage() {
  const token = useLinkToken()
  return (
    <DoorFrame title="New password" links={<LinkText to="/forgot">Request a new link</LinkText>}>
      {token === '' ? (
        <Text role="alert">
          This link is incomplete. Open it from the email again, or copy all of it.
        </Text>
      ) : (
        <ResetPasswordForm token={token} />
      )}
    </DoorFrame>
  )
}
