import { rateBackdatingEndpoints } from '@tallyroom/contract/pay/backdating/backdating'
import { type Route, route } from '../../http/route.ts'
import {
  backdateRate,
  type Dependencies,
  previewBackdating,
  previewUndo,
  undoBackdating,
} from './backdating.ts'
import { listBackdatings } from './read-backdatings.ts'

export const rateBackdatingRoutes = (services: Dependencies): Route[] => [
  route(rateBackdatingEndpoints.rateBackdatings, ({ viewer, query }) =>
    listBackdatings(services, viewer, query),
  ),
  route(rateBackdatingEndpoints.previewBackdating, ({ viewer, body }) =>
    previewBackdating(services, viewer, body),
  ),
  route(rateBackdatingEndpoints.backdateRate, ({ viewer, body }) =>
    backdateRate(services, viewer, body),
  ),
  route(rateBackdatingEndpoints.previewUndo, ({ viewer, params: { id } }) =>
    previewUndo(services, viewer, id),
  ),
  route(rateBackdatingEndpoints.undoBackdating, ({ viewer, params: { id }, body }) =>
    undoBackdating(services, viewer, id, body),
  ),
]
