import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

/** Runs the operator's command while the server is running. */
function setPermission(verb: 'grant' | 'revoke') {
  const cli = join(import.meta.dirname, '../apps/api/src/cli.ts')
  const words = ['accounts', verb, 'superadmin', 'DELETE_SITES']
  const { status, stderr } = spawnSync(process.execPath, [cli, ...words], {
    env: { ...process.env, DATA_DIR: process.env['E2E_DATA_DIR'] ?? '', DATABASE_URL: '' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
}

const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })

const toast = (page: Page, text: string) => page.locator('[aria-live]').getByText(text)

async function answer(page: Page, question: RegExp, button: string) {
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(question)).toBeVisible()
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await expect(dialog).toBeHidden()
}

async function choose(page: Page, of: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${of}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test.describe('a superadmin who may delete sites', () => {
  test.beforeAll(() => setPermission('grant'))
  test.afterAll(() => setPermission('revoke'))
  // The browser logs the 422 of a taken name.
  test.use({ account: 'superadmin', ownSession: true, expectedConsole: [/status of 422/] })

  test('adds a site and a link, suspends, activates and enables the site, and deletes both', async ({
    page,
  }) => {
    test.slow()
    await page.goto('/app/sites')
    await expect(page).toHaveURL(/\/app\/sites\/sites$/)
    await page.getByRole('link', { name: '+Add Site' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Add Site' })).toBeVisible()
    const add = page.getByRole('button', { name: 'Add Site' })
    await expect(add).toBeDisabled()
    await page.getByLabel('Site name').fill('blue baize')
    await page.getByLabel('Short name').fill('Paper')
    await page.getByLabel('Abbreviation').fill('PMN')
    await page.getByLabel('URL').fill('https://papermoon.example')
    await page.getByRole('combobox', { name: 'Site type' }).click()
    await page.getByRole('option', { name: 'DATING' }).click()
    await page.getByText('Click id in click_id, answers with the outcome').click()
    await page.getByRole('button', { name: 'Add event name' }).click()
    await expect(add).toBeDisabled()
    await page.getByLabel('Event name 1', { exact: true }).fill('Deposit')
    await add.click()
    await expect(page.getByText('is already taken')).toBeVisible()
    await page.getByLabel('Site name').fill('Paper Moon')
    await add.click()
    await expect(toast(page, 'Successfully saved')).toBeVisible()
    const site = rowOf(page, 'Paper Moon')
    await expect(site).toContainText('DATING')
    await expect(site).toContainText('Activated')

    await site.getByRole('link', { name: '0 links of Paper Moon' }).click()
    await expect(page.getByText('No sale types yet')).toBeVisible()
    await page.getByRole('link', { name: '+Add Link' }).click()
    await page.getByLabel('Link name').fill('Membership')
    await page.getByLabel('Alias').fill('member')
    await page.getByLabel('URL').fill('papermoon.example/join')
    await page.getByLabel('Payout').fill('450.5')
    await page.getByLabel('Earning').fill('20')
    await expect(page.getByText('must be a complete http or https address')).toBeVisible()
    await page.getByLabel('URL').fill('https://papermoon.example/join?from={sub1}')
    await expect(page.getByLabel('LPP')).toHaveValue('1')
    await expect(page.getByLabel('Bonus Payout')).toBeHidden()
    await page.getByLabel('Bonus', { exact: true }).check()
    await page.getByLabel('Bonus Payout').fill('100')
    await page.getByLabel('Bonus Earning').fill('7.25')
    await page.getByRole('button', { name: 'Add Link' }).click()
    const link = rowOf(page, 'Membership')
    for (const text of ['₱450.50', '$20.00', '₱100.00', '$7.25', 'Activated']) {
      await expect(link).toContainText(text)
    }
    await expect(page.getByRole('columnheader', { name: 'Bonus Payout' })).toBeVisible()

    await page.getByRole('link', { name: 'Sites', exact: true }).first().click()
    await choose(page, 'Paper Moon', 'Suspend')
    await answer(page, /^Suspend this site\?.*approve-sale flag will be unset/, 'Suspend')
    await expect(site).toContainText('Suspended')
    await choose(page, 'Paper Moon', 'Activate')
    await answer(page, /^Activate this site\?.*approve-sale flag will be set/, 'Activate')
    await expect(site).toContainText('YesActivated')

    await choose(page, 'Paper Moon', 'Suspend')
    await expect(page.getByRole('dialog')).toContainText('approvals will then be refused')
    await answer(page, /^Suspend this site\?/, 'Suspend')
    await expect(site).toContainText('NoSuspended')
    await choose(page, 'Paper Moon', 'Activate')
    const set = page.getByRole('checkbox', { name: 'Set approve-sale' })
    await expect(set).toBeChecked()
    await set.uncheck()
    await answer(page, /^Activate this site\?/, 'Activate')
    await expect(site).toContainText('NoActivated')
    await choose(page, 'Paper Moon', 'Suspend')
    await answer(page, /^Suspend this site\?/, 'Suspend')
    await choose(page, 'Paper Moon', 'Activate')
    await answer(page, /^Activate this site\?/, 'Activate')
    await expect(site).toContainText('YesActivated')

    await site.getByRole('link', { name: '1 links of Paper Moon' }).click()
    await expect(page.getByRole('columnheader', { name: 'Day#1 Approval Payout' })).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Day#2 Sale Payout' })).toBeVisible()
    await page.getByRole('link', { name: 'Edit Membership' }).click()
    await expect(page.getByLabel('Day#2 Sale Payout')).toHaveValue('100.00')
    await page.getByRole('button', { name: 'Delete' }).click()
    await answer(page, /^Are you sure you want delete site link\?/, 'Delete')
    await expect(page.getByText('No sale types yet')).toBeVisible()

    await page.goto('/app/sites/sites?sitename=paper')
    await page.getByRole('link', { name: 'Edit Paper Moon' }).click()
    await expect(page.getByLabel('Event name 1', { exact: true })).toHaveValue('deposit')
    await expect(page.getByText(/^0 of \d+ offices may sell it$/)).toBeVisible()
    await page.getByRole('button', { name: 'Enable for all offices' }).click()
    await answer(page, /^Enable this site for all offices\?/, 'Enable for all offices')
    await expect(page.getByText(/^(\d+) of \1 offices may sell it$/)).toBeVisible()

    await page.getByRole('link', { name: 'Integration' }).click()
    const drawer = page.getByRole('dialog', { name: 'Integration' })
    await expect(drawer.getByText(/\/api\/postback\/\d+$/)).toBeVisible()
    await page.goBack()

    await page.getByLabel('Note').fill('typed and never saved')
    await page.getByRole('button', { name: 'Delete' }).click()
    await answer(
      page,
      /^Are you sure you want delete site and all links\?.*sales and statistics stay/,
      'Delete',
    )
    await expect(toast(page, 'Site "Paper Moon" has been successfully deleted')).toBeVisible()
    await expect(page.getByText('No sites match')).toBeVisible()
  })
})

test.describe('an admin', () => {
  test.use({ account: 'admin' })

  test('sees sites and their links, but can’t change them', async ({ page }) => {
    await page.goto('/app/sites/sites')
    await expect(rowOf(page, 'Blue Baize')).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Actions' })).toBeHidden()
    await expect(page.getByRole('link', { name: '+Add Site' })).toBeHidden()
    await page.getByRole('link', { name: /links of Blue Baize$/ }).click()
    await expect(page.getByRole('columnheader', { name: 'Link Name' })).toBeVisible()
    await expect(page.getByRole('link', { name: '+Add Link' })).toBeHidden()
    await expect(page.getByRole('columnheader', { name: 'Actions' })).toBeHidden()
    await page
      .getByRole('button', { name: /^Dates of the rates of / })
      .first()
      .click()
    const dates = page.getByRole('dialog', { name: /^Default rates of / })
    await expect(dates.getByRole('region', { name: 'History' })).toBeVisible()
    await expect(dates.getByRole('button', { name: /Backdate|Prepare/ })).toBeHidden()
    for (const path of ['/app/sites/create', '/app/sites/edit/1', '/app/sites/1/types/create']) {
      await page.goto(path)
      await expect(page.getByText('You don’t have access to this page')).toBeVisible()
    }
  })
})
