import { sortFields } from '@tallyroom/contract/list-choices'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import {
  searchChoice,
  searchDay,
  searchFlag,
  searchIds,
  searchText,
} from '../../lib/pages/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

const criteria = z.object({
  ...listSearch(sortFields.whatIf),
  start: searchDay,
  end: searchDay,
  groupBy: searchChoice(['company', 'agent']),
  companyIds: searchIds(MAX_ID),
  /** The sites whose link types are edited. */
  siteIds: searchIds(MAX_ID),
  /** `3:450:70.5,5::100`: link type, payout and bonus payout; empty means as paid. */
  rates: searchText(2000),
  /** Pesos for each tier of the schedule in force on the first day: `0,0,120,165`. */
  tiers: searchText(1000),
  /** False: offices keep their own rates. */
  replaceOwn: searchFlag,
})
export type WhatIfSearch = z.infer<typeof criteria>

/**
 * Older saved views and links have one office and one site. Without these, they would mean all
 * offices.
 */
export const whatIfSearch = z.preprocess(
  (search: Record<string, unknown>) => ({
    ...search,
    companyIds: search['companyIds'] ?? search['companyId'],
    siteIds: search['siteIds'] ?? search['siteId'],
  }),
  criteria,
)
