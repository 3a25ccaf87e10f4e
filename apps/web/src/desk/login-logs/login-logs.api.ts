import { loginLogsEndpoints } from '@tallyroom/contract/desk/login-logs'
import type { InputOf } from '@tallyroom/contract/endpoint'
import type { QueryClient } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'

const { searchLoginLogs: search } = loginLogsEndpoints

type LoginLogsRequest = InputOf<typeof search>['body']

export const loginLogsQuery = (body: LoginLogsRequest) =>
  queryOf(search, { body }, { keepPrevious: true })

/** Refetches the list, so that new entries show. */
export const refreshLoginLogs = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [search.path] })
