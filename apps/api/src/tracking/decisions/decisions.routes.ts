import { decisionsEndpoints } from '@tallyroom/contract/tracking/decisions'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import type { FindTierPay } from '../postbacks/settle-held.ts'
import type { Stores } from '../stores.ts'
import { decideHeld, undoDecision } from './decide.ts'
import { findDeciders } from './decisions.queries.ts'
import { followUp } from './follow-up.ts'

export const decisionsRoutes = (services: Services & Stores, findTierPay: FindTierPay): Route[] => [
  route(decisionsEndpoints.decideHeldPostback, ({ viewer, params, body }) =>
    decideHeld({ ...services, findTierPay }, viewer, params.id, body),
  ),
  route(decisionsEndpoints.undoDecision, ({ params }) => undoDecision(services, params.id)),
  route(decisionsEndpoints.followUpHeldPostback, ({ viewer, params, body }) =>
    followUp(services, viewer, params.id, body),
  ),
  route(decisionsEndpoints.deciders, () => findDeciders(services.db)),
]
