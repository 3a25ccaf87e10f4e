import { announcementsEndpoints } from '@tallyroom/contract/desk/announcements'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'

const { lastNews, lastAlert, loginAlerts } = announcementsEndpoints

export const newsFormQuery = queryOptions({
  ...queryOf(lastNews, {}),
  queryKey: [lastNews.path, 'form'],
  ...FOR_FORM,
})

export const alertFormQuery = queryOptions({
  ...queryOf(lastAlert, {}),
  ...FOR_FORM,
})

export const refreshAlerts = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [loginAlerts.path] })

/** Refetches the news, both on its own and as part of the dashboard. */
export const refreshNews = (client: QueryClient) =>
  Promise.all(
    [lastNews.path, '/api/dashboard'].map((path) => client.invalidateQueries({ queryKey: [path] })),
  )
