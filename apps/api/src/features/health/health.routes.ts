import { brandEndpoints } from '@tallyroom/contract/brand'
import { healthEndpoints } from '@tallyroom/contract/health'
import { AppError } from '../../http/errors.ts'
import { publicRoute, type Route } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'

export const healthRoutes = (
  { db, config }: Pick<Services, 'db' | 'config'>,
  clicks: { isReady(): boolean },
): Route[] => [
  publicRoute(healthEndpoints.health, async () => {
    await db
      .selectFrom('change_counters')
      .select('topic')
      .limit(1)
      .execute()
      .catch((cause: unknown) => {
        throw new AppError('UNAVAILABLE', 'The database can not be reached.', {
          retryAfter: 5,
          cause,
        })
      })
    if (!clicks.isReady()) {
      throw new AppError('UNAVAILABLE', 'The tracked links are not loaded yet.', { retryAfter: 1 })
    }
    return { status: 'ready' as const }
  }),

  publicRoute(brandEndpoints.brand, async () => ({ key: config.brand })),
]
