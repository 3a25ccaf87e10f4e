import { chatLogsEndpoints } from '@tallyroom/contract/desk/chat-logs'
import { scopeOf } from '../../access/scope.ts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { countChatLogs, findChatLogs } from './chat-logs.queries.ts'
import { submitChatLog } from './submit-chat-log.ts'

export const chatLogsRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(chatLogsEndpoints.searchChatLogs, async ({ viewer, body }) => {
    const { db } = services
    const scope = scopeOf(viewer)
    const total = await countChatLogs(db, scope, body.criteria)
    const rows = await findChatLogs(db, scope, body)
    const items = rows.map((row) => ({ ...row, submitTime: row.submitTime.toISOString() }))
    return { items, total }
  }),

  route(chatLogsEndpoints.submitChatLog, ({ viewer, body }) =>
    submitChatLog(services, viewer, body),
  ),
]
