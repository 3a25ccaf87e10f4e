import { announcementsEndpoints } from '@tallyroom/contract/announcements'
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

const REFRESH_MS = 60_000

/**
 * The alerts above every page. Fetched at sign-in and polled while a page is open. The polling also tells an idle
 * page within a minute that its session has ended elsewhere, and sends it to the sign-in page.
 */
export const loginAlertsQuery = (accountId: number) =>
  queryOptions({
    ...queryOf(loginAlerts, {}),
    queryKey: [loginAlerts.path, accountId],
    staleTime: 60_000,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
    // The user did not ask for it, and the next poll retries it.
    meta: { silentErrors: true },
  })

export const refreshAlerts = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [loginAlerts.path] })

/** Refetches the news, both on its own and as part of the dashboard. */
export const refreshNews = (client: QueryClient) =>
  Promise.all(
    [lastNews.path, '/api/dashboard'].map((path) => client.invalidateQueries({ queryKey: [path] })),
  )
