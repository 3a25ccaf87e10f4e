import type { QueryClient } from '@tanstack/react-query'
import { readBrand } from '../../lib/brand.ts'
import { inTime } from '../../lib/in-time.ts'
import { readSession } from '../../lib/session.ts'
import { loadRichText } from '../../ui/rich-text/LaterRichText.tsx'
import { dashboardQuery, demoVisitorsQuery, homeQuery, manualsQuery } from './dashboard.api.ts'

/** Loads what decides the height above the boards, so that they do not jump. */
export const loadHome = (client: QueryClient) => inTime(load(client))

async function load(client: QueryClient) {
  const news = async () => {
    const { lastNews } = await client.query({ ...dashboardQuery, staleTime: 'static' })
    if (lastNews) await loadRichText()
  }
  // Awaited together, so that if one fails (for example because the session has ended), the others fail silently.
  await Promise.all([
    news(),
    client.query({ ...homeQuery, staleTime: 'static' }),
    readBrand().flags.howToSell && client.query({ ...manualsQuery, staleTime: 'static' }),
    readSession()?.me.role === 'superadmin' &&
      client.query({ ...demoVisitorsQuery, staleTime: 'static' }),
  ])
}
