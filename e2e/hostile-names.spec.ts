import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const hostile = (what: string) => `<img src=x onerror="alert('${what}')">`

// The site is taken off the list by a call: whoever may delete it is another test's matter.
test.use({ account: 'superadmin' })

test('names that are markup are shown as what was typed, everywhere', async ({ page }) => {
  const alerts: string[] = []
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message())
    void dialog.dismiss()
  })
  const site = hostile('site')
  const type = hostile('link')

  await page.goto('/app/sites/create')
  await page.getByLabel('Site name').fill(site)
  await page.getByLabel('Short name').fill('<b>x</b>')
  await page.getByLabel('Abbreviation').fill('<i>')
  await page.getByLabel('URL').fill('"><script>alert(1)</script>')
  await page.getByRole('combobox', { name: 'Site type' }).click()
  await page.getByRole('option', { name: 'DATING' }).click()
  await page.getByRole('button', { name: 'Add Site' }).click()
  await expect(cell(page, site)).toBeVisible()

  await page.getByRole('link', { name: `0 links of ${site}` }).click()
  await page.getByRole('link', { name: '+Add Link' }).click()
  await page.getByLabel('Link name').fill(type)
  await page.getByLabel('Alias').fill(type)
  await page.getByLabel('URL').fill(`https://example.com/?x=${encodeURIComponent(type)}`)
  await page.getByLabel('Payout').fill('1')
  await page.getByLabel('Earning').fill('1')
  await page.getByRole('button', { name: 'Add Link' }).click()
  await expect(cell(page, type)).toBeVisible()
  const siteId = /sites\/(\d+)\/types/.exec(page.url())?.[1] ?? ''

  await page.goto(`/app/sites/company-fees?siteId=${siteId}`)
  await expect(page.getByRole('combobox', { name: 'Site' })).toHaveValue(site)
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: type, exact: true }).click()
  await expect(page.getByText(`${type}: earning $1.00`)).toBeVisible()

  await page.goto(`/app/sites/${siteId}/types`)
  await page.getByRole('link', { name: `Edit ${type}` }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: `Delete: ${type}` })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(`Link "${type}" has been successfully deleted`)).toBeVisible()

  await page.goto('/app/sites/sites')
  await page.getByRole('button', { name: `Actions for ${site}` }).click()
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  const asking = page.getByRole('dialog', { name: `Suspend: ${site}` })
  await asking.getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByRole('row').filter({ has: cell(page, site) })).toContainText('Suspended')
  expect(alerts).toEqual([])
})

const cell = (page: Page, name: string) => page.getByRole('cell', { name, exact: true })
