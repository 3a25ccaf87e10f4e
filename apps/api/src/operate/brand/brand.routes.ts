import { brandEndpoints } from '@tallyroom/contract/operate/brand'
import { publicRoute, type Route } from '../../http/route.ts'
import type { Services } from '../../services.ts'

export const brandRoutes = ({ config }: Pick<Services, 'config'>): Route[] => [
  publicRoute(brandEndpoints.brand, async () => ({ key: config.brand })),
]
