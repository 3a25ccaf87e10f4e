import { Text } from '@mantine/core'
import { forgotEndpoints } from '@tallyroom/contract/forgot'
import { call } from '../../lib/call.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { LinkText } from '../../ui/links.tsx'
import { NewPasswordForm } from './NewPasswordForm.tsx'

interface ResetPasswordPageProps {
  /** Of the mailed link; empty when only a part of it was opened. */
  token: string
  onReset: () => void
}

/** Where the mailed link leads. */
export function ResetPasswordPage({ token, onReset }: ResetPasswordPageProps) {
  return (
    <DoorFrame title="New password" links={<LinkText to="/forgot">Ask for another link</LinkText>}>
      {token === '' ? (
        <Text role="alert">
          This link is not complete. Please open it from the mail once more, or copy it whole.
        </Text>
      ) : (
        <NewPasswordForm
          save={({ password, passwordConfirm }) =>
            call(forgotEndpoints.resetPassword, { body: { token, password, passwordConfirm } })
          }
          onSaved={onReset}
        />
      )}
    </DoorFrame>
  )
}
