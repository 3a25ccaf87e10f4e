import { sortFields } from '@tallyroom/contract/list-choices'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/page.ts'
import { searchChoice, searchDay, searchFlag, searchInt, searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

const whatIfSearch = z.object({
  ...listSearch(sortFields.whatIf),
  start: searchDay,
  end: searchDay,
  groupBy: searchChoice(['company', 'agent']),
  companyId: searchInt(1, MAX_ID),
  /** The site whose link types are edited. */
  siteId: searchInt(1, MAX_ID),
  /** `3:450:70.5,5::100`: link type, payout and bonus payout; empty means as paid. */
  rates: searchText(2000),
  /** Pesos of each tier of the schedule in force on the first day: `0,0,120,165`. */
  tiers: searchText(1000),
  /** False: own rates of offices are left alone. */
  replaceOwn: searchFlag,
})
export type WhatIfSearch = z.infer<typeof whatIfSearch>

export const whatIfRoutes = [
  page({
    path: '/sites/what-if',
    title: 'What if',
    ability: 'stats.payroll',
    search: whatIfSearch,
    component: lazyRouteComponent(() => import('./WhatIfPage.tsx'), 'WhatIfPage'),
  }),
] as const
