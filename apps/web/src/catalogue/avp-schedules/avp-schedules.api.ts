import { avpSchedulesEndpoints } from '@tallyroom/contract/catalogue/avp-schedules'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { FOR_FORM, queryOf, refreshOf } from '../../lib/queries.ts'

const { avpSchedules, avpPeriods } = avpSchedulesEndpoints

export const schedulesQuery = queryOf(avpSchedules, {})

export const schedulesFormQuery = queryOptions({
  queryKey: [avpSchedules.path, 'form'] as const,
  queryFn: ({ signal }) => call(avpSchedules, {}, { signal }),
  ...FOR_FORM,
})

export type NewSchedule = BodyOf<typeof avpSchedulesEndpoints.createAvpSchedule>

/** Also refetches the tiers on statistics pages. */
export const refreshSchedules = refreshOf(avpSchedules, avpPeriods)
