import { expect, test } from './support/test.ts'

/** The browser logs refused calls. The page itself must never log an error. */
const refused = [/status of (404|409|422|500)/]

const broken = { status: 500, json: { code: 'INTERNAL', message: 'The disk is full.' } }

test.describe('a log that fails to load', () => {
  test.use({ account: 'superadmin', expectedConsole: refused })

  for (const { name, path, call } of [
    { name: 'Click Logs', path: '/app/logs/click-outs', call: '**/api/click-outs/search' },
    { name: 'Sale Logs', path: '/app/logs/sale-logs', call: '**/api/sale-logs' },
    { name: 'Common Logs', path: '/app/logs/common-logs', call: '**/api/common-logs/search' },
  ])
    test(`says so and offers Retry: ${name}`, async ({ page }) => {
      await page.route(call, (route) => route.fulfill(broken))
      await page.goto(path)
      const list = page.getByRole('region', { name })
      await expect(list.getByRole('alert')).toHaveText('The disk is full.')
      // A call that is still being answered must not outlive its route, here and at the end.
      await page.unrouteAll({ behavior: 'wait' })
      await list.getByRole('button', { name: 'Retry' }).click()
      await expect(list.getByRole('alert')).toBeHidden()
      await expect(list.locator('tbody td').first()).toBeVisible()
      // A search during another one is ignored.
      await expect(list.locator('[aria-busy="true"]')).toHaveCount(0)

      // Rows that were loaded stay, marked as outdated.
      await page.route(call, (route) => route.fulfill(broken))
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      const note = page.locator('main').getByText('These rows could not be updated.')
      await expect(note).toContainText('The disk is full.')
      await expect(list.locator('tbody td').first()).toBeVisible()
      await page.unrouteAll({ behavior: 'wait' })
    })
})

test.describe('Home', () => {
  test.use({ account: 'maria', expectedConsole: refused })

  test('says which part could not be loaded, without an uncaught error', async ({ page }) => {
    const first = page.waitForResponse('**/api/dashboard')
    await page.route('**/api/dashboard', (route) => route.fulfill(broken))
    const others = ['**/api/home', '**/api/site-manuals?*'].map(async (call) => {
      await page.route(call, async (route) => {
        // Only once the page has stopped waiting for the call that fails first.
        await first
        await route.fulfill(broken)
      })
      await page.waitForResponse(call)
    })
    await page.goto('/app/home')
    await Promise.all(others)
    await expect(page.getByText('The disk is full.').first()).toBeVisible()
  })
})

const refusals = [
  { ...broken, says: 'The disk is full.' },
  {
    status: 409,
    json: { code: 'CONFLICT', message: 'Somebody else was faster.' },
    says: 'Somebody else was faster.',
  },
  {
    status: 422,
    json: { code: 'VALIDATION_ERROR', message: 'Refused.', data: { _form: ['Not today.'] } },
    says: 'Not today.',
  },
]

test.describe('forms that fail to save', () => {
  test.use({ account: 'superadmin', expectedConsole: refused })

  for (const { path, field, button } of [
    { path: '/app/sites/edit/1', field: 'Site name', button: 'Update Site' },
    { path: '/app/offices/edit/1', field: 'Office name', button: 'Update Office' },
    { path: '/app/agents/edit/1', field: 'First name', button: 'Update Agent' },
    { path: '/app/site-manuals/edit/1', field: 'Title', button: 'Update' },
  ])
    test(`show the reason, without an uncaught error: ${path}`, async ({ context }) => {
      for (const { says, ...refusal } of refusals) {
        const page = await context.newPage()
        await page.goto(path)
        await page.getByLabel(field).first().fill('Refused')
        await page.route('**/api/**', (route) =>
          route.request().method() === 'GET' ? route.fallback() : route.fulfill(refusal),
        )
        await page.getByRole('button', { name: button }).click()
        await expect(page.getByText(says).first()).toBeVisible()
        await page.close()
      }
    })
})

test.describe('a record that does not exist', () => {
  test.use({ account: 'superadmin', expectedConsole: refused })

  for (const [path, label, list] of [
    ['/app/agents/edit/99999', 'Agents', /\/app\/agents$/],
    ['/app/offices/edit/99999', 'Offices', /\/app\/offices\/offices$/],
    ['/app/sites/edit/nonsense', 'Sites', /\/app\/sites\/sites$/],
    ['/app/sites/99999/types', 'Sites', /\/app\/sites\/sites$/],
    ['/app/agents/99999/nobody/sites', 'Agents', /\/app\/agents$/],
    ['/app/admins/edit/99999', 'Admins', /\/app\/admins$/],
    ['/app/offices/domains/99999', 'Domains', /\/app\/offices\/domains$/],
    ['/app/site-manuals/edit/99999', 'Site Manuals', /\/app\/site-manuals$/],
  ] as const)
    test(`leads back to the list: ${path}`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden()
      await page.getByRole('link', { name: `Back to ${label}` }).click()
      await expect(page).toHaveURL(list)
    })

  test('a page past the end shows the last one', async ({ page }) => {
    await page.goto('/app/sites/sites?page=9')
    await expect(page).toHaveURL(/\/app\/sites\/sites$/)
    await expect(page.getByText(/^\d+ rows$/)).toBeVisible()
    await page.goto('/app/agents?pageSize=25&page=900')
    await expect(page.getByText(/^(\d+) of \1$/)).toBeVisible()
    await expect(
      page.getByRole('region', { name: 'Agents' }).locator('tbody a').first(),
    ).toBeVisible()
  })
})

for (const [account, paths] of [
  ['maria', ['/app/sites/postbacks', '/app/agents', '/app/stats/top-agents']],
  ['manila', ['/app/offices/offices', '/app/stats/sites-payout', '/app/admins']],
  ['admin', ['/app/admins', '/app/migration']],
] as const)
  test.describe(`${account} on a page for others`, () => {
    test.use({ account })

    test('sees that they have no access, and whom to ask', async ({ page }) => {
      for (const path of paths) {
        await page.goto(path)
        const notice = page.getByRole('alert').filter({ hasText: 'You don’t have access' })
        await expect(notice).toContainText(/ask (your|a)/)
        await expect(page).toHaveURL(new RegExp(path))
      }
      await page.getByRole('link', { name: 'Go to Home' }).click()
      await expect(page).toHaveURL(/\/app\/home$/)
    })
  })
