import type { InputOf } from '@tallyroom/contract/endpoint'
import { siteManualsEndpoints, type manualSortFields } from '@tallyroom/contract/site-manuals'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'

const { siteManuals, siteManual, availableSites, createSiteManual, updateSiteManual } =
  siteManualsEndpoints

interface ManualsOrder {
  sortField: (typeof manualSortFields)[number]
  sortAsc: boolean
}

export const manualsQuery = ({ sortField, sortAsc }: ManualsOrder) =>
  queryOf(
    siteManuals,
    { query: { sortField, sortAsc: sortAsc ? 'true' : 'false' } },
    { keepPrevious: true },
  )

export const getManual = (id: string) => call(siteManual, { params: { id } })

/** Read anew whenever a form is opened, and never renewed under the hands of whoever fills it in. */
export const manualFormQuery = (id: string) =>
  queryOptions({
    ...queryOf(siteManual, { params: { id } }, { gcTime: 0, staleTime: Infinity }),
    meta: { ownErrors: true },
  })

/** The sites that a new manual can be for; read anew with each form. */
export const availableSitesQuery = queryOptions({
  ...queryOf(availableSites, {}, { gcTime: 0, staleTime: Infinity }),
  meta: { ownErrors: true },
})

export type NewManual = InputOf<typeof createSiteManual>['body']
export type ManualChange = InputOf<typeof updateSiteManual>['body']

export const createManual = (body: NewManual) => call(createSiteManual, { body })

export const updateManual = (id: number, body: ManualChange) =>
  call(updateSiteManual, { params: { id: String(id) }, body })

export const deleteManual = (id: number) =>
  call(siteManualsEndpoints.deleteSiteManual, { params: { id: String(id) } })

export const refreshManuals = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [siteManuals.path] })
