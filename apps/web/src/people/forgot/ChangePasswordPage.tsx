import { Text } from '@mantine/core'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { ownPath } from '../../lib/pages/own-path.ts'
import { LANDING } from '../../lib/pages/page.ts'
import { refreshMe } from '../../lib/refresh-me.ts'
import { useMe } from '../../lib/session.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { toastSaved } from '../../ui/toasts.tsx'
import { NewPasswordForm } from './NewPasswordForm.tsx'

const route = getRouteApi('/new-password')

/** For accounts whose password others may know: one set by staff, or migrated from an old server. */
export function ChangePasswordPage() {
  const { history } = useRouter()
  const { returnUrl } = route.useSearch()
  const { username } = useMe()
  return (
    <DoorFrame title="Choose your own password">
      <NewPasswordForm
        save={(body) => call(profileEndpoints.changePassword, { body })}
        onSaved={() =>
          void refreshMe().then(() => {
            toastSaved()
            history.replace(ownPath(returnUrl) ?? LANDING)
          })
        }
      >
        <Text c="dimmed">Choose a new password, {username}: this one was set by someone else.</Text>
      </NewPasswordForm>
    </DoorFrame>
  )
}
