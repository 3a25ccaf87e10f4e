import { brandEndpoints } from '@tallyroom/contract/brand'
import { healthEndpoints } from '@tallyroom/contract/health'
import { sql } from 'kysely'
import { AppError } from '../../http/errors.ts'
import { publicRoute, type Route } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'

export const healthRoutes = ({ db, config }: Pick<Services, 'db' | 'config'>): Route[] => [
  publicRoute(healthEndpoints.health, async () => {
    await sql`select 1`.execute(db).catch((cause: unknown) => {
      throw new AppError('UNAVAILABLE', 'The database can not be reached.', {
        retryAfter: 5,
        cause,
      })
    })
    return { status: 'ready' as const }
  }),

  publicRoute(brandEndpoints.brand, async () => ({ key: config.brand })),
]
