import type { sortFields } from '@tallyroom/contract/list-choices'
import { siteManualsEndpoints } from '@tallyroom/contract/catalogue/manuals'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'
import { wireSort, type ListOrder } from '../../ui/list/list-state.ts'

const { siteManuals, siteManual, availableSites } = siteManualsEndpoints

export const manualsQuery = (order: ListOrder<(typeof sortFields.siteManuals)[number]>) =>
  queryOf(siteManuals, { query: wireSort(order) }, { keepPrevious: true })

export const manualFormQuery = (id: string) =>
  queryOptions({
    ...queryOf(siteManual, { params: { id } }),
    ...FOR_FORM,
  })

/** The sites without a manual, refetched for each form. */
export const availableSitesQuery = queryOptions({
  ...queryOf(availableSites, {}),
  ...FOR_FORM,
})

export const refreshManuals = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [siteManuals.path] })
