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

  formRoute(avpSchedulesEndpoints.createAvpSchedule, async ({ body }) => {
    await createSchedule(services, body)
    return { ok: true as const }
  }),

  formRoute(avpSchedulesEndpoints.updateAvpSchedule, async ({ params: { validFrom }, body }) => {
    await updateSchedule(services, validFrom, body)
    return { ok: true as const }
  }),

  route(avpSchedulesEndpoints.deleteAvpSchedule, async ({ params: { validFrom } }) => {
    await removeSchedule(services, validFrom)
    return { ok: true as const }
  }),
]
