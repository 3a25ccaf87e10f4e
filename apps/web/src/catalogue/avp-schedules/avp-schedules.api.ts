import { avpSchedulesEndpoints } from '@tallyroom/contract/catalogue/avp-schedules'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import { refreshOf } from '../../lib/queries.ts'

const { avpSchedules, avpPeriods } = avpSchedulesEndpoints

export type NewSchedule = BodyOf<typeof avpSchedulesEndpoints.createAvpSchedule>

/** Also refetches the tiers on statistics pages. */
export const refreshSchedules = refreshOf(avpSchedules, avpPeriods)
