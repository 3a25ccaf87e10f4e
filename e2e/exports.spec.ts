import { readFile } from 'node:fs/promises'
import { inflateRawSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { addDays } from '../packages/domain/src/new-york.ts'
import { today } from './support/day.ts'
import { amountOf, reports, StatisticsPage } from './support/statistics-page.ts'
import { expect, test } from './support/test.ts'

// Past days, which clicks of other tests do not change.
const yesterday = addDays(today, -1)
const lastDays = { start: addDays(yesterday, -6), end: yesterday }

test.use({ account: 'superadmin', expectedConsole: [/Failed to load resource/] })

test('Payroll is saved as CSV and as XLSX: all pages, with the totals on screen', async ({
  page,
}) => {
  const payroll = new StatisticsPage(page, reports.payroll)
  await payroll.open({ ...lastDays, groupBy: 'agent', pageSize: 10 })
  const { rows, overall } = await payroll.read()
  const total = amountOf(overall['Payout'] ?? '') / 100
  expect(rows).toHaveLength(10)

  const csv = await saved(page, 'CSV')
  expect(csv.name).toBe(`payroll_${lastDays.start}_${lastDays.end}_by-agent.csv`)
  const [header = '', ...body] = csv.bytes.toString('utf8').trimEnd().split('\r\n')
  expect(header).toMatch(/^\u{FEFF}?Agent,/u)
  const payout = header.split(',').indexOf('Payout ₱')
  const amounts = body.map((line) => Number(line.split(',')[payout]))
  expect(amounts.length).toBeGreaterThan(10)
  expect(amounts.slice(0, 10)).toEqual(rows.map((row) => amountOf(row['Payout'] ?? '') / 100))
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(total, 2)

  const xlsx = await saved(page, 'Excel (XLSX)')
  expect(xlsx.name).toBe(`payroll_${lastDays.start}_${lastDays.end}_by-agent.xlsx`)
  const sheet = entryOf(xlsx.bytes, 'xl/worksheets/sheet1.xml')
  const last = /<row r="\d+">(?:(?!<row).)*Overall total.*?<\/row>/s.exec(sheet)?.[0] ?? ''
  expect(last).toContain(`<v>${total}</v>`)
  expect(sheet.match(/<row /g)).toHaveLength(body.length + 2)
})

test('a failed export says so, and can be retried', async ({ page }) => {
  const payroll = new StatisticsPage(page, reports.payroll)
  await payroll.open(lastDays)
  await page.route('**/export', (route) => route.abort(), { times: 1 })
  await choose(page, 'CSV')
  await expect(page.getByText('The server can’t be reached.')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Retry export' }).click()
  await download
  await expect(page.getByRole('button', { name: 'Retry export' })).toHaveCount(0)
})

async function choose(page: Page, format: string): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: format }).click()
}

async function saved(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download')
  await choose(page, format)
  const file = await download
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

/** Extracts one file of a ZIP archive, whose content follows its name. */
function entryOf(zip: Buffer, name: string): string {
  const content = zip.indexOf(name) + name.length
  return inflateRawSync(zip.subarray(content), { finishFlush: 2 }).toString('utf8')
}
