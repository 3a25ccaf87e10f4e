import { announcementsEndpoints } from '@tallyroom/contract/desk/announcements'
import { queryOptions } from '@tanstack/react-query'
import { formQueryOf, refreshOf } from '../../lib/queries.ts'

const { lastNews, lastAlert, loginAlerts } = announcementsEndpoints

export const newsFormQuery = queryOptions({
  ...formQueryOf(lastNews, {}),
  queryKey: [lastNews.path, 'form'],
})

export const alertFormQuery = formQueryOf(lastAlert, {})

export const refreshAlerts = refreshOf(loginAlerts)

/** Refetches the news, both on its own and as part of the dashboard. */
export const refreshNews = refreshOf(lastNews, { path: '/api/dashboard' })
