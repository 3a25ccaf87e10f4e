import type { QueryClient } from '@tanstack/react-query'
import { loadRichText } from '../../ui/rich-text/LaterRichText.tsx'
import { loginAlertsQuery } from './announcements.api.ts'

/**
 * Fetches the alerts before the first page is drawn. A banner that appeared later would shift the page just as
 * somebody is about to click.
 */
export async function loadAlerts(client: QueryClient, accountId: number): Promise<void> {
  const { commonAlert } = await client.query({
    ...loginAlertsQuery(accountId),
    staleTime: 'static',
  })
  if (commonAlert) await loadRichText()
}
