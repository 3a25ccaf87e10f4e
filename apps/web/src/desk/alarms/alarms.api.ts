import { alarmsEndpoints } from '@tallyroom/contract/desk/alarms'
import { homeEndpoints } from '@tallyroom/contract/desk/home'
import type { Watched } from '@tallyroom/domain/alarms'
import { queryOptions } from '@tanstack/react-query'
import type { Within } from '../../shared/within.ts'
import { FOR_FORM, queryOf, refreshOf } from '../../lib/queries.ts'

const { alarms, alarmChart, alarmSettings } = alarmsEndpoints

/** As often as they are looked for, and a little more. */
const POLL_MS = 60_000

export const alarmsQuery = ({ siteId, companyId }: Within) =>
  queryOptions({
    ...queryOf(
      alarms,
      {
        query: {
          ...(siteId !== undefined && { siteId: String(siteId) }),
          ...(companyId !== undefined && { companyId: String(companyId) }),
        },
      },
      { meta: { ownErrors: true } },
    ),
    refetchInterval: POLL_MS,
  })

export const alarmChartQuery = (watched: Watched, id: number) =>
  queryOptions({
    ...queryOf(
      alarmChart,
      { query: { watched, id: String(id) } },
      { keepPrevious: true, meta: { ownErrors: true } },
    ),
    refetchInterval: POLL_MS,
  })

export const alarmSettingsQuery = queryOptions({ ...queryOf(alarmSettings, {}), ...FOR_FORM })

export const refreshAlarms = refreshOf(alarms, homeEndpoints.home)
