import { avpSchedulesEndpoints } from '@tallyroom/contract/catalogue/avp-schedules'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'

const { avpSchedules, createAvpSchedule } = avpSchedulesEndpoints

export const schedulesQuery = queryOf(avpSchedules, {})

export const schedulesFormQuery = queryOptions({
  queryKey: [avpSchedules.path, 'form'] as const,
  queryFn: ({ signal }) => call(avpSchedules, {}, { signal }),
  ...FOR_FORM,
})

export type NewSchedule = InputOf<typeof createAvpSchedule>['body']

/** Also refetches the tiers on statistics pages. */
export const refreshSchedules = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: [avpSchedules.path] }),
    client.invalidateQueries({ queryKey: [avpSchedulesEndpoints.avpPeriods.path] }),
  ])
