import { importEndpoints } from '@tallyroom/contract/people/import'
import { type Route, route } from '../../http/route.ts'
import { agentImport } from './import-agents.ts'
import { officeImport } from './import-offices.ts'
import { checkPeople, importPeople, type ImportServices } from './import-people.ts'

export const importRoutes = (services: ImportServices): Route[] => [
  route(importEndpoints.checkOfficeFile, ({ viewer, body }) =>
    checkPeople(officeImport, services, viewer, body.file),
  ),
  route(importEndpoints.importOffices, ({ viewer, body }) =>
    importPeople(officeImport, services, viewer, body.file),
  ),
  route(importEndpoints.checkAgentFile, ({ viewer, body }) =>
    checkPeople(agentImport, services, viewer, body.file),
  ),
  route(importEndpoints.importAgents, ({ viewer, body }) =>
    importPeople(agentImport, services, viewer, body.file),
  ),
]
