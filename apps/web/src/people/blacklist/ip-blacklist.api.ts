import type { InputOf } from '@tallyroom/contract/endpoint'
import { ipBlacklistEndpoints } from '@tallyroom/contract/people/blacklist'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'

const { searchBlackListIp: search, deleteBlackListIpsByValue: removeByValue } = ipBlacklistEndpoints

type BlackListRequest = InputOf<typeof search>['body']

export const blackListQuery = (body: BlackListRequest) =>
  queryOf(search, { body }, { keepPrevious: true })

/** Takes at most MAX_IPS_DELETED addresses. */
export const deleteIps = (ips: readonly string[]) =>
  call(removeByValue, { body: { ips: [...ips] } })

export const refreshBlackList = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [search.path] })
