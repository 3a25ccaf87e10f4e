import { Button, Stack, Text } from '@mantine/core'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { ownPath } from '../../lib/pages/own-path.ts'
import { LANDING } from '../../lib/pages/page.ts'
import { forgetSession, readSession, useMe } from '../../lib/session.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { OwnFactors, ownFactorsQuery } from '../profile/OwnFactors.tsx'

const route = getRouteApi('/second-factor')

/** For accounts of which the network requires a second factor. It stays until they go on: recovery codes are shown once. */
export function RequiredFactorPage() {
  const { history } = useRouter()
  const { returnUrl } = route.useSearch()
  const { username, mustAddFactor } = useMe()
  const { isPending } = useQuery(ownFactorsQuery)
  // The card is in the middle of the screen: what comes later would move it.
  if (isPending) return null
  return (
    <DoorFrame title="Add a second factor">
      <Stack gap="sm">
        <Text c="dimmed">
          {mustAddFactor
            ? `Your network requires a second factor of you, ${username}: your phone or a passkey as well as your password.`
            : 'From now on, signing in takes more than your password.'}
        </Text>
        <OwnFactors />
        {!mustAddFactor && (
          <Button
            size="sm"
            fullWidth
            onClick={() => history.replace(ownPath(returnUrl) ?? LANDING)}
          >
            Continue
          </Button>
        )}
        <Button variant="default" size="sm" fullWidth onClick={signOut}>
          Sign out
        </Button>
      </Stack>
    </DoorFrame>
  )

  function signOut() {
    const token = readSession()?.token
    forgetSession()
    history.replace('/login')
    // If the server is unreachable, the session expires by itself.
    if (token) call(authEndpoints.logout, {}, { token }).catch(() => {})
  }
}
