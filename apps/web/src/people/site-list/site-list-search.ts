import { sortFields } from '@tallyroom/contract/list-choices'
import { z } from 'zod'
import { listSearch } from '../../ui/list/list-state.ts'

/** The list's state in the URL. */
export const siteListSearchSchema = z.object(listSearch(sortFields.siteList))

export type SiteListSearch = z.output<typeof siteListSearchSchema>

export const standardSort = { sortField: 'hostname', sortAsc: true } as const
