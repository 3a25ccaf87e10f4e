import { avpSchedulesEndpoints } from '@tallyroom/contract/catalogue/avp-schedules'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import {
  createSchedule,
  listSchedules,
  removeSchedule,
  tiersInForce,
  updateSchedule,
} from './save-schedule.ts'

export const avpScheduleRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(avpSchedulesEndpoints.avpPeriods, ({ query: { day } }) => tiersInForce(services, day)),

  route(avpSchedulesEndpoints.avpSchedules, () => listSchedules(services)),

  formRoute(avpSchedulesEndpoints.createAvpSchedule, ({ body }) => createSchedule(services, body)),

  formRoute(avpSchedulesEndpoints.updateAvpSchedule, ({ params: { validFrom }, body }) =>
    updateSchedule(services, validFrom, body),
  ),

  route(avpSchedulesEndpoints.deleteAvpSchedule, ({ params: { validFrom } }) =>
    removeSchedule(services, validFrom),
  ),
]
