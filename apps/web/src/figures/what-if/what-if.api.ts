import { avpSchedulesEndpoints } from '@tallyroom/contract/catalogue/avp-schedules'
import type { InputOf } from '@tallyroom/contract/endpoint'
import type { ExportFormat } from '@tallyroom/contract/export-formats'
import { exportsEndpoints } from '@tallyroom/contract/desk/exports'
import { type LinkTypeItem, linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { whatIfEndpoints } from '@tallyroom/contract/figures/what-if'
import type { Day } from '@tallyroom/domain/new-york'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { isApiError } from '../../lib/api-error.ts'
import { queryOf, queryOnceAsked } from '../../lib/queries.ts'
import { saveAnswer, type SaveOptions } from '../../lib/forms/save-answer.ts'
import { OPTIONS_STALE_MS } from '../../shared/pickers/picker.ts'
import { siteOptionsQuery } from '../../shared/pickers/SitesSelect.tsx'

const { whatIf } = whatIfEndpoints
export type WhatIfBody = InputOf<typeof whatIf>['body']

/** Nothing is requested without other rates or tiers. */
export const whatIfQuery = (body: WhatIfBody | undefined) =>
  queryOnceAsked(whatIf, body && { body }, { meta: { ownErrors: true } })

export const saveWhatIf = (
  criteria: WhatIfBody,
  format: ExportFormat,
  options: SaveOptions,
): Promise<void> =>
  saveAnswer(exportsEndpoints.exportWhatIf, { body: { format, criteria } }, options)

/** A site with its link types, whose rates are edited. */
export interface RateSite {
  id: number
  name: string
  types: readonly LinkTypeItem[]
}

/**
 * The chosen sites that still exist, with their link types. While more load, the previous ones
 * stay.
 */
export function useRateSites(siteIds: readonly number[]): {
  sites: RateSite[]
  /** The query of their link types. */
  types: { error: Error | null; refetch: () => unknown }
  isPending: boolean
} {
  const hasAny = siteIds.length > 0
  const names = useQuery({ ...siteOptionsQuery, enabled: hasAny })
  const types = useQuery({
    queryKey: [linkTypesEndpoints.typesBySite.path, 'of sites', siteIds],
    queryFn: async ({ client }) => {
      const found = await Promise.all(
        siteIds.map(async (id) => {
          try {
            return [{ id, types: await client.query(typesQuery(id)) }]
          } catch (error) {
            // A saved view may name a site that was deleted.
            if (isApiError(error, 'NOT_FOUND')) return []
            throw error
          }
        }),
      )
      return found.flat()
    },
    meta: { ownErrors: true },
    enabled: hasAny,
    placeholderData: keepPreviousData,
  })
  const loaded = hasAny ? (types.data ?? []) : []
  return {
    sites: loaded.map(({ id, types: found }) => ({
      id,
      name: names.data?.find((site) => site.id === id)?.label ?? `Site ${id}`,
      types: found,
    })),
    types,
    isPending: hasAny && (names.isPending || types.isPending),
  }
}

/** A function that names a link type, with its site if there are several. */
export const nameOfTypeIn =
  (sites: readonly RateSite[]) =>
  (typeId: number): string => {
    for (const { name, types } of sites) {
      const type = types.find(({ id }) => id === typeId)
      if (type) return sites.length > 1 ? `${name}, ${type.typename}` : type.typename
    }
    return ''
  }

const typesQuery = (siteId: number) =>
  queryOf(
    linkTypesEndpoints.typesBySite,
    { params: { siteId: String(siteId) }, query: {} },
    { staleTime: OPTIONS_STALE_MS },
  )

/** The tiers in force on a day. The page shows its failures. */
export const tiersQuery = (day: Day) =>
  queryOf(
    avpSchedulesEndpoints.avpPeriods,
    { query: { day } },
    { staleTime: OPTIONS_STALE_MS, meta: { ownErrors: true } },
  )
