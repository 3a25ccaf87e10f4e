import { AxeBuilder } from '@axe-core/playwright'
import { type Account, expect, test } from './support/test.ts'

const pages: { path: string; account: Account | undefined; ready: string }[] = [
  { path: '/login', account: undefined, ready: 'img[alt="Characters to type below"]' },
  { path: '/app/home', account: 'superadmin', ready: 'tbody tr[data-best]' },
  { path: '/app/stats/top-agents', account: 'manila', ready: 'tbody tr[data-best]' },
  { path: '/app/stats/office-performance', account: 'superadmin', ready: 'tfoot' },
  { path: '/app/stats/office-performance-chart', account: 'superadmin', ready: 'main svg path' },
  {
    path: '/app/stats/office-performance-chart?view=tables',
    account: 'manila',
    ready: 'main tbody td',
  },
  { path: '/app/stats/sites?pageSize=25', account: 'superadmin', ready: 'tfoot' },
  { path: '/app/sites/sites', account: 'superadmin', ready: 'tbody a' },
  { path: '/app/sites/edit/1', account: 'superadmin', ready: 'main fieldset' },
  { path: '/app/sites/1/types', account: 'superadmin', ready: 'tbody a' },
  { path: '/app/sites/1/types/edit/2', account: 'superadmin', ready: 'main input' },
  { path: '/app/stats/sites-avp?pageSize=25', account: 'maria', ready: 'tfoot' },
  {
    path: '/app/stats/sites-payout?groupBy=company&explain=payout...',
    account: 'superadmin',
    ready: '[role="dialog"] tfoot',
  },
  { path: '/app/stats/sites-payout-avp', account: 'superadmin', ready: 'tfoot' },
  { path: '/app/settings/avp-schedule', account: 'superadmin', ready: 'main li' },
  { path: '/app/settings/avp-schedule/create', account: 'superadmin', ready: 'main input' },
  { path: '/app/sites/postbacks?pageSize=25', account: 'superadmin', ready: 'tbody button' },
  { path: '/app/offices/offices', account: 'superadmin', ready: 'tbody a' },
  { path: '/app/offices/edit/1', account: 'superadmin', ready: 'main input' },
  { path: '/app/offices/1/Manila/sites', account: 'superadmin', ready: 'tbody td' },
  { path: '/app/offices/domains', account: 'superadmin', ready: 'tbody a' },
  { path: '/app/offices/domains/create', account: 'superadmin', ready: 'main input' },
  {
    path: '/app/sites/company-fees?siteId=1&typeId=3',
    account: 'superadmin',
    ready: 'tbody input',
  },
  { path: '/app/links/links?siteId=1&agentId=1', account: 'manila', ready: 'tbody code' },
  { path: '/app/links/links-translate', account: 'admin', ready: 'main input' },
  { path: '/app/agents?pageSize=25', account: 'superadmin', ready: 'tbody a' },
  { path: '/app/agents/create?companyId=1', account: 'superadmin', ready: 'main input' },
  { path: '/app/unapprove', account: 'admin', ready: 'tbody button' },
  { path: '/app/admins', account: 'superadmin', ready: 'tbody a' },
  { path: '/app/admins/edit/2', account: 'superadmin', ready: 'main fieldset' },
  { path: '/app/profile', account: 'manila', ready: 'main textarea' },
  { path: '/app/site-manuals', account: 'superadmin', ready: 'tbody a' },
  { path: '/app/site-manuals/edit/1', account: 'superadmin', ready: '.ProseMirror' },
  { path: '/app/news/alerts', account: 'superadmin', ready: '.ProseMirror' },
  { path: '/app/how-to-sell', account: 'maria', ready: 'article h2' },
  { path: '/forgot', account: undefined, ready: 'input' },
  { path: '/forgot/reset#x', account: undefined, ready: 'input' },
  { path: '/app/logs/chat?pageSize=25', account: 'superadmin', ready: 'tbody button' },
  { path: '/app/chat-logs/create', account: 'maria', ready: 'main textarea' },
  { path: '/app/logs/click-outs?pageSize=25', account: 'superadmin', ready: 'tbody a' },
  { path: '/app/logs/sale-logs?pageSize=25', account: 'superadmin', ready: 'tbody button' },
  { path: '/app/logs/login?pageSize=25', account: 'superadmin', ready: 'tbody a' },
  { path: '/app/logs/common-logs?pageSize=25', account: 'superadmin', ready: 'tbody button' },
  { path: '/app/migration', account: 'superadmin', ready: 'main strong' },
  { path: '/app/settings/black-list-ip', account: 'admin', ready: 'tbody button' },
  { path: '/app/settings/black-list-ip/create', account: 'admin', ready: 'main textarea' },
  { path: '/app/settings/options', account: 'superadmin', ready: 'main input' },
  { path: '/app/spike', account: 'superadmin', ready: 'main h2' },
]

const SCHEME = 'data-mantine-color-scheme'

const screens = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
}

for (const { path, account, ready } of pages) {
  for (const [screen, viewport] of Object.entries(screens)) {
    test.describe(() => {
      test.use({ account, viewport })

      test(`${path} on a ${screen} has no violations, light or dark`, async ({ page }) => {
        await page.goto(path)
        await page.locator(ready).first().waitFor()
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await expect(page.locator('html')).toHaveAttribute(SCHEME, colorScheme)
          const { violations } = await new AxeBuilder({ page }).analyze()
          const found = violations.map(({ id, help, nodes }) => ({
            rule: `${id}: ${help}`,
            nodes: nodes.map(
              ({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`,
            ),
          }))
          expect(found, colorScheme).toEqual([])
        }
      })
    })
  }
}
