import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../lib/pages/page.ts'
import { searchChoice, searchDay, searchInt, searchText } from '../lib/pages/search.ts'
import { statementsSearch } from './statements/statements-search.ts'

const pages = () => import('./pages.ts')

const rangeSearch = z.object({ start: searchDay, end: searchDay })

export const payRoutes = [
  page({
    path: '/pay/periods',
    title: 'Pay periods',
    tab: 'Periods',
    ability: 'pay.manage',
    component: lazyRouteComponent(pages, 'PeriodsPage'),
  }),
  page({
    path: '/pay/periods/$name',
    title: 'Pay period',
    ability: 'pay.manage',
    component: lazyRouteComponent(pages, 'PeriodPage'),
  }),
  page({
    path: '/pay/periods/$name/$kind/$id',
    title: 'Preview',
    ability: 'pay.manage',
    component: lazyRouteComponent(pages, 'PreviewPage'),
  }),
  page({
    path: '/pay/statements',
    title: 'Statements',
    ability: 'pay.view',
    search: statementsSearch,
    component: lazyRouteComponent(pages, 'StatementsPage'),
  }),
  page({
    path: '/pay/statements/$statementId',
    title: 'Statement',
    ability: 'pay.view',
    isRecord: true,
    search: z.object({ line: searchText(120), linePage: searchInt(1, 1_000_000) }),
    component: lazyRouteComponent(pages, 'StatementPage'),
  }),
  page({
    path: '/pay/estimates/$name',
    title: 'Estimate',
    ability: 'pay.view-own',
    component: lazyRouteComponent(pages, 'EstimatePage'),
  }),
  page({
    path: '/pay/balance',
    title: 'Balance',
    ability: 'pay.view-own',
    component: lazyRouteComponent(pages, 'OwnBalancePage'),
  }),
  page({
    path: '/pay/balances',
    title: 'Balances',
    ability: 'pay.manage',
    component: lazyRouteComponent(pages, 'BalancesPage'),
  }),
  page({
    path: '/pay/balances/adjust',
    title: 'Adjustments',
    ability: 'pay.manage',
    component: lazyRouteComponent(pages, 'AdjustmentsPage'),
  }),
  page({
    path: '/pay/balances/$kind/$id',
    title: 'Balance',
    ability: 'pay.view',
    // An adjustment to fill in, in centavos, with its reason.
    search: z.object({
      holdBack: searchInt(1, 1_000_000_000_000),
      because: searchText(),
      agentId: searchInt(1, 2_147_483_647),
    }),
    component: lazyRouteComponent(pages, 'BalancePage'),
  }),
  page({
    path: '/pay/proposals',
    title: 'Waiting for a second person',
    tab: 'Approvals',
    ability: 'pay.manage',
    search: z.object({ page: searchInt(1, 1_000_000) }),
    component: lazyRouteComponent(pages, 'ProposalsPage'),
  }),
  page({
    path: '/pay/profit',
    title: 'Profit',
    ability: 'pay.profit',
    search: z.object({ by: searchChoice(['period', 'site', 'office']), period: searchText(12) }),
    component: lazyRouteComponent(pages, 'ProfitPage'),
  }),
  page({
    path: '/pay/journal',
    title: 'Journal',
    ability: 'pay.manage',
    search: rangeSearch,
    component: lazyRouteComponent(pages, 'JournalPage'),
  }),
  page({
    path: '/pay/years',
    title: 'Years',
    ability: 'pay.manage',
    search: rangeSearch,
    component: lazyRouteComponent(pages, 'YearsPage'),
  }),
  page({
    path: '/pay/years/$kind/$id',
    title: 'Year',
    ability: 'pay.view',
    search: rangeSearch,
    component: lazyRouteComponent(pages, 'YearPage'),
  }),
  page({
    path: '/pay/withholding',
    title: 'Withholding tax',
    ability: 'pay.manage',
    search: z.object({ quarter: searchText(7) }),
    component: lazyRouteComponent(pages, 'WithholdingPage'),
  }),
  page({
    path: '/pay/how-pay-works',
    title: 'How pay works',
    ability: 'pay.view',
    component: lazyRouteComponent(pages, 'HowPayWorksPage'),
  }),
  page({
    path: '/settings/pay',
    title: 'Pay settings',
    tab: 'Pay',
    ability: 'pay.manage',
    component: lazyRouteComponent(pages, 'PaySettingsPage'),
  }),
] as const
