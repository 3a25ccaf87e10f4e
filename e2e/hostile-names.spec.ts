import type { Page } from '@playwright/test'
import { addressOf, pages, readyOnPhone, screens } from './support/pages.ts'
import { expect, test } from './support/test.ts'

const hostile = (what: string) => `<img src=x onerror="alert('${what}')">`

test.use({ account: 'superadmin' })

test('names that contain markup are shown as typed everywhere', async ({ page }) => {
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

/** A name of the maximum length, without a space to break at. */
const long = (letter: string) => letter.repeat(128)

/** Names in the demo data that many pages show, with their long replacements. */
const longNames = new Map([
  ['Lantern Live', long('L')],
  ['Membership', long('T')],
  ['Manila', long('O')],
  ['maria', long('a')],
  ['Maria', long('F')],
  ['Santos', long('S')],
])

/** On a phone, the fields of a list's criteria are behind a button. */
async function unfoldFilters(page: Page) {
  if (page.viewportSize()?.width !== screens.phone.width) return
  await page
    .getByRole('group', { name: 'Filters' })
    .getByRole('button', { name: 'Filters' })
    .click()
}

/** Replaces the names in responses, so that other tests are not affected. */
async function lengthenNames(page: Page) {
  await page.route(
    (url) => url.pathname.startsWith('/api/') && !url.pathname.includes('/uploads/'),
    async (route) => {
      const response = await route.fetch().catch(() => undefined)
      if (!response) return route.abort()
      const isJson = response.headers()['content-type']?.includes('json') && response.status() < 300
      if (!isJson) return route.fulfill({ response })
      // The response may be gone when the test ends.
      const text = await response.text().catch(() => '')
      if (text === '') return route.abort()
      await route.fulfill({ response, body: JSON.stringify(lengthened(JSON.parse(text))) })
    },
  )
}

function lengthened(value: unknown): unknown {
  if (typeof value === 'string')
    return longNames.get(value) ?? value.replace(/\bMaria Santos\b/, `${long('F')} ${long('S')}`)
  if (Array.isArray(value)) return value.map(lengthened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, lengthened(item)]))
}

/**
 * Finds long names that can't be read, because they are beyond the window or truncated by a box that neither scrolls
 * nor has a title. Also finds pinned first columns that leave too little space for the others.
 */
const outOfReach = (page: Page) =>
  page.evaluate(() => {
    const faults: string[] = []
    const isLong = (text: string | null) => /([A-Za-z])\1{99}/.test(text ?? '')
    const main = document.querySelector('main') ?? document.documentElement
    const isInTable = (element: Element) => {
      const table = element.closest('[data-list] table')
      return table?.checkVisibility() === true
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      if (!isLong(node.textContent) || !parent?.checkVisibility() || parent.closest('script'))
        continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const { left, right, width } = range.getBoundingClientRect()
      if (width === 0) continue
      const name = `${parent.tagName}.${parent.className} ${node.textContent?.slice(0, 5)}`
      for (let box: Element | null = parent; ; box = box.parentElement) {
        if (!box) {
          if (right > innerWidth + 1 || left < -1) faults.push(`${name}: beyond the window`)
          break
        }
        const { overflowX, position } = getComputedStyle(box)
        const edge = box.getBoundingClientRect()
        // Visible to screen readers only.
        if (position === 'absolute' && edge.width <= 1) break
        const isBeyond = right > edge.right + 1 || left < edge.left - 1
        // The page scrolls sideways for the table of a list, and for nothing else.
        if (['auto', 'scroll'].includes(overflowX) && (box.id !== 'content' || isInTable(parent)))
          break
        // 'More' shows the whole line.
        const opens = box.nextElementSibling?.getAttribute('aria-expanded') === 'false'
        if (opens) break
        if (['hidden', 'clip'].includes(overflowX) && isBeyond && !box.closest('[title]')) {
          faults.push(`${name}: cut off by ${box.tagName}.${box.className}`)
          break
        }
      }
    }
    for (const input of document.querySelectorAll('input'))
      if (isLong(input.value) && input.readOnly && !isLong(input.title))
        faults.push(`${input.getAttribute('aria-label') ?? input.id}: a field that cuts its value`)
    for (const pinned of document.querySelectorAll('[data-pinned]')) {
      const frame = isInTable(pinned) ? main : pinned.closest('[role="region"]')
      // Columns that all fit leave nothing to scroll to.
      if (!frame || frame.scrollWidth <= frame.clientWidth) continue
      const share = pinned.getBoundingClientRect().width / frame.clientWidth
      if (share > 0.6) faults.push(`a first column takes ${Math.round(100 * share)}% of its frame`)
    }
    const hasTable = [...main.querySelectorAll('table')].some((table) => isInTable(table))
    for (const box of hasTable ? [document.documentElement] : [document.documentElement, main])
      if (box.scrollWidth > box.clientWidth + 1)
        faults.push(`${box.tagName} scrolls sideways: ${box.scrollWidth} of ${box.clientWidth}`)
    return [...new Set(faults)]
  })

for (const product of pages) {
  const { path, account, ready, mustChangePassword, mustAddFactor, expectedConsole } = product
  // Nobody's own, a page that only says why it shows nothing, and one that is not for users.
  if (!account || mustChangePassword || mustAddFactor || expectedConsole || path === '/app/spike')
    continue
  test.describe(`as ${account}`, () => {
    test.use({ account })

    test(`names of 128 letters stay readable on ${path}, on a desktop and on a phone`, async ({
      page,
    }) => {
      await lengthenNames(page)
      await page.goto(await addressOf(page, product))
      await expect(page.locator(ready).first()).toBeVisible()
      expect.soft(await outOfReach(page)).toEqual([])
      // The page adapts to the window; loading it again would take most of the test's time.
      await page.setViewportSize(screens.phone)
      await expect(page.locator(readyOnPhone(product)).first()).toBeVisible()
      await expect.poll(() => outOfReach(page), { message: 'on a phone' }).toEqual([])
    })
  })
}

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`names of 128 letters in popups, on a ${screen}`, () => {
    test.use({ account: 'superadmin', viewport })

    for (const [what, { path, open, shows }] of Object.entries({
      'a select of sites': {
        path: '/app/logs/click-outs?pageSize=10',
        open: async (page: Page) => {
          await unfoldFilters(page)
          await page.getByRole('combobox', { name: 'Site' }).click()
        },
        shows: '[role="option"]:visible',
      },
      'a select of offices': {
        path: '/app/logs/click-outs?pageSize=10&companyId=1',
        open: async (page: Page) => {
          await unfoldFilters(page)
          await page.getByRole('combobox', { name: 'Office' }).click()
        },
        shows: '[role="option"]:visible',
      },
      'several sites': {
        path: '/app/stats/top-agents?siteIds=1,2',
        open: async (page: Page) => {
          await unfoldFilters(page)
          await page.getByRole('combobox', { name: 'Site', exact: true }).hover()
        },
        shows: '.mantine-Pill-label',
      },
      'the palette': {
        path: '/app/agents?pageSize=10',
        open: async (page: Page) => {
          await page.getByRole('button', { name: 'Go to a page' }).click()
          await page.getByRole('combobox', { name: 'Go to' }).fill('Lantern')
        },
        shows: '[data-action]',
      },
      'a question': {
        path: '/app/sites/sites',
        open: async (page: Page) => {
          await page.getByRole('button', { name: `Actions for ${long('L')}` }).click()
          await page.getByRole('menuitem', { name: 'Suspend' }).click()
        },
        shows: '[role="dialog"] button',
      },
      'an integration': {
        path: '/app/sites/postbacks?pageSize=25&siteId=1&integration=true',
        open: () => Promise.resolve(),
        shows: '[role="dialog"] code',
      },
    }))
      test(`stay readable in ${what}`, async ({ page }) => {
        await lengthenNames(page)
        await page.goto(path)
        await open(page)
        await expect(page.locator(shows).first()).toBeVisible()
        await expect.poll(() => outOfReach(page)).toEqual([])
      })
  })
