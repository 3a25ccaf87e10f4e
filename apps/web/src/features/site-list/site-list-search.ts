import { siteListSortFields } from '@tallyroom/contract/list-choices'
import { z } from 'zod'
import { listSearch } from '../../ui/list/list-state.ts'

/** What the sites of an office or an agent keep in the URL. */
export const siteListSearchSchema = z.object(listSearch(siteListSortFields))

export type SiteListSearch = z.output<typeof siteListSearchSchema>

/** By the name of the site's host. */
export const standardSort = { sortField: 'hostname', sortAsc: true } as const
