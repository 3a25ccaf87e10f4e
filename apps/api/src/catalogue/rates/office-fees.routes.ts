import { officeFeesEndpoints } from '@tallyroom/contract/catalogue/office-fees'
import { ratesEndpoints } from '@tallyroom/contract/catalogue/rates'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { listRates, prepareRate, prepareRates, withdrawRate } from './dated-rates.ts'
import { listOfficeFees, saveOfficeFee } from './save-office-fee.ts'

export const officeFeesRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(officeFeesEndpoints.officeFees, ({ viewer, query }) =>
    listOfficeFees(services, viewer, query),
  ),

  formRoute(officeFeesEndpoints.saveOfficeFee, ({ viewer, body }) =>
    saveOfficeFee(services, viewer, body),
  ),
  route(ratesEndpoints.rates, ({ viewer, query }) => listRates(services, viewer, query)),
  route(ratesEndpoints.prepareRate, ({ viewer, body }) => prepareRate(services, viewer, body)),
  route(ratesEndpoints.prepareRates, ({ viewer, body }) => prepareRates(services, viewer, body)),
  route(ratesEndpoints.withdrawRate, ({ viewer, params: { id } }) =>
    withdrawRate(services, viewer, id),
  ),
]
