import { officeFeesEndpoints } from '@tallyroom/contract/office-fees'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { listOfficeFees, saveOfficeFee } from './save-office-fee.ts'

export const officeFeesRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(officeFeesEndpoints.officeFees, ({ viewer, query }) =>
    listOfficeFees(services, viewer, query),
  ),

  route(officeFeesEndpoints.saveOfficeFee, ({ viewer, body }) =>
    saveOfficeFee(services, viewer, body),
  ),
]
