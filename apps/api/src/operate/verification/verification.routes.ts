import { verificationEndpoints } from '@tallyroom/contract/operate/verification'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { askVerification } from './verifications.queries.ts'
import { listVerifications } from './verifications.ts'

export const verificationRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(verificationEndpoints.verifications, () => listVerifications(services)),
  route(verificationEndpoints.verifyNow, ({ params: { what } }) =>
    askVerification(services.db, what, services.clock.now()),
  ),
]
