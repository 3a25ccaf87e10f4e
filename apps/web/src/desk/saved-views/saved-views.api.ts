import { savedViewsEndpoints } from '@tallyroom/contract/desk/saved-views'
import type { QueryClient } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'

const { savedViews } = savedViewsEndpoints

export const savedViewsQuery = queryOf(savedViews, {}, { staleTime: 60_000 })

export const refreshViews = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [savedViews.path] })
