import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** Asks for the current password, because the session is too old for a guarded change. */
export const CurrentPasswordInput = (props: PasswordInputProps) => (
  <PasswordInput
    label="Current password"
    description="Required because you signed in a while ago"
    withAsterisk
    maxLength={1024}
    autoComplete="current-password"
    {...props}
  />
)
