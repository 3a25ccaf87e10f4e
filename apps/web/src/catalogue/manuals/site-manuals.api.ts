import { siteManualsEndpoints } from '@tallyroom/contract/catalogue/manuals'
import { formQueryOf, refreshOf } from '../../lib/queries.ts'

const { siteManuals, siteManual, availableSites } = siteManualsEndpoints

export const manualFormQuery = (id: string) => formQueryOf(siteManual, { params: { id } })

/** The sites without a manual, refetched for each form. */
export const availableSitesQuery = formQueryOf(availableSites, {})

export const refreshManuals = refreshOf(siteManuals)
