import { sortFields } from '@tallyroom/contract/list-choices'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/page.ts'
import { searchInt } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

const avpWeekSearch = z.object({
  ...listSearch(sortFields.avpWeek),
  companyId: searchInt(1, MAX_ID),
  siteId: searchInt(1, MAX_ID),
  /** One agent's standing instead of the list. */
  agentId: searchInt(1, MAX_ID),
})
export type AvpWeekSearch = z.infer<typeof avpWeekSearch>

export const avpWeekRoutes = [
  page({
    path: '/stats/avp-week',
    title: 'AVP this week',
    ability: 'stats.avp',
    search: avpWeekSearch,
    component: lazyRouteComponent(() => import('./AvpWeekPage.tsx'), 'AvpWeekPage'),
  }),
] as const
