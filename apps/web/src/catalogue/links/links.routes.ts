import { lazyRouteComponent } from '@tanstack/react-router'
import { leadsTo, page } from '../../lib/pages/page.ts'
import { linksSearchSchema, ratesSearchSchema, translateSearchSchema } from './links-search.ts'

export const linksRoutes = [
  leadsTo('/links', '/app/links/links'),
  page({
    path: '/links/links',
    title: 'Links generate',
    ability: 'links.generate',
    search: linksSearchSchema,
    component: lazyRouteComponent(() => import('./LinksPage.tsx'), 'LinksPage'),
  }),
  page({
    path: '/links/rates',
    title: 'Rates',
    ability: 'links.generate',
    search: ratesSearchSchema,
    component: lazyRouteComponent(() => import('./LinkRatesPage.tsx'), 'LinkRatesPage'),
  }),
  page({
    path: '/links/links-translate',
    title: 'Links translate',
    ability: 'links.translate',
    search: translateSearchSchema,
    component: lazyRouteComponent(() => import('./TranslatePage.tsx'), 'TranslatePage'),
  }),
] as const
