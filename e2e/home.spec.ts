import { startOwnServer } from './support/own-server.ts'
import { now } from './support/day.ts'
import { expect, test } from './support/test.ts'
import { watchShifts } from './support/layout-shift.ts'
import { violationsOf } from './support/violations.ts'

test.describe('an office and staff', () => {
  for (const [account, heading] of [
    ['manila', 'No sale for 3 days'],
    ['admin', 'Today by site'],
    ['superadmin', 'Needs you'],
  ] as const) {
    test.describe(account, () => {
      test.use({ account })

      test('find their own section above the boards on a laptop', async ({ page }) => {
        await page.setViewportSize({ width: 1280, height: 800 })
        await page.goto('/app/home')
        const own = await page.getByRole('heading', { name: heading }).boundingBox()
        const boards = await page
          .getByRole('heading', { name: 'Weekly Top 10 Agents' })
          .boundingBox()
        expect(own?.y).toBeLessThan(boards?.y ?? 0)
      })
    })
  }
})

for (const account of ['maria', 'manila', 'admin', 'superadmin'] as const) {
  test.describe(account, () => {
    test.use({ account, viewport: { width: 1440, height: 900 } })

    test('has the three boards on the first wide screen, below the figures', async ({ page }) => {
      await page.goto('/app/home')
      const figures = await page.getByRole('region', { name: 'Figures' }).boundingBox()
      for (const name of [
        'Weekly Top 10 Agents',
        'All Time Top 10 Agents',
        'BiWeekly office ranking',
      ]) {
        const first = page.getByRole('table', { name }).getByRole('row').nth(5)
        await expect(first).toBeInViewport({ ratio: 1 })
        expect((await first.boundingBox())?.y).toBeGreaterThan(figures?.y ?? Infinity)
      }
    })
  })
}

test.describe('while totals are being rebuilt', () => {
  test.use({ account: 'maria', expectedConsole: [/503/] })

  test('Home says so at the first refusal, and shows the figures once they are there', async ({
    page,
  }) => {
    const calls: string[] = []
    for (const path of ['/api/dashboard', '/api/home'])
      await page.route(`**${path}`, async (route) => {
        calls.push(path)
        await route.fulfill({
          status: 503,
          json: {
            code: 'UNAVAILABLE',
            message:
              'The figures are not available now: totals are being rebuilt, or the database is slow.',
            data: {},
          },
        })
      })
    await page.goto('/app/home')
    const notice = page.getByRole('alert')
    await expect(notice).toBeVisible()
    await page.clock.install({ time: now() })
    await page.reload()
    await expect(notice).toBeVisible()
    calls.length = 0
    await page.reload()
    await expect(notice).toContainText(
      'The figures are not available now: totals are being rebuilt, or the database is slow. This page tries again every ten seconds.',
    )
    expect(calls.toSorted()).toEqual(['/api/dashboard', '/api/home'])

    await page.unrouteAll()
    await page.clock.runFor(11_000)
    await expect(page.getByRole('heading', { name: 'My links' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Weekly Top 10 Agents' })).toBeVisible()
    await expect(notice).toBeHidden()
  })
})

test.describe('an office', () => {
  test.use({ account: 'manila' })

  test('opens the sales of its best agent, and those of a day on its chart’s table', async ({
    page,
  }) => {
    for (const [path, within] of [
      ['/app/home', page.getByRole('list', { name: 'Best agents' })],
      [
        '/app/stats/office-performance-chart?period=Last+12+days&view=tables',
        page.getByRole('table', { name: 'Figures of Manila' }),
      ],
    ] as const) {
      await page.goto(path)
      const sales = within.getByRole('link', { name: /[1-9].*: what it is made of$/ }).first()
      const [count = ''] = /^[\d,]+/.exec((await sales.textContent()) ?? '') ?? []
      await sales.click()
      await expect(page).toHaveURL(/explain=sites\.sales\./)
      const figure = page.getByRole('dialog').getByRole('region', { name: 'Figure' })
      await expect(figure.locator('div').first()).toHaveText(count)
    }
  })
})

test.describe('a superadmin', () => {
  test.use({ account: 'superadmin' })

  test('finds as many behind each entry of Needs you as it says', async ({ page }) => {
    await page.goto('/app/home')
    const needs = page
      .locator('#needs-you')
      .locator('a[href*="/postbacks"], a[href*="/decisions"], a[href*="/unapprove"]')
    await needs.first().waitFor()
    const entries = await needs.evaluateAll((links) =>
      links.map((link) => ({
        href: link.getAttribute('href') ?? '',
        text: link.textContent ?? '',
      })),
    )
    expect(entries.length).toBeGreaterThan(4)
    for (const { href, text } of entries) {
      const count = Number.parseInt(text, 10)
      await page.goto(href)
      if (href.includes('/decisions')) {
        const waits = new RegExp(`^${count} decisions? waits? of the kind`)
        await expect(page.locator('main').getByText(waits), text).toBeVisible()
        continue
      }
      await page.locator('main tbody td').first().waitFor()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      await expect(page.getByText(count === 1 ? /^1 row$/ : `${count} rows`), text).toBeVisible()
    }
    const menu = page.getByRole('navigation', { name: 'Main' })
    const approve = entries.find(({ href }) => href.includes('/unapprove'))
    await expect(menu.getByRole('link', { name: /^Approve Agents/ })).toContainText(
      String(Number.parseInt(approve?.text ?? '', 10)),
    )
  })

  test('reads what it was before, in grey, where fewer than twenty events are behind it', async ({
    page,
  }) => {
    await page.route('**/api/home', async (route) => {
      const response = await route.fetch()
      if (response.status() !== 200) return route.fulfill({ response })
      const home = await response.json()
      const { today, halfMonth } = home.periods
      Object.assign(today.before.sums, { sales: 17, bonusSales: 2, earning: 30, bonusEarning: 4 })
      Object.assign(halfMonth.before.sums, { sales: 17, bonusSales: 3 })
      await route.fulfill({ response, json: home })
    })
    await page.goto('/app/home')
    const figures = page.getByRole('region', { name: 'Figures' })
    await expect(figures.getByRole('link', { name: /^Today/ })).toContainText('was $34.00')
    await expect(figures.getByRole('link', { name: /^Today/ })).not.toContainText(/[▲▼%]/)
    await expect(figures.getByRole('link', { name: /^This half-month/ })).toContainText(/[▲▼].*%/)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})

test('a superadmin gets from an empty database to the first click with only the checklist and its next steps', async ({
  page,
}) => {
  const { url, password, stop } = await startOwnServer()
  try {
    await page.goto(url)
    await page.getByLabel('Username').fill('superadmin')
    await page.getByLabel(/^Password/).fill(password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
    await page.getByLabel(/^Password/).fill('a password of my own')
    await page.getByLabel(/^Confirm password/).fill('a password of my own')
    await page.getByRole('button', { name: 'Set password' }).click()

    const steps = page.getByRole('region', { name: 'Set up your network' })
    const isDone = (title: string) =>
      expect(steps.getByText(`${title} (done)`), `${title} is ticked`).toBeVisible()
    // Every step leads to the next one, and each returns to the checklist.
    const next = (label: string) => page.getByRole('button', { name: `Next: ${label}` }).click()

    await expect(steps.getByRole('listitem').first()).toHaveAttribute('aria-current', 'step')
    expect(await violationsOf(page), 'the checklist').toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violationsOf(page, { coloursOnly: true }), 'dark').toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 360, height: 780 })
    expect(await violationsOf(page), 'the checklist on a phone').toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await page.setViewportSize({ width: 1440, height: 900 })

    await steps.getByRole('link', { name: 'Add site' }).click()
    await page.getByLabel('Site name').fill('Lantern')
    await page.getByLabel('Short name').fill('lantern')
    await page.getByLabel('Abbreviation').fill('LL')
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://lantern.example')
    await page.getByRole('combobox', { name: 'Site type' }).click()
    await page.getByRole('option', { name: 'DATING' }).click()
    await page.getByRole('button', { name: 'Add Site' }).click()
    await isDone('Add a site')

    await next('Add a link type')
    await page.getByLabel('Link name').fill('Sign-up')
    await page.getByLabel('Alias').fill('signup')
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`${url}/login`)
    await page.getByLabel('Payout').fill('400')
    await page.getByLabel('Earning').fill('20')
    await page.getByRole('button', { name: 'Add Link' }).click()
    await isDone('Add a link type')

    await next('Add an office')
    await page.getByLabel('Office name').fill('Manila')
    await page.getByLabel('Manager first name').fill('Ramon')
    await page.getByLabel('Manager last name').fill('Cruz')
    await page.getByLabel('Username').fill('manila')
    await page.getByLabel(/^Password/).fill('a long password')
    await page.getByLabel(/^Confirm password/).fill('a long password')
    await page.getByRole('button', { name: 'Add Office' }).click()
    await isDone('Add an office')

    await next('Add its first agent')
    await expect(page.getByRole('combobox', { name: 'Office' })).toHaveValue('Manila')
    await page.getByLabel('First name').fill('Maria')
    await page.getByLabel('Last name').fill('Santos')
    await page.getByLabel('Username').fill('maria')
    await page.getByLabel(/^Password/).fill('a long password')
    await page.getByLabel(/^Confirm password/).fill('a long password')
    await page.getByRole('button', { name: 'Add Agent' }).click()
    await isDone('Add an agent')

    await next('Approve them')
    await page.getByRole('button', { name: 'Approve maria' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await isDone('Approve the agent')

    // The checklist and the message about the previous step never name different next steps. A
    // wrong message would stay for longer than this waits.
    const nextOfMessage = page.getByRole('button', { name: /^Next: / })
    await expect(nextOfMessage).toHaveCount(0)
    await expect(steps.locator('[aria-current="step"]')).toContainText('Send a test postback')

    const ownDomain = url.replace('127.0.0.1', 'localhost')
    await steps.getByRole('link', { name: 'Add domain' }).click()
    await page.getByRole('textbox', { name: 'Domain' }).fill(ownDomain)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await isDone('Add a domain (optional)')
    await expect(nextOfMessage).toHaveCount(0)

    await steps.getByRole('link', { name: 'Send a test' }).click()
    const drawer = page.getByRole('dialog', { name: 'Integration' })
    // The only link type is preselected.
    await expect(drawer.getByRole('combobox', { name: 'Type' })).toHaveValue('Sign-up')
    await drawer.getByRole('button', { name: 'Send test' }).click()
    await expect(drawer.getByText(/recorded/i).first()).toBeVisible()
    await drawer.getByRole('button', { name: 'Close' }).click()
    await isDone('Send a test postback')

    const first = steps.getByRole('link', { name: 'Open the link' })
    await expect(first).toHaveAttribute('href', `${ownDomain}/api/links/go/1/1/1`)
    const [visited] = await Promise.all([page.waitForEvent('popup'), first.click()])
    await visited.waitForURL(/\/login\?.*=[0-9a-z]{32}/)
    await visited.close()
    await expect(steps).toBeHidden()
    await expect(page.getByRole('link', { name: /^Today .*1 unique/ })).toBeVisible()

    // The end of the checklist stays until it is dismissed.
    const end = page.getByRole('region', { name: 'Your network is set up' })
    await page.reload()
    await expect(end).toBeVisible()
    expect(await violationsOf(page), 'the end of the checklist').toEqual([])
    await end.getByRole('button', { name: 'Got it' }).click()
    await page.reload()
    await expect(page.getByRole('link', { name: /^Today .*1 unique/ })).toBeVisible()
    await expect(end).toBeHidden()
  } finally {
    // Home would keep polling a server that no longer runs.
    await page.goto('about:blank')
    await stop()
  }
})

for (const [account, first] of [
  ['superadmin', 'Needs you'],
  ['manila', 'Next payment'],
  ['maria', 'Your AVP week'],
] as const)
  test.describe(`Home of ${account} on a slow line`, () => {
    test.use({ account })

    test('has the shape of their Home before its figures arrive, and nothing jumps when they do', async ({
      page,
    }) => {
      for (const size of [
        { width: 1280, height: 800 },
        { width: 390, height: 844 },
      ]) {
        const late = Promise.withResolvers<void>()
        await page.setViewportSize(size)
        await page.route(/\/api\/(home|dashboard)$/, async (route) => {
          await late.promise
          await route.continue()
        })
        const shifts = await watchShifts(page)
        await page.goto('/app/home')
        await expect(page.getByRole('main').getByText(first, { exact: true })).toBeVisible()
        await expect(page.getByRole('region', { name: 'Figures' })).toHaveAttribute(
          'aria-busy',
          'true',
        )
        late.resolve()
        await page.locator('tbody tr[data-best]').first().waitFor()
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
        expect(await shifts.sinceLoad(), `${size.width}`).toEqual([])
        await page.unrouteAll()
        await page.goto('about:blank')
      }
    })
  })
