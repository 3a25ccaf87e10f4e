export { loginLogsRoutes } from './login-logs.routes.ts'
