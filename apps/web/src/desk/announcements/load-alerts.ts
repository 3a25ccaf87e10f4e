import { loginAlertsEndpoints } from '@tallyroom/contract/desk/login-alerts'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { loadRichText } from '../../ui/rich-text/LaterRichText.tsx'

const { loginAlerts } = loginAlertsEndpoints

const REFRESH_MS = 60_000

/**
 * The alerts above every page. Fetched at sign-in and polled while a page is open. The polling also tells an idle
 * page within a minute that its session has ended elsewhere, and sends it to the sign-in page.
 */
export const loginAlertsQuery = (accountId: number) =>
  queryOptions({
    ...queryOf(loginAlerts, {}),
    queryKey: [loginAlerts.path, accountId],
    staleTime: 60_000,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
    // The user did not ask for it, and the next poll retries it.
    meta: { silentErrors: true },
  })

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
