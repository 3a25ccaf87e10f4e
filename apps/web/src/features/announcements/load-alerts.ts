import type { QueryClient } from '@tanstack/react-query'
import { loadRichText } from '../../ui/rich-text/LaterRichText.tsx'
import { loginAlertsQuery } from './announcements.api.ts'

/**
 * Reads what the account is told above every page, before the first one is drawn: a banner that came later
 * would push away what somebody is about to click.
 */
export async function loadAlerts(client: QueryClient, accountId: number): Promise<void> {
  const { commonAlert } = await client.query({
    ...loginAlertsQuery(accountId),
    staleTime: 'static',
  })
  if (commonAlert) await loadRichText()
}
