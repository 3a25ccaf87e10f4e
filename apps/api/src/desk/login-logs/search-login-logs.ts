import type { LoginLogItem, LoginLogsSearch } from '@tallyroom/contract/desk/login-logs'
import { brandOf } from '@tallyroom/domain/brands/index'
import { endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { invalid } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { networkOf } from '../../lib/net/ip-address.ts'
import { sessionIdleMs } from '../../people/index.ts'
import { countSessions, findSessions, type LoginLogRow } from './login-logs.queries.ts'

/** A page of the sessions in the viewer's scope. */
export async function searchLoginLogs(
  { db, clock, config }: Pick<Services, 'db' | 'clock' | 'config'>,
  viewer: Viewer,
  search: LoginLogsSearch,
): Promise<{ items: LoginLogItem[]; total: number }> {
  const { showIp } = brandOf(config.brand).flags
  // Searching by a hidden field would reveal it.
  const isByIp = search.ipAddress !== undefined || search.sortField === 'ip'
  if (isByIp && !showIp) throw invalid({ ipAddress: ['is not shown here'] })
  const network = search.ipAddress === undefined ? undefined : networkOf(search.ipAddress)
  if (search.ipAddress !== undefined && network === undefined) {
    throw invalid({ ipAddress: ['must be an address, an IPv4 prefix or a network'] })
  }

  const { page, pageSize: limit, start, end, companyId: officeId, agentId } = search
  const scope = scopeOf(viewer)
  const filter = {
    network,
    officeId,
    agentId,
    from: start === undefined ? undefined : startOfDay(start),
    before: end === undefined ? undefined : endOfDayExclusive(end),
  }
  const now = clock.now()
  const total = await countSessions(db, scope, filter)
  const rows = await findSessions(db, scope, filter, {
    now,
    idleSince: new Date(now.getTime() - sessionIdleMs),
    order: search,
    limit,
    offset: (page - 1) * limit,
  })
  return { items: rows.map((row) => presentSession(row, showIp)), total }
}

const presentSession = (
  { id, username, agentId, companyId, ip, inTime, outTime, signedInBy }: LoginLogRow,
  showIp: boolean,
): LoginLogItem => ({
  id,
  username,
  agentId,
  companyId,
  ...(showIp && { ip }),
  inTime: inTime.toISOString(),
  outTime: outTime?.toISOString() ?? null,
  signedInBy,
})
