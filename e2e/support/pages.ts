import type { Page } from '@playwright/test'
import { addDays } from '../../packages/domain/src/new-york.ts'
import { payPeriodOf } from '../../packages/domain/src/pay.ts'
import { today } from './day.ts'
import type { Account } from './test.ts'

/** The half-month before today's. In the demo it is the next to close. */
export const lastPeriod = payPeriodOf(addDays(payPeriodOf(today, 'beWeek').start, -1), 'beWeek')

/** Today's half-month. In the demo it is open, and pays offices. */
const thisPeriod = payPeriodOf(today, 'beWeek')

/** A page of the product, as seen by an account. */
export interface ProductPage {
  /** Its path in the demo data. `addressOf` fills in days. */
  path: string
  /** The signed-in account. Undefined on sign-in pages. */
  account: Account | undefined
  /** A selector that matches once the page has loaded. */
  ready: string
  /** As if the account had just signed in with a password set by staff. */
  mustChangePassword?: true
  /** As if the day had come on which the account must have a second factor. */
  mustAddFactor?: true
  /** Expected console messages. */
  expectedConsole?: RegExp[]
}

const asSuperadmin: Record<string, string> = {
  '/app/home': 'tbody tr[data-best]',
  '/app/news/edit': '.ProseMirror',
  '/app/news/alerts': '.ProseMirror',
  '/app/offices/offices': 'tbody a',
  '/app/offices/offices?show=sellers': 'tbody a',
  '/app/offices/create': 'main input',
  '/app/offices/import': 'main button',
  '/app/offices/edit/1': 'main input',
  '/app/offices/1/Manila/sites': 'tbody td',
  '/app/offices/1': 'main section',
  '/app/offices/1/agents?pageSize=25': 'tbody a',
  '/app/offices/1/sales?pageSize=25': 'tbody button',
  '/app/offices/1/clicks?pageSize=25': 'tbody a',
  '/app/offices/1/sites': 'tbody td',
  '/app/offices/1/sign-ins?pageSize=25': 'tbody a',
  '/app/offices/1/statements': 'main [role="region"]',
  '/app/offices/1/alarms': 'main [role="img"] svg',
  '/app/offices/1/history': 'tbody td',
  '/app/offices/domains': 'tbody a',
  '/app/offices/domains/create': 'main input',
  '/app/offices/domains/1': 'main input',
  '/app/agents?pageSize=25': 'tbody a',
  '/app/agents?show=sellers&pageSize=25': 'tbody a',
  '/app/agents/create?companyId=1': 'main input',
  '/app/agents/import': 'main button',
  '/app/agents/edit/1': 'main input',
  '/app/agents/1/maria/sites': 'tbody td',
  '/app/agents/1': 'main section',
  '/app/agents/1/sales?pageSize=25': 'tbody button',
  '/app/agents/1/clicks?pageSize=25': 'tbody a',
  '/app/agents/1/links?siteId=1': 'tbody code',
  '/app/agents/1/sites': 'tbody td',
  '/app/agents/1/sign-ins?pageSize=25': 'tbody a',
  '/app/agents/1/statements': 'main [role="region"]',
  '/app/agents/1/history': 'tbody td',
  '/app/unapprove': 'tbody button',
  '/app/sites/sites': 'tbody a',
  '/app/sites/create': 'main input',
  '/app/sites/edit/1': 'main input',
  '/app/sites/1': 'main section',
  '/app/sites/1/sales?pageSize=25': 'tbody button',
  '/app/sites/1/clicks?pageSize=25': 'tbody a',
  '/app/sites/1/links?companyId=1&agentId=1': 'tbody code',
  '/app/sites/1/rates': 'tbody a',
  '/app/sites/1/alarms': 'main [role="img"] svg',
  '/app/sites/1/history': 'tbody td',
  '/app/sites/1/types': 'tbody a',
  '/app/sites/3/types': 'tbody a',
  '/app/sites/1/types/create': 'main input',
  '/app/sites/1/types/edit/2': 'main input',
  '/app/sites/company-fees?siteId=1&typeId=3': 'tbody input',
  '/app/sites/what-if?siteIds=1': 'main tbody input',
  '/app/sites/what-if?siteIds=1&start=2020-01-01&end=2099-12-31&rates=1:450': 'tfoot',
  '/app/sites/postbacks?pageSize=25': 'tbody button',
  '/app/decisions': 'main article button',
  '/app/stats/sites?pageSize=25': 'tfoot',
  '/app/stats/sites?pageSize=25&print=true': 'tfoot',
  '/app/stats/sites-avp?pageSize=25': 'tfoot',
  '/app/stats/avp-week': 'main tbody, main [role="region"]',
  '/app/stats/avp-week?agentId=1': 'main h2',
  '/app/stats/top-agents': 'tbody tr[data-best]',
  '/app/stats/top-agents?siteIds=1,2,3': 'tbody tr[data-best]',
  '/app/stats/office-performance': 'tfoot',
  '/app/stats/office-performance-chart': 'main [role="img"] svg',
  '/app/stats/sites-payout': 'tfoot',
  '/app/stats/sites-payout?groupBy=company&explain=payroll.payout.2020-01-01.2099-12-31':
    '[role="dialog"] tfoot',
  '/app/stats/sites-payout-avp': 'tfoot',
  '/app/links/links?siteId=1&companyId=1&agentId=1': 'tbody code',
  '/app/links/coupons': 'main button',
  '/app/links/coupons/create': 'main input',
  '/app/links/rates?companyId=1&agentId=1': 'tbody td',
  '/app/links/links-translate': 'main input',
  '/app/logs/chat?pageSize=25': 'tbody button',
  '/app/logs/login?pageSize=25': 'tbody a',
  '/app/logs/click-outs?pageSize=25': 'tbody a',
  '/app/logs/sale-logs?pageSize=25': 'tbody button',
  '/app/sales/$eventId': 'main ol',
  '/app/logs/common-logs?reads=true&pageSize=25': 'tbody button',
  '/app/site-manuals': 'tbody a',
  '/app/site-manuals/create': '.ProseMirror',
  '/app/site-manuals/edit/1': '.ProseMirror',
  '/app/profile': 'main input',
  '/app/views': 'tbody td',
  '/app/admins': 'tbody a',
  '/app/admins/create': 'main input',
  '/app/admins/edit/2': 'main input',
  '/app/settings/black-list-ip': 'tbody button',
  '/app/settings/black-list-ip/create': 'main textarea',
  '/app/settings/black-list-ip/delete': 'main textarea',
  '/app/settings/options': 'main input',
  '/app/settings/avp-schedule': 'main li',
  '/app/settings/avp-schedule/create': 'main input',
  '/app/pay/periods': 'main [role="region"]',
  [`/app/pay/periods/${lastPeriod.name}`]: 'main h3',
  // Another test may have closed it.
  [`/app/pay/periods/${lastPeriod.name}/office/1`]: 'main h2, main [role="alert"]',
  '/app/pay/statements': 'main [role="region"]',
  '/app/pay/statements/1': 'main h2',
  '/app/pay/balances': 'main [role="region"]',
  '/app/pay/balances/adjust': 'main textarea',
  '/app/pay/balances/office/1': 'main h2',
  '/app/pay/profit': 'main [role="region"]',
  '/app/pay/journal': 'main [role="region"]',
  '/app/pay/years': 'main [role="region"]',
  '/app/pay/years/office/1': 'main [role="region"]',
  '/app/pay/withholding': 'main [role="region"]',
  '/app/pay/how-pay-works': 'main h2',
  '/app/settings/pay': 'main input',
  '/app/pay/runs': 'main a[href="/app/pay/runs/prepare"]',
  '/app/pay/runs/prepare': 'main h2',
  '/app/pay/runs/1': 'main ol',
  '/app/pay/runs/1/history': 'tbody td',
  '/app/pay/accounts': 'main p',
  '/app/pay/proposals': 'main section, main tbody td',
  '/app/settings/pay-files': 'main pre',
  '/app/settings/postbacks': 'main p',
  '/app/settings/contact': 'main input',
  '/app/settings/sign-in': 'main form',
  '/app/settings/webhooks': 'main p',
  '/app/settings/webhooks/new': 'main input',
  '/app/settings/queue': 'main table',
  '/app/settings/verification': 'main table',
  '/app/settings/alarms': 'main [role="img"] svg',
  '/app/settings/pay-files/1/history': 'main [role="region"]',
  '/app/pay/statements/6?line=$line': '[role="dialog"] table',
  '/app/settings/avp-schedule/$validFrom': 'main input',
  '/app/migration': 'main strong',
  '/app/spike': 'main h2',
}

/** Pages that look different to an office or an agent. */
const asOthers: ProductPage[] = [
  { path: '/app/home', account: 'maria', ready: 'tbody tr[data-best]' },
  { path: '/app/home', account: 'manila', ready: 'tbody tr[data-best]' },
  { path: '/app/stats/top-agents', account: 'manila', ready: 'tbody tr[data-best]' },
  {
    path: '/app/stats/office-performance-chart?view=tables',
    account: 'manila',
    // On the morning of New Year's Day, an office may have no sale in the year yet.
    ready: 'main tbody td, main :text-is("No data for period")',
  },
  { path: '/app/stats/sites?pageSize=25', account: 'maria', ready: 'tfoot' },
  { path: '/app/stats/how-figures-work', account: 'maria', ready: 'main caption' },
  { path: '/app/stats/sites-avp?pageSize=25', account: 'maria', ready: 'tfoot' },
  { path: '/app/stats/avp-week', account: 'maria', ready: 'main h2' },
  {
    path: '/app/home?explain=sites.sales.2020-01-01.2099-12-31',
    account: 'maria',
    ready: '[role="dialog"] tfoot',
  },
  { path: '/app/agents?pageSize=25', account: 'manila', ready: 'tbody a' },
  { path: '/app/agents?show=sellers&pageSize=25', account: 'manila', ready: 'tbody a' },
  { path: '/app/offices/1', account: 'manila', ready: 'main section' },
  { path: '/app/agents/1', account: 'maria', ready: 'main section' },
  { path: '/app/agents/1/sites', account: 'maria', ready: 'tbody a' },
  { path: '/app/agents/1/sign-ins', account: 'maria', ready: 'main :text("this session")' },
  { path: '/app/sites/1', account: 'maria', ready: 'main section' },
  // Somebody else's page.
  { path: '/app/agents/2', account: 'maria', ready: '[role="alert"]' },
  { path: '/app/links/links?siteId=1&agentId=1', account: 'manila', ready: 'tbody code' },
  { path: '/app/links/rates', account: 'maria', ready: 'tbody td' },
  { path: '/app/links/coupons', account: 'maria', ready: 'main button' },
  { path: '/app/links/coupons/make', account: 'maria', ready: 'main input' },
  { path: '/app/sales/$eventId', account: 'maria', ready: 'main ol' },
  { path: '/app/pay/account', account: 'manila', ready: 'main p' },
  { path: '/app/pay/balance', account: 'manila', ready: 'main h2' },
  { path: '/app/pay/statements', account: 'manila', ready: 'main a[href*="/app/pay/statements/"]' },
  { path: '/app/pay/statements', account: 'maria', ready: 'main a[href*="/app/pay/statements/"]' },
  { path: '/app/pay/statements/6', account: 'manila', ready: 'main h3' },
  { path: `/app/pay/estimates/${thisPeriod.name}`, account: 'manila', ready: 'main h2' },
  { path: `/app/pay/estimates/${thisPeriod.name}`, account: 'maria', ready: 'main h2' },
  { path: '/app/pay/statements/6', account: 'maria', ready: 'main h3' },
  { path: '/app/pay/statements/6?line=$line', account: 'maria', ready: '[role="dialog"] table' },
  { path: '/app/pay/balances/agent/1', account: 'maria', ready: 'main h2' },
  { path: '/app/pay/balances/office/1', account: 'manila', ready: 'main h2' },
  { path: '/app/profile', account: 'manila', ready: 'main textarea' },
  { path: '/app/profile-postbacks', account: 'manila', ready: 'main p' },
  { path: '/app/profile-postbacks/new', account: 'manila', ready: 'main textarea' },
  { path: '/app/profile', account: 'maria', ready: 'main input' },
  { path: '/app/not-me', account: 'maria', ready: 'main button' },
  { path: '/app/how-to-sell', account: 'maria', ready: 'article h2' },
  { path: '/app/chat-logs/create', account: 'maria', ready: 'main textarea' },
]

/** Every page of the router. */
export const pages: readonly ProductPage[] = [
  { path: '/login', account: undefined, ready: 'img[alt="Characters to type below"]' },
  { path: '/sign-in/provider', account: undefined, ready: '[role="alert"]' },
  { path: '/forgot', account: undefined, ready: 'input' },
  { path: '/forgot/reset#x', account: undefined, ready: 'input' },
  {
    path: '/invitation#x',
    account: undefined,
    ready: '[role="alert"]',
    expectedConsole: [/status of 422/],
  },
  { path: '/confirm-address#x', account: undefined, ready: 'a[href^="/login"]' },
  { path: '/not-me#x', account: undefined, ready: 'button' },
  { path: '/new-password', account: 'maria', ready: 'input', mustChangePassword: true },
  {
    path: '/second-factor',
    account: 'maria',
    ready: 'button:has-text("Add an authenticator app")',
    mustAddFactor: true,
  },
  {
    path: '/remote-login?token=made-up',
    account: undefined,
    ready: '[role="alert"]',
    expectedConsole: [/status of 422|ApiError: Please check/],
  },
  ...Object.entries(asSuperadmin).map(([path, ready]): ProductPage => ({
    path,
    account: 'superadmin',
    ready,
  })),
  ...asOthers,
]

/** The page's address. The demo data depends on the date, so days and ids are read from the list that links there. */
export async function addressOf(page: Page, { path }: ProductPage): Promise<string> {
  if (path.endsWith('/$eventId')) {
    await page.goto('/app/logs/sale-logs?pageSize=25&recordType=reversal')
    const link = page.locator('main a[href*="/app/sales/"]').first()
    return (await link.getAttribute('href')) ?? path
  }
  if (path.endsWith('?line=$line')) {
    const statement = path.replace('?line=$line', '')
    await page.goto(statement)
    const sum = page.getByRole('link', { name: /Week of .*what it is made of$/ }).first()
    return `${statement}${await sum.getAttribute('href')}`
  }
  if (!path.endsWith('/$validFrom')) return path
  const list = path.replace('/$validFrom', '')
  await page.goto(list)
  const href = await page.locator(`main a[href*="${list}/2"]`).first().getAttribute('href')
  return href ?? path
}

/** `ready` for a phone, where the rows of lists are cards, or a message if there are none. */
export const readyOnPhone = ({ ready }: ProductPage): string =>
  /^(tbody|tfoot)/.test(ready)
    ? `${ready}, main [role="region"][aria-busy="false"] > :is(ul, [class*="message"]), main li code`
    : ready

export const screens = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const
