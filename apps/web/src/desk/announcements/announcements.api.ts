import { announcementsEndpoints } from '@tallyroom/contract/desk/announcements'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'

const { lastNews, publishNews, lastAlert, publishAlert, loginAlerts } = announcementsEndpoints

export const newsFormQuery = queryOptions({
  ...queryOf(lastNews, {}),
  queryKey: [lastNews.path, 'form'],
  ...FOR_FORM,
})

export const alertFormQuery = queryOptions({
  ...queryOf(lastAlert, {}),
  ...FOR_FORM,
})

export const getNews = () => call(lastNews, {})

export const getAlert = () => call(lastAlert, {})

export type NewsChange = InputOf<typeof publishNews>['body']
export type AlertChange = InputOf<typeof publishAlert>['body']

export const saveNews = (body: NewsChange) => call(publishNews, { body })

export const saveAlert = (body: AlertChange) => call(publishAlert, { body })

export const refreshAlerts = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [loginAlerts.path] })

/** Refetches the news, both on its own and as part of the dashboard. */
export const refreshNews = (client: QueryClient) =>
  Promise.all(
    [lastNews.path, '/api/dashboard'].map((path) => client.invalidateQueries({ queryKey: [path] })),
  )
