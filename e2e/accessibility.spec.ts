import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { APIResponse, BrowserContext, Page } from '@playwright/test'
import { routePaths } from '../apps/api/test/web-routes.ts'
import { brokenWords } from './support/broken-words.ts'
import { delayAnswers } from './support/late-answers.ts'
import { waitForHeights, watchShifts } from './support/layout-shift.ts'
import { addressOf, pages, readyOnPhone } from './support/pages.ts'
import { expect, openContext, test as base } from './support/test.ts'
import { violationsOf } from './support/violations.ts'

const SCHEME = 'data-mantine-color-scheme'

/** The narrowest supported phone. */
const narrow = { width: 360, height: 780 }

/**
 * One browser context per account. The tests only look at pages, so they can share the browser's caches.
 */
const test = base.extend<object, { contexts: Map<string, BrowserContext> }>({
  contexts: [
    async ({}, use) => {
      const contexts = new Map<string, BrowserContext>()
      await use(contexts)
      for (const context of contexts.values()) await context.close()
    },
    { scope: 'worker' },
  ],
  context: async ({ contexts, browser, account, mustChangePassword, mustAddFactor }, use) => {
    const reader = `${account} ${mustChangePassword} ${mustAddFactor}`
    const context = contexts.get(reader) ?? (await openContext(browser))
    contexts.set(reader, context)
    await use(context)
    await Promise.all(context.pages().map((page) => page.close()))
  },
})

for (const shown of pages) {
  const { path, account, ready, mustChangePassword, mustAddFactor, expectedConsole } = shown
  test.describe(() => {
    test.use({
      account,
      mustChangePassword: mustChangePassword ?? false,
      mustAddFactor: mustAddFactor ?? false,
      expectedConsole: expectedConsole ?? [],
    })

    test(`${path} as ${account ?? 'nobody'}: no accessibility violations in light or dark, no layout shift, no horizontal overflow, no broken words`, async ({
      page,
    }) => {
      await waitForHeights(page)
      const shifts = await watchShifts(page)
      const address = fewRows(await addressOf(page, shown))
      const open = async (signOfReady = ready) => {
        // Navigate from elsewhere, because a new fragment alone would not load the page.
        await page.goto('about:blank')
        await page.goto(address)
        await page.locator(signOfReady).first().waitFor()
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      }
      await page.emulateMedia({ reducedMotion: 'reduce' })

      const untilAnswered = await delayAnswers(page)
      await open()
      await untilAnswered()
      expect(await shifts.sinceLoad(), 'layout shift').toEqual([])
      expect(await brokenWords(page), 'broken words').toEqual([])
      await show(page, 'light')
      expect(await violationsOf(page), 'desktop, light').toEqual([])
      await show(page, 'dark')
      expect(await violationsOf(page, { coloursOnly: true }), 'desktop, dark').toEqual([])
      await show(page, 'light')

      await page.setViewportSize(narrow)
      await open(readyOnPhone(shown))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(narrow.width)
      expect(await shifts.sinceLoad(), 'layout shift on a phone').toEqual([])
      expect(await brokenWords(page), 'broken words on a phone').toEqual([])
      expect(await violationsOf(page), 'phone').toEqual([])
    })
  })
}

test('every page of the router is tested', () => {
  const routes = routePaths()
  const looked = pages.map(({ path }) => path.replace(/[?#].*/, '').replace(/^\/app(?=\/)/, ''))
  const unseen = routes.filter((route) => {
    const shape = new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`)
    // `…/create` does not cover `…/$id`.
    return !looked.some((path) => path === route || (shape.test(path) && !routes.includes(path)))
  })
  const tabs = tabPaths().filter(
    (tab) =>
      !looked.some((path) => /^\/(offices|agents|sites)\/\d+/.test(path) && path.endsWith(tab)),
  )
  expect(tabs).toEqual([])
  // These redirect.
  expect(unseen.toSorted()).toEqual([
    '/chat-logs',
    '/links',
    '/logs',
    '/news',
    '/offices',
    '/settings',
    '/sites',
    '/stats',
  ])
})

test.describe('from page to page', () => {
  test.use({ account: 'superadmin' })

  test('the frame does not shift', async ({ page }) => {
    // A sale of another test would push the latest sales down, as it should.
    let home: Promise<APIResponse> | undefined
    await page.route('**/api/home', async (route) => {
      home ??= route.fetch()
      await route.fulfill({ response: await home })
    })
    await waitForHeights(page)
    const shifts = await watchShifts(page)
    await page.goto('/app/home')
    await page.locator('tbody tr[data-best]').first().waitFor()
    const menu = page.getByRole('navigation', { name: 'Main' })
    for (const name of ['Offices', 'Agents', 'Sites', 'Stats', 'Logs', 'Settings', 'Home']) {
      await shifts.forget()
      await menu.getByRole('link', { name, exact: true }).click()
      await expect(page.locator('main').getByText(/.../).first()).toBeVisible()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      expect(await shifts.sinceLoad(), name).toEqual([])
    }
  })
})

/** Ten rows show the same problems as twenty-five. */
const fewRows = (path: string) => path.replace('pageSize=25', 'pageSize=10')

async function show(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute(SCHEME, colorScheme)
}

/** The tabs of the pages of offices, agents and sites. */
const tabPaths = (): string[] => {
  const file = join(import.meta.dirname, '../apps/web/src/app/objects/objects.routes.ts')
  return [...readFileSync(file, 'utf8').matchAll(/^ {2}path: '(\/[a-z-]+)',$/gm)].flatMap(
    ([, tab]) => tab ?? [],
  )
}
