import { sortFields } from '@tallyroom/contract/list-choices'
import { z } from 'zod'
import { listSearch } from '../../ui/list/list-state.ts'

/** What the sites of an office or an agent keep in the URL. */
export const siteListSearchSchema = z.object(listSearch(sortFields.siteList))

export type SiteListSearch = z.output<typeof siteListSearchSchema>

/** By the name of the site's host. */
export const standardSort = { sortField: 'hostname', sortAsc: true } as const
