import type { Locator } from '@playwright/test'
import { rangeInShort } from '../packages/domain/src/periods.ts'
import { today } from './support/day.ts'
import { lastPeriod } from './support/pages.ts'
import { amountOf } from './support/statistics-page.ts'
import { expect, test } from './support/test.ts'
import { violationsOf } from './support/violations.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

test.describe('a superadmin on a phone', () => {
  test.use({ account: 'superadmin' })

  test('reads the whole period of Top Agents, on the chip and in its field', async ({ page }) => {
    await page.goto('/app/stats/top-agents?start=2026-08-31&end=2026-09-22')
    const filters = page.getByRole('group', { name: 'Filters' })
    const chip = filters.getByRole('button', { name: /31 Aug – 22 Sep/ })
    await expectUncut(chip)
    await chip.click()
    const sheet = page.getByRole('dialog', { name: 'Filters' })
    await expectUncut(sheet.getByRole('button', { name: /2026-08-31 – 2026-09-22/ }))
  })

  test('reads on Payroll which half-month is on screen', async ({ page }) => {
    await page.goto('/app/stats/sites-payout')
    const filters = page.getByRole('group', { name: 'Filters' })
    const days = rangeInShort(lastPeriod, today)
    await expectUncut(filters.getByRole('button', { name: days, exact: true }))
    await expect(filters.getByRole('button')).toHaveText(['Filters', 'By Agent', days])
  })

  test('has Home, Needs you with its count, Find and Menu at the bottom', async ({ page }) => {
    await page.goto('/app/home')
    const bar = page.getByRole('navigation', { name: 'Quick access' })
    await expect(bar.getByRole('link')).toHaveText(['Home', /^\d+\+?Needs you$/])
    const needs = await page.getByRole('region', { name: 'Needs you' }).boundingBox()
    const figures = await page.getByRole('region', { name: 'Figures' }).boundingBox()
    expect(needs?.y).toBeLessThan(figures?.y ?? 0)
    for (const link of await page
      .getByRole('region', { name: 'Needs you' })
      .getByRole('link')
      .all())
      expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24)
    await bar.getByRole('button', { name: 'Find' }).click()
    await expect(page.getByRole('combobox', { name: 'Go to' })).toBeFocused()
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  })

  test('finds no row of buttons between the filters and what the page shows', async ({ page }) => {
    for (const [path, first] of [
      ['/app/logs/sale-logs', page.locator('main').getByRole('listitem').first()],
      ['/app/logs/click-outs', page.locator('main').getByRole('listitem').first()],
      ['/app/stats/top-agents', page.getByRole('table', { name: 'Top Agents' })],
    ] as const) {
      await page.goto(path)
      const actions = page.getByRole('button', { name: 'Page actions' })
      await expect(first).toBeVisible()
      // A single button, next to something else: the filters or the summary.
      const box = await actions.boundingBox()
      expect(box?.x, path).toBeGreaterThan(300)
      await actions.click()
      const sheet = page.getByRole('dialog', { name: 'Page actions' })
      await expect(sheet.getByRole('button', { name: /Export|CSV|Print/ }).first()).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(sheet).toBeHidden()
    }
  })

  test('opens the integration of a site from the actions, which close', async ({ page }) => {
    await page.goto('/app/sites/postbacks')
    await page.getByRole('button', { name: 'Page actions' }).click()
    const sheet = page.getByRole('dialog', { name: 'Page actions' })
    await sheet.getByRole('button', { name: 'Integration' }).click()
    const drawer = page.getByRole('dialog', { name: 'Integration' })
    await drawer.getByRole('combobox', { name: 'Site' }).click()
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
  })

  test('reads a payout by rate: what it is for, rate × number below, and a sum that is in view', async ({
    page,
  }) => {
    const explain = 'payroll.payout.2020-01-01.2099-12-31'
    await page.goto(`/app/stats/sites-payout?groupBy=company&explain=${explain}`)
    const groups = page.getByRole('dialog').getByRole('region', { name: 'By rate' })
    const first = groups.locator('tbody tr').first()
    await expect(groups.getByRole('columnheader')).toHaveText(['For', 'Sum'])
    await expect(first.getByRole('cell')).toHaveCount(2)
    await expect(first.getByRole('cell').first()).toContainText(
      /₱[\d,]+\.\d\d × (\d|\([\d,]+ − \d)/,
    )
    await expect(first.getByRole('cell').last()).toBeInViewport({ ratio: 1 })
    expect(await groups.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(
      0,
    )
    const amounts = await groups.locator('tbody td:last-child').allTextContents()
    const sum = await groups.locator('tfoot td:last-child').textContent()
    expect(amounts.reduce((all, one) => all + amountOf(one), 0)).toBe(amountOf(sum ?? ''))
  })

  test('reads page after page under a header of two lines, however long their titles', async ({
    page,
  }) => {
    const heights: number[] = []
    for (const path of [
      '/app/home',
      '/app/stats/office-performance',
      '/app/settings/avp-schedule',
      '/app/stats/office-performance-chart',
    ]) {
      await page.setViewportSize({ width: 360, height: 800 })
      await page.goto(path)
      const header = page.getByRole('banner')
      await expect(header.getByRole('time')).toBeInViewport({ ratio: 1 })
      heights.push((await header.boundingBox())?.height ?? 0)
    }
    expect(new Set(heights).size, heights.join()).toBe(1)
  })

  test('follows a name in the second line of a card, instead of unfolding the card', async ({
    page,
  }) => {
    await page.goto('/app/logs/sale-logs')
    const card = page.locator('main').getByRole('listitem').first()
    const site = card.locator('a[href^="/app/sites/"]').first()
    const name = (await site.textContent()) ?? ''
    await site.tap()
    await expect(page).toHaveURL(/\/app\/sites\/\d+/)
    await expect(page.getByRole('heading', { name })).toBeVisible()
  })
})

/** The whole text is within the window, and none of it is cut off or covered. */
async function expectUncut(field: Locator): Promise<void> {
  await expect(field).toBeInViewport({ ratio: 1 })
  expect(
    await field.evaluate((element) =>
      [element, ...element.querySelectorAll('*')].every(
        (one) =>
          !(one instanceof HTMLElement) ||
          one.scrollWidth <= one.clientWidth + 1 ||
          getComputedStyle(one).display === 'inline',
      ),
    ),
  ).toBe(true)
}

test.describe('an agent on a phone', () => {
  test.use({ account: 'maria' })

  test('reads the payout of the week without scrolling, and unfolds a day', async ({ page }) => {
    await page.goto('/app/stats/sites')
    const alert = page.getByRole('region', { name: 'Alert' })
    await expect(alert.getByRole('button', { name: 'Show the alert' })).toBeVisible()
    const cards = page.getByRole('region', { name: 'Sites Statistics' }).getByRole('listitem')
    await expect(cards.filter({ hasText: /^Total/ })).toBeVisible()
    // The tiles above the rows have code of their own, which may still be loading.
    const payout = page.locator('main').getByText('₱').first()
    await expect.poll(async () => (await payout.boundingBox())?.y).toBeLessThan(300)

    await expectUncut(page.getByRole('button', { name: 'Chart Payout' }))
    await expect(cards.first().getByText('Uniques')).toBeHidden()
    await cards
      .first()
      .getByRole('button', { name: /^Details of/ })
      .click()
    await expect(cards.first().getByText('Uniques')).toBeVisible()
    expect(await violationsOf(page), 'an unfolded card').toEqual([])

    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Sales')
    await expect(page).toHaveURL(/sortField=sales/)
    await page.getByRole('button', { name: /^Ascending/ }).click()
    await expect(page).toHaveURL(/sortAsc=false/)
  })

  test('opens the menu of views, and the header keeps its size', async ({ page }) => {
    await page.goto('/app/stats/sites')
    const views = page.getByRole('button', { name: 'Views' })
    const size = await views.boundingBox()
    await views.click()
    await expect(page.getByRole('menuitem', { name: 'Save to my views' })).toBeVisible()
    expect(await views.boundingBox()).toEqual(size)
  })

  test('changes the filters in a sheet, and reads on the chips what is set', async ({ page }) => {
    await page.goto('/app/logs/sale-logs')
    const chips = page.getByRole('group', { name: 'Filters' })
    await chips.getByRole('button', { name: 'Filters' }).click()
    const sheet = page.getByRole('dialog', { name: 'Filters' })
    expect(await violationsOf(page), 'an open sheet').toEqual([])
    await sheet.getByRole('textbox', { name: 'Email' }).fill('nobody@example.com')
    await sheet.getByRole('button', { name: 'Search' }).click()
    await expect(sheet).toBeHidden()
    await expect(page).toHaveURL(/email=nobody/)
    await expect(chips.getByRole('button', { name: 'Email: nobody@example.com' })).toBeVisible()
    await expect(page.getByText('No logs for selected period')).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveCount(0)

    await chips.getByRole('button', { name: /^Email/ }).click()
    await sheet.getByRole('button', { name: 'Clear', exact: true }).click()
    await expect(page).not.toHaveURL(/email=/)
  })
})

test.describe('without a network', () => {
  test.use({
    account: 'maria',
    ownSession: true,
    serviceWorkers: 'allow',
    // Calls that were in flight are refused after signing out.
    expectedConsole: [/status of 401|ERR_INTERNET_DISCONNECTED/],
  })

  test('a branded page says so; signing out leaves nothing else in the caches', async ({
    page,
    context,
  }) => {
    await page.goto('/app/home')
    await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state))
      .toBe('activated')
    await page.goto('/app/profile')
    await expect(page.locator('main input').first()).toBeVisible()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login/)
    const kept = await page.evaluate(async () => {
      const names = await caches.keys()
      const requests = await Promise.all(
        names.map(async (name) => (await caches.open(name)).keys()),
      )
      return requests.flat().map(({ url }) => new URL(url).pathname)
    })
    expect(kept).toEqual(['/offline'])

    await context.setOffline(true)
    await page.goto('/app/home')
    await expect(page.getByRole('heading', { name: 'You’re offline' })).toBeVisible()
    expect(await violationsOf(page), 'the offline page').toEqual([])
    await context.setOffline(false)
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  })
})
