import { ipBlacklistEndpoints } from '@tallyroom/contract/people/blacklist'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import {
  addToBlacklist,
  deleteFromBlacklist,
  deleteFromBlacklistByValue,
} from './change-blacklist.ts'
import { countBlackListRows, findBlackListRows } from './ip-blacklist.queries.ts'

export const ipBlacklistRoutes = (services: Pick<Services, 'db'>): Route[] => [
  route(ipBlacklistEndpoints.searchBlackListIp, async ({ body }) => {
    const [rows, total] = await Promise.all([
      findBlackListRows(services.db, body),
      countBlackListRows(services.db, body.criteria),
    ])
    return { items: rows.map((row) => ({ ...row, addedAt: row.addedAt.toISOString() })), total }
  }),

  route(ipBlacklistEndpoints.addBlackListIp, ({ body, ip }) =>
    addToBlacklist(services, { ip: body.ip, callerIp: ip }),
  ),

  route(ipBlacklistEndpoints.deleteBlackListIp, ({ params: { id } }) =>
    deleteFromBlacklist(services, id),
  ),

  route(ipBlacklistEndpoints.deleteBlackListIpsByValue, ({ body: { ips } }) =>
    deleteFromBlacklistByValue(services, ips),
  ),
]
