import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/pages/page.ts'
import { searchInt, searchText } from '../../lib/pages/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

const searchSchema = z.object({
  ...listSearch(['officeName']),
  siteId: searchInt(1, MAX_ID),
  typeId: searchInt(1, MAX_ID),
  /** Part of the office's name. */
  officeName: searchText(100),
})

export const officeFeesRoutes = [
  page({
    path: '/sites/company-fees',
    title: 'Offices custom payments',
    ability: 'fees.manage',
    search: searchSchema,
    component: lazyRouteComponent(() => import('./OfficeFeesPage.tsx'), 'OfficeFeesPage'),
  }),
] as const
