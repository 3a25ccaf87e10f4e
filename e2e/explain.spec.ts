import { addDays } from '../packages/domain/src/new-york.ts'
import { today } from './support/day.ts'
import { amountOf } from './support/statistics-page.ts'
import { expect, test } from './support/test.ts'

// Past days, which clicks of other tests do not change.
const yesterday = addDays(today, -1)
const days = `start=${addDays(yesterday, -13)}&end=${yesterday}`

test.describe('an agent', () => {
  test.use({ account: 'maria' })

  test('opens a payout down to its sales and their clicks; Back closes it, and its URL opens it', async ({
    page,
  }) => {
    await page.goto(`/app/stats/sites?${days}`)
    await expect(page.getByText('Every amount opens.')).toBeVisible()
    const before = page.url()
    // Not the link of a tile, whose figure covers the whole range.
    const payout = page
      .locator('tbody')
      .getByRole('link', { name: /^Payout ₱[1-9]/ })
      .first()
    const text = (await payout.textContent())!
    await payout.click()

    const drawer = page.getByRole('dialog')
    await expect(drawer.getByRole('region', { name: 'Figure' })).toContainText(text)
    await expect(drawer).toContainText('Payout · Manila · maria')
    await expect(drawer).toContainText(/Paid by (rate|tier)/)
    const parts = drawer.getByRole('region', { name: 'Sale by sale' }).locator('tbody tr')
    const amounts = await parts.locator('td:last-child').allTextContents()
    const sum = amounts.reduce((all, one) => all + amountOf(one.split(/[A-Z]/)[0]!), 0)
    expect(sum).toBe(amountOf(text))
    await expect(drawer.getByRole('link', { name: 'Postback' })).toHaveCount(0)

    const explained = page.url()
    await page.goBack()
    await expect(drawer).toBeHidden()
    await expect(page).toHaveURL(before)
    await page.goto(explained)
    await expect(drawer).toContainText(text)
    await drawer.getByRole('link', { name: 'Click', exact: true }).first().click()
    await expect(page).toHaveURL(/\/app\/logs\/click-outs\?.*start=/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Click Logs')
    await page.goBack()
    await expect(parts.first().getByRole('link').first()).toHaveAttribute(
      'href',
      /^\/app\/sales\/[\da-f-]{36}$/,
    )
  })
})

test.describe('beside a chart', () => {
  test.use({ account: 'maria' })

  test('the figures of its table open those of their day, and of the day compared with', async ({
    page,
  }) => {
    await page.goto(`/app/stats/sites?${days}`)
    await page.getByRole('button', { name: 'Show chart' }).click()
    await page.getByRole('button', { name: 'Show table' }).click()
    const table = page.getByRole('table', { name: 'Payout by day' })
    for (const column of [2, 3]) {
      const payout = table
        .locator(`td:nth-child(${column})`)
        .getByRole('link', { name: /^Payout, [\d-]{10}, ₱[1-9].*: what it is made of$/ })
        .first()
      const text = (await payout.textContent())!
      const [day] = /\d{4}-\d\d-\d\d/.exec((await payout.getAttribute('aria-label')) ?? '')!
      await payout.click()
      const drawer = page.getByRole('dialog')
      const figure = drawer.getByRole('region', { name: 'Figure' })
      await expect(figure.locator('div').first()).toHaveText(text)
      await expect(drawer).toContainText(`Overall total${day}`)
      await page.goBack()
      await expect(drawer).toBeHidden()
    }
  })
})

test.describe('with the keyboard', () => {
  test.use({ account: 'maria' })

  test('a count opens with Enter and closes with Escape, with focus back where it was', async ({
    page,
  }) => {
    await page.goto(`/app/stats/sites?${days}`)
    const sales = page
      .locator('tbody')
      .getByRole('link', { name: /^Sales [1-9]/ })
      .first()
    const count = Number(await sales.textContent())
    await sales.focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByRole('region', { name: 'Figure' }).locator('div').first()).toHaveText(
      String(count),
    )
    await expect(drawer.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(page).not.toHaveURL(/explain/)
    await expect(sales).toBeFocused()
  })

  test('clicks lead to their log, and a URL without an amount says so', async ({ page }) => {
    await page.goto(`/app/stats/sites?${days}`)
    await page
      .getByRole('link', { name: /^Uniques [1-9].*: clicks/ })
      .first()
      .click()
    await expect(page).toHaveURL(/\/app\/logs\/click-outs\?start=/)
    await page.goto('/app/home?explain=nonsense')
    await expect(page.getByRole('dialog')).toContainText('does not identify an amount')
    await expect(page.getByRole('dialog').getByText('Amount', { exact: true })).toBeFocused()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await expect(page).toHaveURL(/\/app\/home$/)
  })
})
