import { addDays } from '../packages/domain/src/new-york.ts'
import { periodOf } from '../packages/domain/src/periods.ts'
import { uniqueToSaleLabel } from '../packages/domain/src/ratios.ts'
import { today } from './support/day.ts'
import {
  addable,
  amountOf,
  type Line,
  reports,
  StatisticsPage,
  sumOf,
} from './support/statistics-page.ts'
import { expect, test } from './support/test.ts'

// Past days, which clicks of other tests do not change.
const yesterday = addDays(today, -1)
const lastDays = { start: addDays(yesterday, -6), end: yesterday }

test.use({ account: 'superadmin' })

test('the page loads this week’s figures by detail', async ({ page }) => {
  const statistics = new StatisticsPage(page)
  await statistics.open()
  await expect(page).toHaveURL(/start=\d{4}-\d\d-\d\d&end=\d{4}-\d\d-\d\d/)
  await expect(page.getByRole('heading', { level: 1, name: 'Sites Statistics' })).toBeVisible()
  const { headers } = await statistics.read()
  expect(headers.slice(0, 6)).toEqual(['#', 'Date', 'Office', 'Agent', 'Raws', 'Uniques'])
})

test('a report is asked for once, before its page has loaded', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/stats/sites-payout')) asked.push(request.method())
  })
  const report = page.waitForRequest('**/api/stats/sites-payout')
  await page.route('**/assets/StatsPage-*.js', async (route) => {
    await report
    await route.fallback()
  })
  await page.goto('/app/stats/sites-payout')
  await expect(page.locator('tbody tr').first()).toHaveText(/\d/)
  expect(asked).toEqual(['POST'])
})

test('drills down from date to office to agent to detail, and back by the breadcrumb', async ({
  page,
}) => {
  const statistics = new StatisticsPage(page)
  await statistics.open(lastDays)
  await statistics.viewBy('Date')
  await statistics.load()
  const byDate = await statistics.read()
  const day = byDate.rows[2]!
  expect(byDate.rows.map((row) => row['Date'])).toEqual(
    Array.from({ length: 7 }, (_, back) => addDays(yesterday, -back)),
  )

  await statistics.drill(day['Date']!)
  const byOffice = await statistics.read()
  expect(byOffice.headers).toContain('Office')
  // The view by date has no points.
  expect(byOffice.overall).toMatchObject(figures(day))
  const office = busiest(byOffice.rows)

  await statistics.drill(office['Office']!)
  const byAgent = await statistics.read()
  expect(new Set(byAgent.rows.map((row) => row['Office']))).toEqual(new Set([office['Office']]))
  expect(byAgent.overall).toMatchObject(figures(office))
  const agent = busiest(byAgent.rows)

  await statistics.drill(agent['Agent']!)
  const detail = await statistics.read()
  expect(detail.rows).toHaveLength(1)
  expect(detail.rows[0]).toMatchObject({
    Date: day['Date'],
    Office: office['Office'],
    Agent: agent['Agent'],
  })
  expect(detail.overall).toMatchObject(figures(agent))

  const trail = page.getByRole('navigation', { name: 'Drilled' })
  await expect(trail.getByRole('listitem')).toHaveCount(4)
  await trail.getByRole('link').nth(1).click()
  await expect(trail.getByRole('listitem')).toHaveCount(2)
  expect(await statistics.read()).toEqual(byOffice)
  await trail.getByRole('link').first().click()
  await expect(trail).toBeHidden()
  expect(await statistics.read()).toEqual(byDate)
})

for (const view of ['date', 'company', 'agent', 'detail', 'type']) {
  test(`by ${view}, the page total is the sum of the page, and the overall total that of all pages`, async ({
    page,
  }) => {
    const statistics = new StatisticsPage(page)
    const pageSize = view === 'detail' ? 100 : view === 'agent' ? 25 : 4
    await statistics.open({ ...lastDays, groupBy: view, pageSize })
    const pages = await statistics.readAllPages()
    expect(pages.length).toBeGreaterThan(1)
    const { headers, overall, ratio } = pages[0]!
    const columns = addable(headers)
    expect(columns).toEqual(expect.arrayContaining(['Uniques', 'Sales', 'Earn', 'Payout']))

    for (const table of pages) {
      expect(table.overall).toEqual(overall)
      for (const column of columns) {
        expect(amountOf(table.page[column]!), column).toBe(sumOf(table.rows, column))
      }
    }
    const rows = pages.flatMap((table) => table.rows)
    for (const column of columns)
      expect(amountOf(overall[column]!), column).toBe(sumOf(rows, column))
    // Numbered across pages.
    expect(rows.map((row) => row['#'])).toEqual(rows.map((_, index) => String(index + 1)))
    const label = uniqueToSaleLabel(amountOf(overall['Uniques']!), amountOf(overall['Sales']!))
    expect(ratio).toContain(`Overall totalUnique to Sale Ratio ${label}`)
  })
}

test('Back, a reload and a shared link show the same figures', async ({ page, context }) => {
  const statistics = new StatisticsPage(page)
  await statistics.open({ ...lastDays, groupBy: 'agent', pageSize: 25 })
  await page.getByRole('button', { name: 'Sales', exact: true }).click()
  await expect(page).toHaveURL(/sortField=sales/)
  await statistics.loaded()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page).toHaveURL(/page=2/)
  const before = await statistics.read()
  const url = page.url()

  await statistics.drill(busiest(before.rows)['Agent']!)
  expect(await statistics.read()).not.toEqual(before)
  await page.goBack()
  await expect(page).toHaveURL(url)
  expect(await statistics.read()).toEqual(before)

  await page.reload()
  expect(await statistics.read()).toEqual(before)

  const pasted = new StatisticsPage(await context.newPage())
  await pasted.page.goto(url)
  expect(await pasted.read()).toEqual(before)
})

test('a date range that ends before it starts is refused at once', async ({ page }) => {
  const statistics = new StatisticsPage(page)
  await statistics.open(lastDays)
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/stats/sites')) asked++
  })
  await page.getByRole('button', { name: /^Date range/ }).click()
  const panel = page.getByRole('dialog', { name: /^Date range/ })
  await panel.getByLabel('Start').first().fill(addDays(yesterday, 1))
  await expect(panel.getByRole('alert')).toHaveText('Date Range is not valid')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Load statistics' }).click()
  await expect(page.getByText('Date Range is not valid').first()).toBeVisible()
  expect(asked).toBe(0)

  // In a URL, an invalid range clears the table.
  await page.goto(`/app/stats/sites?start=${yesterday}&end=${addDays(yesterday, -1)}`)
  await expect(statistics.table.getByText('Date Range is not valid')).toBeVisible()
  expect(asked).toBe(0)
})

test('choosing a named period sets the dates', async ({ page }) => {
  const statistics = new StatisticsPage(page)
  await statistics.open(lastDays)
  await page.getByRole('button', { name: /^Date range/ }).click()
  await page
    .getByRole('dialog', { name: /^Date range/ })
    .getByText('Yesterday', { exact: true })
    .click()
  await statistics.load()
  await expect(page).toHaveURL(new RegExp(`start=${yesterday}&end=${yesterday}`))
  const { rows } = await statistics.read()
  expect(new Set(rows.map((row) => row['Date']))).toEqual(new Set([yesterday]))
})

test('a single site has a column for each link type, which add up to its sales', async ({
  page,
}) => {
  const statistics = new StatisticsPage(page)
  await statistics.open({ ...lastDays, groupBy: 'company' })
  const { headers: ofAllSites } = await statistics.read()
  const site = page.getByRole('combobox', { name: 'Site' })
  await site.click()
  const types = page.waitForResponse('**/api/types/*/by-site*')
  // Other tests add sites without link types.
  await page.getByRole('option', { name: 'Lantern Live', exact: true }).click()
  const typenames = ((await (await types).json()) as { typename: string }[]).map(
    ({ typename }) => typename,
  )
  await statistics.load()
  const { headers, rows, overall } = await statistics.read()
  expect(headers.filter((header) => !ofAllSites.includes(header))).toEqual(
    expect.arrayContaining(typenames),
  )
  for (const line of [...rows, overall]) {
    const counts = typenames.map((typename) => amountOf(line[typename]!))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(amountOf(line['Sales']!))
  }
})

test('every select offers All, and typing replaces the current text', async ({ page }) => {
  const statistics = new StatisticsPage(page, reports.sitesAvp)
  await statistics.open()
  const select = (name: string) => page.getByRole('combobox', { name, exact: true })
  await expect(select('Type')).toHaveValue('All')
  for (const [name, all] of [
    ['Site', 'All sites'],
    ['Office', 'All offices'],
    ['Agent', 'All agents'],
    ['AVP', 'All sales (A.V.P. Agent Volume Pay)'],
  ] as const) {
    await expect(select(name)).toHaveValue(all)
    await select(name).click()
    await expect(page.getByRole('option').first()).toHaveText(all)
    const chosen = (await page.getByRole('option').nth(1).textContent()) ?? ''
    await page.keyboard.type(chosen)
    await page.getByRole('option', { name: chosen, exact: true }).click()
    await expect(select(name)).toHaveValue(chosen)
    await select(name).click({ position: { x: 14, y: 14 } })
    await page.getByRole('option', { name: all }).click()
    await expect(select(name)).toHaveValue(all)
  }
})

test('AVP pages choose a range of weeks', async ({ page }) => {
  const statistics = new StatisticsPage(page, reports.sitesAvp)
  await statistics.open()
  const first = periodOf(today, 'week', 3).start
  const last = periodOf(today, 'week', 1).end
  await page.getByRole('button', { name: /^Period End:/ }).click()
  // Weeks that end before the range begins are not offered, which leaves only last week.
  await expect(page.getByRole('option')).toHaveText([/^Last week/])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Period Start:/ }).click()
  await page.getByRole('option', { name: '3 weeks back', exact: true }).click()
  await statistics.load()
  await expect(page).toHaveURL(new RegExp(`start=${first}&end=${last}`))
})

test('by link type: shows the earnings for all sites or one, and drills down to agents', async ({
  page,
}) => {
  const statistics = new StatisticsPage(page)
  await statistics.open({ ...lastDays, groupBy: 'detail', pageSize: 500 })
  const { overall } = await statistics.read()
  await statistics.viewBy('Link type')
  await statistics.load()
  const byType = await statistics.read()
  expect(byType.headers.slice(0, 3)).toEqual(['#', 'Link Type', 'Site'])
  expect(figures(byType.overall)).toMatchObject({ Sales: overall['Sales'], Earn: overall['Earn'] })

  // Link types of different sites can share a name, so choose a unique one.
  const names = byType.rows.map((row) => row['Link Type'])
  const type = busiest(
    byType.rows.filter((row) => names.filter((name) => name === row['Link Type']).length === 1),
  )
  await statistics.drill(type['Link Type']!)
  const agents = await statistics.read()
  expect(agents.headers.slice(0, 3)).toEqual(['#', 'Agent', 'Office'])
  expect(agents.overall['Sales']).toBe(type['Sales'])
  expect(agents.overall['Payout']).toBe(type['Payout'])
  await page.getByRole('navigation', { name: 'Drilled' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/groupBy=type/)
  await statistics.loaded()

  await statistics.drill(type['Site']!)
  const ofSite = await statistics.read()
  expect(new Set(ofSite.rows.map((row) => row['Site']))).toEqual(new Set([type['Site']]))
  expect(ofSite.headers).toEqual(byType.headers)
})

test('the print version is smaller, hides the criteria, and can be turned off', async ({
  page,
}) => {
  const statistics = new StatisticsPage(page)
  await statistics.open({ ...lastDays, groupBy: 'date' })
  const table = await statistics.read()
  const height = async () =>
    (await statistics.table.locator('tbody tr').first().boundingBox())?.height
  const usual = (await height()) ?? 0
  await page.getByRole('button', { name: 'Print version' }).click()
  await expect(page.getByRole('search')).toBeHidden()
  expect(await height()).toBeLessThan(usual)
  expect(await statistics.read()).toEqual(table)
  await page.getByRole('button', { name: 'Print version' }).click()
  await expect(page.getByRole('search')).toBeVisible()
})

test('a list is paged by keyboard', async ({ page }) => {
  const statistics = new StatisticsPage(page)
  await statistics.open({ ...lastDays, groupBy: 'agent', pageSize: 25 })
  await page.keyboard.press('Control+ArrowRight')
  await expect(page).toHaveURL(/page=2/)
  await page.keyboard.press('Control+ArrowLeft')
  await expect(page).not.toHaveURL(/page=2/)
})

const figures = (line: Line) =>
  Object.fromEntries(
    Object.entries(line).filter(
      ([header]) => !['#', 'Date', 'Office', 'Agent', 'Link Type', 'Site'].includes(header),
    ),
  )

const busiest = (rows: readonly Line[]): Line =>
  rows.toSorted((a, b) => amountOf(b['Raws']!) - amountOf(a['Raws']!))[0]!

test('what a period is compared with can be chosen, and the URL keeps it', async ({ page }) => {
  const statistics = new StatisticsPage(page)
  await statistics.open({ ...lastDays, groupBy: 'date' })
  await page.getByRole('button', { name: 'Show chart' }).click()
  const tile = page.getByRole('button', { name: 'Chart Sales' }).locator('..')
  await expect(tile.getByText(/ against /)).toBeAttached()
  const compareWith = page.getByRole('combobox', { name: 'Compare with' })
  await compareWith.click()
  await page.getByRole('option', { name: 'Last year' }).click()
  await expect(page).toHaveURL(/compare=last-year/)
  const lastYear = Number(lastDays.end.slice(0, 4)) - 1
  await expect(tile.getByText(new RegExp(` (against|on) .* ${lastYear}`))).toBeAttached()
  await compareWith.click()
  await page.getByRole('option', { name: 'Off' }).click()
  await expect(page).toHaveURL(/compare=none/)
  await expect(tile.getByText(/ against /)).not.toBeAttached()
  await page.reload()
  await expect(compareWith).toHaveValue('Off')
})

test('a short window begins with the chart folded, a high one with the chart, and a choice is remembered', async ({
  page,
}) => {
  const statistics = new StatisticsPage(page, reports.sitesAvp)
  await statistics.open()
  const chart = page.getByRole('region', { name: 'Sales by day', exact: true })
  const show = page.getByRole('button', { name: 'Show chart' })
  await expect(show).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 1100 })
  await expect(page.getByRole('button', { name: 'Hide chart' })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(show).toBeVisible()

  await page.getByRole('button', { name: 'Chart Sales' }).click()
  await expect(chart).toBeVisible()
  await page.reload()
  await expect(chart).toBeVisible()
  await page.getByRole('button', { name: 'Hide chart' }).click()
  await expect(chart).toBeHidden()
  await page.setViewportSize({ width: 1440, height: 1100 })
  await expect(show).toBeVisible()
})

test('headings and the overall total stay in view while the page scrolls, and another page of rows begins at its top', async ({
  page,
}) => {
  const statistics = new StatisticsPage(page)
  await statistics.open({ ...lastDays, groupBy: 'agent', pageSize: 25 })
  const heading = page.getByRole('columnheader', { name: 'Agent' })
  const total = page.getByRole('cell', { name: /^Overall total/ })
  await expect(total).toBeInViewport({ ratio: 1 })
  const last = statistics.table.locator('tbody tr').last()
  await last.scrollIntoViewIfNeeded()
  await expect(heading).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page).toHaveURL(/page=2/)
  const first = statistics.table.locator('tbody tr').first().getByRole('cell').first()
  await expect(first).toHaveText('26')
  await expect(first).toBeInViewport({ ratio: 1 })
  await page.goBack()
  await expect(last).toBeInViewport()
})

test('a table wider than the window: the page scrolls sideways, and the filters stay', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1000, height: 800 })
  const statistics = new StatisticsPage(page, reports.payroll)
  await statistics.open({ groupBy: 'detail' })
  const filters = page.getByRole('search')
  // The end of the table need not be on a whole pixel.
  const place = async () => {
    const box = await filters.boundingBox()
    return box && { ...box, x: Math.round(box.x) }
  }
  const before = await place()
  const main = page.getByRole('main')
  await main.evaluate((element) => element.scrollTo(400, 0))
  await expect.poll(() => main.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(50)
  expect(await place()).toEqual(before)
  await expect(page.getByRole('navigation', { name: 'Stats' })).toBeInViewport({ ratio: 0.99 })
})

test('View By acts at once, and the last choice aborts what an earlier one is still loading', async ({
  page,
}) => {
  const statistics = new StatisticsPage(page)
  await statistics.open({ ...lastDays, groupBy: 'date' })
  const call = '**/api/stats/sites'
  const aborted = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/api/stats/sites'),
  )
  // The first answer never arrives.
  await page.route(call, () => {}, { times: 1 })
  await statistics.viewBy('Agent')
  await expect(page).toHaveURL(/groupBy=agent/)
  await statistics.viewBy('Office')
  expect((await aborted).postDataJSON()).toMatchObject({ groupBy: 'agent' })
  await expect(page).toHaveURL(/groupBy=company/)
  const { headers, rows } = await statistics.read()
  expect(headers.slice(0, 2)).toEqual(['#', 'Office'])
  expect(rows.length).toBeGreaterThan(2)
})
