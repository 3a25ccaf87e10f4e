import { readFile } from 'node:fs/promises'
import { payoutBeWeekHints } from '../packages/domain/src/periods.ts'
import { addDays } from '../packages/domain/src/new-york.ts'
import { now, today } from './support/day.ts'
import { test } from './support/people.ts'
import { expect } from './support/test.ts'

test('home shows each role the news, notes and boards that it may see', async ({ people }) => {
  const superadmin = await people.seat('superadmin', '/app/home')
  const weekly = superadmin.getByRole('table', { name: 'Weekly Top 10 Agents' })
  const ranking = superadmin.getByRole('table', { name: 'BiWeekly office ranking' })
  await expect(weekly.getByRole('columnheader')).toHaveText(['No', 'Office', 'Agent', 'Sales'])
  await expect(ranking.getByRole('columnheader')).toHaveText([
    'No',
    'Office',
    'Sales',
    'Growth',
    'To date',
  ])
  const allTime = superadmin.getByRole('table', { name: 'All Time Top 10 Agents' })
  await expect(allTime.getByRole('row')).toHaveCount(11)
  await expect(allTime.locator('tr[data-best]')).toHaveCount(3)
  await expect(superadmin.getByText(/^New York time \(E[SD]T\)$/)).toBeVisible()

  await expect(superadmin.getByRole('region', { name: 'Latest news' })).toContainText(/\w/)

  const maria = await people.seat('maria', '/app/home')
  await expect(
    maria.getByRole('region', { name: 'How to sell' }).getByRole('link').first(),
  ).toHaveAttribute('href', /\/app\/how-to-sell\?manual=\d+/)
  const hers = maria.getByRole('table', { name: 'All Time Top 10 Agents' })
  await expect(hers.getByRole('columnheader')).toHaveText(['No', 'Agent', 'Sales'])
  await expect(hers.locator('tr[data-own]')).toContainText('You')
  await expect(maria.getByRole('link', { name: 'Choose another pay period' })).toBeHidden()

  await superadmin.getByRole('link', { name: 'Choose another pay period' }).click()
  await expect(superadmin).toHaveURL(/\/app\/stats\/top-agents\?start=.*&end=/)
})

test('home updates without reloading', async ({ people, request, sessions }) => {
  const { token } = await sessions.own('superadmin')
  const page = await people.seat('maria', '/app/home')
  await page.clock.install({ time: now() })
  await page.reload()
  await expect(page.getByText(/^Live ·/)).toBeVisible()

  const headers = { authorization: `Bearer ${token}` }
  const office = await (await request.get('/api/offices/1', { headers })).json()
  const note = `Please call me ${Date.now()}`
  const saved = await request.post('/api/offices/1', {
    headers,
    data: { ...pick(office, officeFields), agentNotes: note },
  })
  expect(saved.ok(), await saved.text()).toBe(true)
  await page.clock.runFor(11_000)
  await expect(page.getByText(note)).toBeVisible()
})

const officeFields = [
  'officeName',
  'manFirstName',
  'manLastName',
  'preferredDomainId',
  'siteIds',
  'active',
  'hidden',
]

const pick = (from: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])))

test('top agents: a longer period ranks offices, and an office sees no names but its own', async ({
  people,
}) => {
  const page = await people.seat('manila', '/app/stats/top-agents')
  const board = page.getByRole('table', { name: 'Top Agents' })
  await expect(board.getByRole('columnheader')).toHaveText(['No', 'Agent', 'Sales'])

  await page.getByRole('button', { name: /^Period/ }).click()
  await page
    .getByRole('dialog', { name: /^Period/ })
    .getByText('Last month', { exact: true })
    .click()
  await page.getByRole('button', { name: 'Load statistics' }).click()
  await expect(board.getByRole('columnheader')).toHaveText(['No', 'Office', 'Sales'])
  await expect(board.locator('tr[data-own]')).toContainText('Manila')
  await expect(board.getByText('Another office').first()).toBeVisible()
  await expect(board.getByText('Cebu')).toBeHidden()
})

test('top agents: custom sites require at least one', async ({ people }) => {
  const page = await people.seat('superadmin', '/app/stats/top-agents')
  const site = page.getByRole('combobox', { name: 'Site', exact: true })
  await site.click()
  await page.getByRole('option', { name: 'Custom' }).click()
  await page.getByRole('button', { name: 'Load statistics' }).click()
  await expect(page.getByText('Choose at least one site')).toBeVisible()
  await site.click()
  await page.getByRole('option', { name: 'All', exact: true }).click()
  const answer = page.waitForResponse('**/api/stats/top10')
  await page.getByRole('button', { name: 'Load statistics' }).click()
  await answer
  await expect(page.getByRole('combobox', { name: 'Custom sites' })).toHaveCount(0)
})

test('top agents: several sites, also after a reload and in print', async ({ people }) => {
  const month = `start=${addDays(today, -40)}&end=${addDays(today, -10)}`
  const page = await people.seat('superadmin', `/app/stats/top-agents?${month}`)
  const board = page.getByRole('table', { name: 'Top Agents' })
  await expect(board.locator('tbody tr[data-best]')).toHaveCount(3)

  await page.getByRole('combobox', { name: 'Site', exact: true }).click()
  await page.getByRole('option', { name: 'Custom' }).click()
  await page.getByRole('combobox', { name: 'Custom sites' }).click()
  await page.getByRole('option').nth(0).click()
  await page.getByRole('option').nth(0).click()
  await page.keyboard.press('Escape')
  const answer = page.waitForResponse('**/api/stats/top10')
  await page.getByRole('button', { name: 'Load statistics' }).click()
  await answer
  await expect(page).toHaveURL(/siteIds=\d+%2C\d+/)
  // Two short names fit in one line of the field.
  const pills = page.locator('.mantine-Pill-root')
  const [one, two] = await Promise.all([pills.nth(0).boundingBox(), pills.nth(1).boundingBox()])
  expect(one?.height).toBeLessThan(24)
  expect(two?.y).toBe(one?.y)
  await expect(page.getByText('2 sites')).toBeVisible()
  await expect(page.locator('[data-stale]')).toHaveCount(0)
  const rows = await board.locator('tbody tr').allTextContents()
  await page.reload()
  await expect(board.locator('tbody tr')).toHaveText(rows)

  await page.getByRole('button', { name: 'Print version' }).click()
  await expect(page.getByRole('button', { name: 'Load statistics' })).toBeHidden()
  await expect(board.locator('tbody tr')).toHaveText(rows)
})

test('office performance: compares two payout periods, sorts and exports', async ({ people }) => {
  const page = await people.seat('superadmin', '/app/stats/office-performance')
  const table = page.getByRole('region', { name: 'Office Performance' })
  await expect(page).toHaveURL(/start1=.*&end1=.*&start2=.*&end2=/)
  const [, , older] = payoutBeWeekHints(today)
  await page.getByRole('button', { name: /^Period 2/ }).click()
  await page
    .getByRole('dialog', { name: /^Period 2/ })
    .getByRole('option', { name: older!.label })
    .click()
  await page.getByRole('button', { name: 'Load statistics' }).click()
  await expect(page).toHaveURL(new RegExp(`start2=${older!.start}&end2=${older!.end}`))

  await expect(table.locator('tbody tr').first()).toContainText(/%/)
  const names = await table.locator('tbody td:nth-child(2)').allTextContents()
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)))
  await table.getByRole('button', { name: 'Sales period 2' }).click()
  await table.getByRole('button', { name: 'Sales period 2' }).click()
  await expect(page).toHaveURL(/sortField=sales2&sortAsc=false/)
  await expect(async () => {
    const sales = (await table.locator('tbody td:nth-child(4)').allTextContents()).map(Number)
    expect(sales).toEqual(sales.toSorted((a, b) => b - a))
  }).toPass()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const file = await readFile((await (await saved).path()) ?? '', 'utf8')
  expect(file.trimEnd().split('\r\n')).toHaveLength(1 + names.length)
})

test('an office sees only its own comparison and chart', async ({ people }) => {
  const page = await people.seat('manila', '/app/stats/office-performance')
  const rows = page.getByRole('region', { name: 'Office Performance' }).locator('tbody tr')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Manila')
  await page.getByRole('link', { name: 'Office Performance Charts' }).click()
  // The year may be only a day old.
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Last 12 days' }).click()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['By office Manila'])
})

test('office charts: show this year by month, print, and show the same figures as tables', async ({
  people,
}) => {
  const page = await people.seat('superadmin', '/app/stats/office-performance-chart')
  await expect(page.getByRole('combobox', { name: 'Period' })).toHaveValue('This year')
  const first = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { level: 2 }) })
    .first()
  await expect(first.getByRole('img', { name: /sales in \d+ months/ })).toBeVisible()
  for (const words of ['Monthly', 'Sales', 'Progress', 'Dec'])
    await expect(first.locator('svg').getByText(words, { exact: true })).toBeVisible()

  await page.emulateMedia({ media: 'print' })
  const drawing = first.getByRole('img').locator('svg')
  await expect
    .poll(async () => (await drawing.locator('..').boundingBox())?.height)
    .toBeGreaterThan(100)
  await page.emulateMedia({ media: 'screen' })

  const months = Number((/(\d+) months/.exec(await label(first.getByRole('img'))) ?? [])[1])
  const asked = page.waitForResponse('**/api/stats/office-charts')
  await page.getByText('Tables', { exact: true }).click()
  await asked
  await expect(first.locator('tbody tr')).toHaveCount(months)

  await page.getByText('Charts', { exact: true }).click()
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Last 12 days' }).click()
  await expect(page).toHaveURL(/period=Last\+12\+days/)
  await expect(first.locator('svg').getByText('Daily', { exact: true })).toBeVisible()
})

const label = async (of: { getAttribute(name: string): Promise<string | null> }) =>
  (await of.getAttribute('aria-label')) ?? ''

test('a closed page leads an agent back to Home', async ({ people }) => {
  const page = await people.seat('maria', '/app/stats/top-agents')
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(page).toHaveURL(/\/app\/home$/)
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  )
})
