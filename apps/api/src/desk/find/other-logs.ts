import { clickLogsSearchSchema } from '@tallyroom/contract/desk/click-logs'
import type { LogName, OtherLogs, OtherLogsAsked } from '@tallyroom/contract/desk/find'
import { saleLogsSearchSchema } from '@tallyroom/contract/desk/sale-logs'
import { can } from '@tallyroom/domain/abilities'
import { endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { countChatLogs } from '../chat-logs/chat-logs.queries.ts'
import { type ClickLogServices, searchClickLogs } from '../click-logs/search-click-logs.ts'
import { countPostbacksIn } from '../../tracking/index.ts'
import { searchSaleLogs } from '../sale-logs/search-sale-logs.ts'

type Criteria = Omit<OtherLogsAsked, 'empty'>

/** The logs that have entries where one has none. Their totals are those of their pages. */
export async function findOtherLogs(
  services: ClickLogServices,
  viewer: Viewer,
  { empty, ...criteria }: OtherLogsAsked,
): Promise<OtherLogs> {
  const hasDays = criteria.start !== undefined || criteria.end !== undefined
  const anyDay = { ...criteria, start: undefined, end: undefined }
  const names = Object.keys(counts) as LogName[] // the keys of a constant
  const totals = await Promise.all(
    names.map(async (log) => ({
      log,
      total: log === empty ? 0 : await counts[log](services, viewer, criteria),
    })),
  )
  return {
    others: totals.filter(({ total }) => total > 0),
    onAnyDay: hasDays ? await counts[empty](services, viewer, anyDay) : null,
  }
}

type Count = (services: ClickLogServices, viewer: Viewer, criteria: Criteria) => Promise<number>

const counts = {
  async sales(services, viewer, criteria) {
    const search = saleLogsSearchSchema.parse({ ...criteria, pageSize: 1 })
    return (await searchSaleLogs(services, viewer, search)).items.total
  },
  async clicks(services, viewer, criteria) {
    const search = clickLogsSearchSchema.parse({ ...criteria, pageSize: 1 })
    return (await searchClickLogs(services, viewer, search)).total
  },
  chats: ({ db }, viewer, { companyId, agentId, siteId, start, end }) => {
    const equal = (field: 'companyId' | 'agentId' | 'siteId', value: number | undefined) =>
      value === undefined ? [] : [{ field, operator: '=' as const, value }]
    const days =
      start === undefined && end === undefined
        ? []
        : [
            {
              field: 'submitTime' as const,
              operator: 'BETWEEN' as const,
              value: [start ?? FIRST_DAY, end ?? LAST_DAY] as [string, string],
            },
          ]
    return countChatLogs(db, scopeOf(viewer), [
      ...equal('companyId', companyId),
      ...equal('agentId', agentId),
      ...equal('siteId', siteId),
      ...days,
    ])
  },
  postbacks: async ({ db, clock }, viewer, { companyId, agentId, siteId, start, end }) => {
    if (!can(viewer, 'postbacks.view') || companyId !== undefined || agentId !== undefined) return 0
    return countPostbacksIn(
      { db, now: clock.now() },
      {
        siteId,
        from: start === undefined ? undefined : startOfDay(start),
        before: end === undefined ? undefined : endOfDayExclusive(end),
      },
    )
  },
} satisfies Record<LogName, Count>

const FIRST_DAY = '2000-01-01'
const LAST_DAY = '9999-12-30'
