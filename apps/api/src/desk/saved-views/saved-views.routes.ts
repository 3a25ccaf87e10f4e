import { savedViewsEndpoints } from '@tallyroom/contract/desk/saved-views'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { changeView, createView, listViews, moveView, removeView } from './saved-views.ts'

export const savedViewsRoutes = (services: Pick<Services, 'db'>): Route[] => [
  route(savedViewsEndpoints.savedViews, ({ viewer }) => listViews(services, viewer)),

  formRoute(savedViewsEndpoints.createSavedView, async ({ viewer, body }) => ({
    id: await createView(services, viewer, body),
  })),

  formRoute(savedViewsEndpoints.updateSavedView, ({ viewer, params: { id }, body }) =>
    changeView(services, viewer, id, body),
  ),

  route(savedViewsEndpoints.moveSavedView, ({ viewer, params: { id }, body: { to } }) =>
    moveView(services, viewer, id, to),
  ),

  route(savedViewsEndpoints.deleteSavedView, ({ viewer, params: { id } }) =>
    removeView(services, viewer, id),
  ),
]
