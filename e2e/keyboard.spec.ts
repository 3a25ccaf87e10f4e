import type { Locator, Page } from '@playwright/test'
import { tabTo } from './support/states.ts'
import { expect, nextCheck, password, test } from './support/test.ts'

/*
 * The main journeys with the keyboard alone: no mouse, and focus moves only by the keys that a person would press.
 */

test('signing in', async ({ page, captchas }) => {
  const check = nextCheck(page)
  await page.goto('/login')
  await captchas.decide(await check, 'HJKNP')
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.keyboard.type('maria')
  await tabTo(page, page.getByRole('textbox', { name: /^Password/ }))
  await page.keyboard.type(password)
  await tabTo(page, page.getByLabel('Characters in the picture'))
  await page.keyboard.type('HJKNP')
  await page.keyboard.press('Enter')
  await expect(page.getByText('User: maria')).toBeVisible()
})

test.describe('as a superadmin', () => {
  test.use({ account: 'superadmin' })

  test('searching agents and paging', async ({ page }) => {
    await page.goto('/app/agents?pageSize=10')
    await loaded(page)
    await page.keyboard.press('/')
    await page.keyboard.type('a')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/username=a/)
    // Leave the text field, where the arrows move by words.
    await tabTo(page, page.getByRole('button', { name: 'Search', exact: true }))
    await page.keyboard.press('Control+ArrowRight')
    await expect(page).toHaveURL(/page=2/)
    await expect(page.getByText(/^2 of \d+$/)).toBeVisible()
    await page.keyboard.press('Control+ArrowLeft')
    await expect(page.getByText(/^1 of \d+$/)).toBeVisible()
  })

  test('creating an office', async ({ page }) => {
    await page.goto('/app/offices/offices')
    await loaded(page)
    await tabTo(page, page.getByRole('link', { name: '+ Add Office' }))
    await page.keyboard.press('Enter')
    const username = `kb${Date.now() % 1e7}`
    for (const [label, text] of [
      ['Office name', `Keyboard ${username}`],
      ['Manager first name', 'Ana'],
      ['Manager last name', 'Cruz'],
      ['Username', username],
      ['Password', 'by-keys-alone'],
      ['Confirm password', 'by-keys-alone'],
    ] as const) {
      await tabTo(page, page.getByRole('textbox', { name: new RegExp(`^${label}`) }))
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Offices' })).toBeVisible()
    await expect(page.getByRole('cell', { name: username, exact: true })).toBeVisible()
  })

  test('asking again while the dialog of the same question fades', async ({ page }) => {
    await page.goto('/app/settings/pay')
    const button = page.getByRole('button', { name: 'Change the limits' })
    const dialog = page.getByRole('dialog', { name: 'Change the limits' })
    await button.click()
    await expect(dialog.getByLabel('Adjustments in pesos')).toBeFocused()
    expect(await askWhileFading(button)).toBe(true)
    await expect(dialog.getByLabel('Adjustments in pesos')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(button).toBeFocused()
  })

  test('asking for the shortcuts again while they fade', async ({ page }) => {
    await page.goto('/app/settings/pay')
    await expect(page.getByRole('button', { name: 'Change the limits' })).toBeVisible()
    const close = page
      .getByRole('dialog', { name: 'Keyboard shortcuts' })
      .getByRole('button', { name: 'Close' })
    await page.keyboard.press('?')
    await expect(close).toBeFocused()
    expect(await askWhileFading(page.locator('body'), '?')).toBe(true)
    await expect(close).toBeFocused()
  })

  test('reading payroll, and the explanation of a figure', async ({ page }) => {
    await page.goto('/app/stats/sites-payout?groupBy=company')
    await loaded(page)
    const figure = page
      .locator('tbody')
      .getByRole('link', { name: /^Payout ₱[\d,]*[1-9].*: what it is made of/ })
      .first()
    const amount = await figure.textContent()
    await tabTo(page, figure)
    await page.keyboard.press('Enter')
    const explanation = page.getByRole('dialog')
    await expect(explanation).toContainText(amount ?? '?')
    await page.keyboard.press('Escape')
    await expect(explanation).toBeHidden()
    await expect(figure).toBeFocused()
  })

  test('typing into a select while the rest of the page loads', async ({ page }) => {
    const site = page.getByRole('combobox', { name: 'Site', exact: true })
    // Assets requested after the field has appeared arrive while the user types.
    const typing = Promise.withResolvers<void>()
    await page.route('**/assets/**', async (route) => {
      if ((await site.count()) > 0) await typing.promise
      await route.continue()
    })
    await page.goto('/app/logs/click-outs?pageSize=10', { waitUntil: 'commit' })
    await site.and(page.locator(':enabled')).waitFor()
    await site.focus()
    setTimeout(typing.resolve, 300)
    await page.keyboard.type('Lantern', { delay: 100 })
    await expect(site).toHaveValue('Lantern')
    await expect(page.getByRole('option', { name: 'Lantern Live' })).toBeVisible()
  })

  test('writing news', async ({ page }) => {
    const sent = page.waitForRequest(
      (request) => request.url().endsWith('/api/news') && request.method() === 'POST',
    )
    // Do not save: other tests use the news of the demo data.
    await page.route('**/api/news', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ json: { ok: true } })
        : route.continue(),
    )
    await page.goto('/app/news/edit')
    await tabTo(page, page.getByRole('textbox', { name: 'News' }))
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' By keys alone')
    await tabTo(page, page.getByRole('button', { name: 'Update' }))
    await page.keyboard.press('Enter')
    expect((await sent).postData()).toContain('By keys alone')
  })
})

test.describe('as an office', () => {
  test.use({ account: 'manila', permissions: ['clipboard-read', 'clipboard-write'] })

  test('generating a link and copying it', async ({ page }) => {
    await page.goto('/app/links/links')
    await choose(page, 'Site', 'Lantern Live')
    await choose(page, 'Agent', 'maria')
    await tabTo(page, page.getByRole('button', { name: 'Get links' }))
    await page.keyboard.press('Enter')
    const link = await page.locator('tbody code').first().textContent()
    await tabTo(page, page.locator('tbody').getByRole('button', { name: /^Copy/ }).first())
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  })
})

async function choose(page: Page, label: string, option: string): Promise<void> {
  await tabTo(page, page.getByRole('combobox', { name: label }))
  await page.keyboard.type(option)
  await expect(page.getByRole('option', { name: option })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: label })).toHaveValue(option)
}

async function loaded(page: Page): Promise<void> {
  await page.locator('tbody a').first().waitFor()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

/**
 * Escape, and then a click on the element, or a key, within the time that the dialog takes to fade, which a busy machine prolongs. Whether
 * it was there, and then was gone.
 */
const askWhileFading = (target: Locator, key?: string): Promise<boolean> =>
  target.evaluate(async (element: HTMLElement, pressed) => {
    const fading = document.querySelector('[role="dialog"]')
    const isThere = () => fading?.isConnected === true
    const press = (by: Element | null, name: string) =>
      by?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }))
    press(document.activeElement, 'Escape')
    await new Promise(requestAnimationFrame)
    const isFading = isThere()
    if (pressed === undefined) {
      element.focus()
      element.click()
    } else press(element, pressed)
    for (let tries = 0; isThere() && tries < 100; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    return isFading && !isThere()
  }, key)
