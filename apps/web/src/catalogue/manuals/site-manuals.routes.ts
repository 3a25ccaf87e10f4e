import { sortFields } from '@tallyroom/contract/list-choices'
import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/pages/page.ts'
import { listSearch } from '../../ui/list/list-state.ts'

export const siteManualsRoutes = [
  page({
    path: '/site-manuals',
    title: 'Site Manuals',
    tab: 'How to sell',
    ability: 'manuals.manage',
    flag: 'howToSell',
    search: z.object(listSearch(sortFields.siteManuals)),
    component: lazyRouteComponent(() => import('./SiteManualsPage.tsx'), 'SiteManualsPage'),
  }),
  page({
    path: '/site-manuals/create',
    title: 'Add Site Manual',
    ability: 'manuals.manage',
    flag: 'howToSell',
    component: lazyRouteComponent(() => import('./SiteManualFormPage.tsx'), 'CreateSiteManualPage'),
  }),
  page({
    path: '/site-manuals/edit/$id',
    title: 'Update Site Manual',
    ability: 'manuals.manage',
    flag: 'howToSell',
    component: lazyRouteComponent(() => import('./SiteManualFormPage.tsx'), 'EditSiteManualPage'),
  }),
] as const
