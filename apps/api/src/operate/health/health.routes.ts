import { healthEndpoints } from '@tallyroom/contract/operate/health'
import { AppError } from '../../errors.ts'
import { publicRoute, type Route } from '../../http/route.ts'
import type { Services } from '../../services.ts'

/** Health checks usually time out after a second or more. */
const LONGEST_WAIT_MS = 800

const reasons = {
  refuses: 'The database is unreachable.',
  silent: 'The database does not respond.',
}

export const healthRoutes = (
  { pulse }: Pick<Services, 'pulse'>,
  clicks: { isReady(): boolean },
): Route[] => [
  publicRoute(healthEndpoints.health, async () => {
    const state = await pulse.feel(LONGEST_WAIT_MS)
    if (state !== 'beats') {
      throw new AppError('UNAVAILABLE', reasons[state], { retryAfter: 5 })
    }
    if (!clicks.isReady()) {
      throw new AppError('UNAVAILABLE', 'Tracked links are not ready yet.', { retryAfter: 1 })
    }
    return { status: 'ready' as const }
  }),
]
