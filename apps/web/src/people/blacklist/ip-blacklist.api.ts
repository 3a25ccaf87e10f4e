import { ipBlacklistEndpoints } from '@tallyroom/contract/people/blacklist'
import { call } from '../../lib/call.ts'
import { refreshOf } from '../../lib/queries.ts'

const { searchBlackListIp: search, deleteBlackListIpsByValue: removeByValue } = ipBlacklistEndpoints

/** Takes at most MAX_IPS_DELETED addresses. */
export const deleteIps = (ips: readonly string[]) =>
  call(removeByValue, { body: { ips: [...ips] } })

export const refreshBlackList = refreshOf(search)
