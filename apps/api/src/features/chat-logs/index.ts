export { chatLogsRoutes } from './chat-logs.routes.ts'
