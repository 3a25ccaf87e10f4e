import type { InputOf } from '@tallyroom/contract/endpoint'
import { savedViewsEndpoints } from '@tallyroom/contract/desk/saved-views'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'

const { savedViews, createSavedView, updateSavedView, moveSavedView, deleteSavedView } =
  savedViewsEndpoints

export const savedViewsQuery = queryOf(savedViews, {}, { staleTime: 60_000 })

export const refreshViews = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [savedViews.path] })

export const createView = (body: InputOf<typeof createSavedView>['body']) =>
  call(createSavedView, { body })

export const updateView = (id: number, body: InputOf<typeof updateSavedView>['body']) =>
  call(updateSavedView, { params: { id: String(id) }, body })

export const moveView = (id: number, to: 'up' | 'down') =>
  call(moveSavedView, { params: { id: String(id) }, body: { to } })

export const deleteView = (id: number) => call(deleteSavedView, { params: { id: String(id) } })
