import { savedViewsEndpoints } from '@tallyroom/contract/desk/saved-views'
import { queryOf, refreshOf } from '../../lib/queries.ts'

const { savedViews } = savedViewsEndpoints

export const savedViewsQuery = queryOf(savedViews, {}, { staleTime: 60_000 })

export const refreshViews = refreshOf(savedViews)
