import type { Page } from '@playwright/test'
import { formatClock } from '../packages/domain/src/new-york.ts'
import { now } from './support/day.ts'
import { expect, test } from './support/test.ts'

test.use({ account: 'superadmin' })

test('the clock shows New York time to a browser in Manila', async ({ page }) => {
  await page.goto('/app/stats/sites')
  expect(await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe(
    'Asia/Manila',
  )
  const clock = page.getByRole('banner').getByRole('time')
  const expectNow = async () => {
    const seconds = [-2, -1, 0, 1].map((ahead) =>
      formatClock(new Date(now().getTime() + ahead * 1000)),
    )
    expect(seconds).toContain(await clock.textContent())
  }
  await expect(expectNow).toPass()
  const first = (await clock.textContent()) ?? ''
  expect(first).toMatch(/E[SD]T$/)
  await expect(clock).not.toHaveText(first)
  await expect(expectNow).toPass()
})

test.describe('colours', () => {
  const scheme = () => document.documentElement.dataset['mantineColorScheme']

  test('follow the system until a scheme is chosen, which a reload keeps', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/app/stats/sites')
    expect(await page.evaluate(scheme)).toBe('dark')
    await page.getByRole('button', { name: /^Colors follow the system/ }).click()
    expect(await page.evaluate(scheme)).toBe('light')
    await page.reload()
    expect(await page.evaluate(scheme)).toBe('light')
    await page.getByRole('button', { name: /^Light colors/ }).click()
    expect(await page.evaluate(scheme)).toBe('dark')
    await page.getByRole('button', { name: /^Dark colors/ }).click()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => page.evaluate(scheme)).toBe('light')
  })
})

test.describe('before the scripts arrive', () => {
  test('name and outline are painted, and Home’s figures are asked for, once', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname === '/api/home') asked.push(request.headers()['if-none-match'] ?? 'first')
    })
    let release = () => {}
    const arrives = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/assets/**', async (route) => {
      await arrives
      await route.continue()
    })
    await page.goto('/app/home', { waitUntil: 'commit' })
    const outline = page.locator('#opening')
    await expect(outline.getByText('Tallyroom')).toBeVisible()
    await expect(outline.locator('i').last()).toBeVisible()
    await expect.poll(() => asked).toEqual(['first'])
    release()
    await expect(page.getByRole('region', { name: 'Figures' }).getByText('$').first()).toBeVisible()
    await expect(outline).toHaveCount(0)
    expect(asked.filter((mark) => mark === 'first')).toEqual(['first'])
  })

  test('the alerts are asked for on every page, once', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname === '/api/alerts/login') asked.push(pathname)
    })
    let release = () => {}
    const arrives = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/assets/**', async (route) => {
      await arrives
      await route.continue()
    })
    await page.goto('/app/stats/sites-payout', { waitUntil: 'commit' })
    await expect.poll(() => asked).toHaveLength(1)
    release()
    await expect(page.getByRole('banner').getByRole('time')).toBeVisible()
    expect(asked).toHaveLength(1)
  })

  test('on a slow line, the first page is drawn without its font, which is there for the next', async ({
    page,
  }) => {
    await page.clock.install()
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { downlink: 0.4, rtt: 600 } })
    })
    const fonts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'font') fonts.push(request.url())
    })
    const family = () => page.evaluate(() => getComputedStyle(document.body).fontFamily)
    await page.goto('/app/home')
    await expect(page.getByRole('region', { name: 'Figures' })).toBeVisible()
    expect(await family()).toMatch(/^"Inter Fallback"/)
    expect(fonts.filter((url) => url.includes('latin'))).toEqual([])
    await page.clock.fastForward(5_000)
    await expect.poll(() => fonts.filter((url) => url.includes('latin'))).toHaveLength(1)
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('tallyroom.font')))
      .toBe('true')
    expect(await family()).toMatch(/^"Inter Fallback"/)
    await page.getByRole('link', { name: 'Payroll' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Payroll' })).toBeVisible()
    await expect.poll(family).toMatch(/^"Inter Variable"/)
    await expect.poll(() => drawnFonts(page, 'h1')).toEqual(['Inter'])
  })

  test('the files of Home are named by its page, and not found by one another', async ({
    page,
  }) => {
    await page.goto('/app/home')
    await expect(page.getByRole('region', { name: 'Figures' })).toBeVisible()
    const html = await (await page.request.get('/app/home')).text()
    const loaded = await page.evaluate(() => {
      const figures = document.querySelector('section[aria-label="Figures"]')
      return figures === null
        ? []
        : performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
    })
    const files = loaded.filter((path) => path.startsWith('/assets/'))
    expect(files.length).toBeGreaterThan(10)
    expect(files.filter((path) => !html.includes(path))).toEqual([])
  })
})

/** The families of the glyphs of an element. */
async function drawnFonts(page: Page, selector: string): Promise<string[]> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('DOM.enable')
  await browser.send('CSS.enable')
  const { root } = await browser.send('DOM.getDocument')
  const { nodeId } = await browser.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await browser.send('CSS.getPlatformFontsForNode', { nodeId })
  await browser.detach()
  return fonts.map(({ familyName }) => familyName)
}

test('days and hints are New York’s, even if it is already tomorrow in Manila', async ({
  page,
}) => {
  // Sunday evening in New York, Monday noon in Manila.
  await page.clock.setFixedTime('2026-03-09T03:30:00Z')
  await page.goto('/app/stats/sites')
  await expect(page).toHaveURL(/start=2026-03-02&end=2026-03-08/)
  await expect(page.getByRole('banner').getByRole('time')).toHaveText('2026-03-08 23:30:00 EDT')
  await page.getByRole('button', { name: /^Date range: .*2026-03-02/ }).click()
  await page.getByText('Today', { exact: true }).click()
  await expect(page.getByRole('button', { name: /^Date range: .*2026-03-08/ })).toBeVisible()
})

test('a time also shows the reader’s own clock, and how long ago it was', async ({ page }) => {
  await page.goto('/app/logs/login')
  const time = page.locator('tbody time').first()
  await expect(time).toHaveText(/^\d{4}-\d\d-\d\d \(\d\d:\d\d\)$/)
  await time.hover()
  await expect(time).toHaveAttribute(
    'title',
    /^Your time \(Asia\/Manila\): \d{4}-\d\d-\d\d \d\d:\d\d:\d\d · (just now|\d+ \w+ ago)$/,
  )
})

test.describe('logs show New York time across the change to daylight saving time', () => {
  for (const [log, call, field] of [
    ['chat', 'chat-logs/search', 'submitTime'],
    ['login', 'login-logs/search', 'inTime'],
    ['click-outs', 'click-outs/search', 'clickTime'],
    ['sale-logs', 'sale-logs', 'date'],
    ['common-logs', 'common-logs/search', 'date'],
  ] as const) {
    test(log, async ({ page }) => {
      await page.route(`**/api/${call}`, async (route) => {
        const response = await route.fetch()
        const list = await response.json()
        // Sale logs nest the list.
        const [first, second] = list.items.items ?? list.items
        first[field] = '2026-03-08T06:59:00.000Z'
        second[field] = '2026-03-08T07:00:00.000Z'
        await route.fulfill({ response, json: list })
      })
      await page.goto(`/app/logs/${log}?reads=true`)
      const rows = page.locator('tbody tr')
      await expect(rows.nth(0)).toContainText('2026-03-08 (01:59)')
      await expect(rows.nth(1)).toContainText('2026-03-08 (03:00)')
    })
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the menu is a drawer that closes on every route change', async ({ page }) => {
    await page.goto('/app/stats/sites')
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(drawer).toBeVisible()
    await drawer.getByRole('link', { name: 'Sites', exact: true }).click()
    await expect(page).toHaveURL(/\/app\/sites\/sites/)
    await expect(drawer).toBeHidden()

    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(drawer).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/\/app\/stats\/sites/)
    await expect(drawer).toBeHidden()
  })
})

test.describe('by keyboard', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/app/stats/sites')
    await expect(page.getByText(/^(Overall total|Total)/).first()).toBeVisible()
  })

  test('/ focuses the search', async ({ page }) => {
    const site = page.getByRole('search').getByRole('combobox', { name: 'Site' })
    // It takes no focus until its sites have loaded, which may be after the figures.
    await expect(site).toBeEnabled()
    await page.keyboard.press('/')
    await expect(site).toBeFocused()
    await page.keyboard.press('/')
    await expect(site).toHaveValue('/')
  })

  test('? shows the shortcuts, and Escape closes them and returns focus', async ({ page }) => {
    const button = page.getByRole('button', { name: 'Print version' })
    await button.focus()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(button).toBeFocused()
  })

  test('what is typed after Ctrl+K is kept while the palette loads', async ({ page }) => {
    const pressed = Promise.withResolvers<void>()
    await page.route('**/Palette-*.js', async (route) => {
      // While Ctrl is held, a letter is a shortcut.
      await pressed.promise
      await page.keyboard.type('postx')
      await page.keyboard.press('Backspace')
      await route.continue()
    })
    const site = page.getByRole('search').getByRole('combobox', { name: 'Site' })
    await expect(site).toBeEnabled()
    await site.focus()
    await page.keyboard.press('Control+k')
    pressed.resolve()
    const field = page.getByRole('combobox', { name: 'Go to' })
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('post')
    await page.keyboard.type('b')
    await expect(field).toHaveValue('postb')
    await expect(page.getByRole('option', { name: 'Postbacks', selected: true })).toBeVisible()
    await expect(site).toHaveValue('All sites')
  })

  test('Ctrl+K finds a page, a site, an office or an agent by a few letters', async ({ page }) => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Go to' })).toBeFocused()
    await page.keyboard.type('postb')
    // Its white text is read on a colour of its own.
    const found = page.getByRole('option', { name: 'Postbacks', selected: true })
    await expect(found).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/app\/sites\/postbacks/)
    await expect(page.getByRole('heading', { level: 1, name: 'Postbacks' })).toBeVisible()

    for (const [letters, name, path] of [
      ['lantern', 'Lantern Live', /\/app\/sites\/1$/],
      ['makat', 'Makati', /\/app\/offices\/\d+$/],
      ['mari', 'maria', /\/app\/agents\/1$/],
    ] as const) {
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox', { name: 'Go to' })
      await expect(field).toBeFocused()
      await page.keyboard.type(letters)
      // For screen readers, the field points to the option that Enter would choose.
      const chosen = page.getByRole('option', { name: new RegExp(`^${name}`), selected: true })
      await expect(chosen).toBeVisible()
      const id = (await chosen.getAttribute('id')) ?? ''
      await expect(field).toHaveAttribute('aria-activedescendant', id)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(path)
    }
  })
})

test('unknown paths lead to the landing page', async ({ page }) => {
  for (const path of ['/', '/app', '/app/no-such-page']) {
    await page.goto(path)
    await expect(page, path).toHaveURL(/\/app\/home$/)
    const note = page.getByText('There is no page at that address.')
    await expect(note).toHaveCount(path === '/app/no-such-page' ? 1 : 0)
  }
})
