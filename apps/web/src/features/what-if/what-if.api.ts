import { avpSchedulesEndpoints } from '@tallyroom/contract/avp-schedules'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { type ExportFormat, exportsEndpoints } from '@tallyroom/contract/exports'
import { linkTypesEndpoints } from '@tallyroom/contract/link-types'
import { whatIfEndpoints } from '@tallyroom/contract/what-if'
import type { Day } from '@tallyroom/domain/new-york'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'
import { saveAnswer, type SaveOptions } from '../../lib/save-answer.ts'
import { OPTIONS_STALE_MS } from '../../pickers/picker.ts'

const { whatIf } = whatIfEndpoints
export type WhatIfBody = InputOf<typeof whatIf>['body']

/** Nothing is asked without other rates or tiers. */
export const whatIfQuery = (body: WhatIfBody | undefined) =>
  queryOptions({
    queryKey: [whatIf.path, body] as const,
    queryFn: body ? ({ signal }) => call(whatIf, { body }, { signal }) : skipToken,
    placeholderData: keepPreviousData,
    meta: { ownErrors: true },
  })

export const saveWhatIf = (
  criteria: WhatIfBody,
  format: ExportFormat,
  options: SaveOptions,
): Promise<void> =>
  saveAnswer(exportsEndpoints.exportWhatIf, { body: { format, criteria } }, options)

export const typesQuery = (siteId: number) =>
  queryOf(
    linkTypesEndpoints.typesBySite,
    { params: { siteId: String(siteId) }, query: {} },
    { staleTime: OPTIONS_STALE_MS },
  )

/** The tiers in force on a day. */
export const tiersQuery = (day: Day) =>
  queryOf(avpSchedulesEndpoints.avpPeriods, { query: { day } }, { staleTime: OPTIONS_STALE_MS })
