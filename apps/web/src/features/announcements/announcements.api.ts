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
 * What the account is told above every page: read at sign-in, and again while the pages are open. By the same
 * call an idle page learns within a minute that its session was ended elsewhere, and gives way to the sign-in.
 */
export const loginAlertsQuery = (accountId: number) =>
  queryOptions({
    ...queryOf(loginAlerts, {}),
    queryKey: [loginAlerts.path, accountId],
    staleTime: 60_000,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
    // Nobody asked for it: what fails is asked for again.
    meta: { silentErrors: true },
  })

export const refreshAlerts = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [loginAlerts.path] })

/** Wherever the last news are shown: the dashboard has them in an answer of its own. */
export const refreshNews = (client: QueryClient) =>
  Promise.all(
    [lastNews.path, '/api/dashboard'].map((path) => client.invalidateQueries({ queryKey: [path] })),
  )
