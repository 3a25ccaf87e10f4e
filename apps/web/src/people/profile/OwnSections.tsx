import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { OwnFactors, ownFactorsQuery } from './OwnFactors.tsx'
import { notificationsQuery, OwnNotifications } from './OwnNotifications.tsx'
import { OwnProvider, ownProviderQuery } from './OwnProvider.tsx'
import { OwnSessions, ownSessionsQuery } from './OwnSessions.tsx'
import { OwnTokens, ownTokensQuery } from './OwnTokens.tsx'

const route = getRouteApi('/app/profile')

/** What stands below every account's form. It appears all at once: one that came late would push the others down. */
export function OwnSections() {
  const { add } = route.useSearch()
  const navigate = route.useNavigate()
  const sessions = useQuery(ownSessionsQuery)
  const notifications = useQuery(notificationsQuery)
  const tokens = useQuery(ownTokensQuery)
  const factors = useQuery(ownFactorsQuery)
  const provider = useQuery(ownProviderQuery)
  const isPending =
    provider.isPending ||
    factors.isPending ||
    sessions.isPending ||
    notifications.isPending ||
    tokens.isPending
  return (
    <Stack gap="xl" display={isPending ? 'none' : undefined}>
      <OwnFactors
        addsPasskey={add === 'passkey'}
        onClosed={() => void (add && navigate({ search: {}, replace: true, resetScroll: false }))}
      />
      <OwnProvider />
      <OwnSessions />
      <OwnNotifications />
      <OwnTokens />
    </Stack>
  )
}
