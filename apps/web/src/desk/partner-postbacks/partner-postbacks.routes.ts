import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/pages/page.ts'
import { searchInt } from '../../lib/pages/search.ts'

const pages = () => import('./pages.ts')

export const partnerPostbacksRoutes = [
  page({
    path: '/profile-postbacks',
    title: 'Postbacks',
    ability: 'partner-postbacks.manage',
    component: lazyRouteComponent(pages, 'PartnerPostbacksPage'),
  }),
  page({
    // `new` adds one.
    path: '/profile-postbacks/$id',
    title: 'Postback',
    search: z.object({ page: searchInt(1, 100_000) }),
    isRecord: true,
    component: lazyRouteComponent(pages, 'PartnerPostbackPage'),
  }),
  page({
    path: '/settings/postbacks',
    title: 'Postbacks',
    ability: 'settings.view',
    component: lazyRouteComponent(pages, 'PartnerPostbacksPage'),
  }),
  page({
    path: '/settings/webhooks',
    title: 'Webhooks',
    ability: 'webhooks.manage',
    component: lazyRouteComponent(pages, 'WebhooksPage'),
  }),
  page({
    // `new` adds one.
    path: '/settings/webhooks/$id',
    title: 'Webhook',
    ability: 'webhooks.manage',
    search: z.object({ page: searchInt(1, 100_000) }),
    isRecord: true,
    component: lazyRouteComponent(pages, 'WebhookPage'),
  }),
] as const
