import { savedViewsEndpoints } from '@tallyroom/contract/desk/saved-views'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { changeView, createView, listViews, moveView, removeView } from './saved-views.ts'

const done = { ok: true } as const

export const savedViewsRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(savedViewsEndpoints.savedViews, ({ viewer }) => listViews(services, viewer)),

  formRoute(savedViewsEndpoints.createSavedView, async ({ viewer, body }) => ({
    id: await createView(services, viewer, body),
  })),

  formRoute(savedViewsEndpoints.updateSavedView, async ({ viewer, params: { id }, body }) => {
    await changeView(services, viewer, id, body)
    return done
  }),

  route(savedViewsEndpoints.moveSavedView, async ({ viewer, params: { id }, body: { to } }) => {
    await moveView(services, viewer, id, to)
    return done
  }),

  route(savedViewsEndpoints.deleteSavedView, async ({ viewer, params: { id } }) => {
    await removeView(services, viewer, id)
    return done
  }),
]
