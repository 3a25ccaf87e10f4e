export { importAgents } from './import-agents.ts'
export { migrationRoutes } from './agent-migration.routes.ts'
export { FileError } from './read-agents.ts'
