export { statementFilesRoutes } from './statement-files.routes.ts'
