import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { OwnFactors, ownFactorsQuery } from './OwnFactors.tsx'
import { notificationsQuery, OwnNotifications } from './OwnNotifications.tsx'
import { OwnProvider, ownProviderQuery } from './OwnProvider.tsx'
import { OwnSessions, ownSessionsQuery } from './OwnSessions.tsx'
import { OwnTokens, ownTokensQuery } from './OwnTokens.tsx'

/** What stands below every account's form. It appears all at once: one that came late would push the others down. */
export function OwnSections() {
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
      <OwnFactors />
      <OwnProvider />
      <OwnSessions />
      <OwnNotifications />
      <OwnTokens />
    </Stack>
  )
}
