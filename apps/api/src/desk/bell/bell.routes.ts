import { bellEndpoints } from '@tallyroom/contract/desk/bell'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { countBell, listBell, readBell } from './bell.ts'

export const bellRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(bellEndpoints.bellCount, ({ viewer }) => countBell(services, viewer)),
  route(bellEndpoints.bell, ({ viewer }) => listBell(services, viewer)),
  route(bellEndpoints.readBell, async ({ viewer, body }) => {
    await readBell(services, viewer, body)
    return { ok: true as const }
  }),
]
