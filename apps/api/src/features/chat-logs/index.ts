export { countChatLogs } from './chat-logs.queries.ts'
export { chatLogsRoutes } from './chat-logs.routes.ts'
