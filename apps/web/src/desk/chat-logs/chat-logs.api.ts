import { chatLogsEndpoints, type ChatLogsSearch } from '@tallyroom/contract/desk/chat-logs'
import { refreshOf } from '../../lib/queries.ts'
import type { LogCriteria } from '../../shared/log-criteria.ts'

/** In the format of the API. */
export function wireCriteria({ start, end, ...ids }: LogCriteria): ChatLogsSearch['criteria'] {
  const criteria: ChatLogsSearch['criteria'] = []
  for (const field of ['companyId', 'agentId', 'siteId'] as const) {
    const value = ids[field]
    if (value !== undefined) criteria.push({ field, operator: '=', value })
  }
  if (start && end) criteria.push({ field: 'submitTime', operator: 'BETWEEN', value: [start, end] })
  return criteria
}

export const refreshChatLogs = refreshOf(chatLogsEndpoints.searchChatLogs)
