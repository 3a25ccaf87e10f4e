import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const table = (page: Page, name: string) => page.getByRole('region', { name })

async function loaded(page: Page, name: string) {
  await expect(table(page, name)).toHaveAttribute('aria-busy', 'false')
  await expect(table(page, name).locator('tbody tr').first()).toBeVisible()
}

/** The texts of a column on the current page. */
const column = (page: Page, name: string, position: number) =>
  table(page, name).locator(`tbody tr td:nth-child(${position})`).allInnerTexts()

test.describe('login logs of a superadmin', () => {
  test.use({ account: 'superadmin' })

  test('show the newest first, and filter by the agent in the URL', async ({ page }) => {
    await page.goto('/app/logs/login')
    await loaded(page, 'Login Logs')
    await expect(table(page, 'Login Logs').locator('thead th')).toHaveText([
      'Username',
      'IP',
      'Login',
      'Logout',
    ])
    const times = await column(page, 'Login Logs', 3)
    expect(times).toEqual(times.toSorted().toReversed())

    await page.goto('/app/agents?username=maria')
    await page.getByRole('link', { name: / logins of maria$/ }).click()
    await expect(page).toHaveURL(/\/app\/logs\/login\?agentId=\d+&companyId=\d+/)
    await loaded(page, 'Login Logs')
    const names = await column(page, 'Login Logs', 1)
    expect(new Set(names.map((name) => name.split(' by ')[0]))).toEqual(new Set(['maria']))
  })

  test('an address links to a look-up, without a referrer', async ({ page }) => {
    await page.goto('/app/logs/login')
    await loaded(page, 'Login Logs')
    // Names are links, too.
    const link = table(page, 'Login Logs').locator('tbody a[target]').first()
    await expect(link).toHaveAttribute('href', /^https:\/\/ipinfo\.io\/[\d.]+$/)
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    await expect(link).toHaveAttribute('target', '_blank')
  })

  test('a payout period sets the dates, and the URL keeps the search', async ({ page }) => {
    await page.goto('/app/logs/login')
    await page.getByPlaceholder('Choose payout period').click()
    const period = page.getByRole('option').nth(1)
    const [start = '', end = ''] = (await period.innerText()).split(' – ')
    await period.click()
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL(new RegExp(`start=${start}&end=${end}`))
    await loaded(page, 'Login Logs')
    for (const time of await column(page, 'Login Logs', 3)) {
      expect(time.slice(0, 10) >= start && time.slice(0, 10) <= end, time).toBe(true)
    }
    await page.reload()
    await loaded(page, 'Login Logs')
    await expect(page.getByPlaceholder('Choose payout period')).toHaveValue(`${start} – ${end}`)
  })

  test('a search without results says so, and offers to clear the filters', async ({ page }) => {
    await page.goto('/app/logs/login?start=2001-01-01&end=2001-01-02')
    await expect(page.getByText('No logs for selected period')).toBeVisible()
    await expect(page.getByText('Nothing matches the filters.')).toBeVisible()
    await expect(page.getByRole('columnheader')).toHaveCount(0)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page).toHaveURL(/\/app\/logs\/login$/)
    await loaded(page, 'Login Logs')
    await expect(page.getByPlaceholder('Choose payout period')).toHaveValue('')
  })

  test.describe('searched for an invalid address', () => {
    test.use({ expectedConsole: [/status of 422/] })

    test('show the error at the field', async ({ page }) => {
      await page.goto('/app/logs/login')
      await page.getByLabel('IP address').fill('no address')
      await page.keyboard.press('Enter')
      await expect(
        page.getByText('This must be an address, an IPv4 prefix or a network', {
          exact: true,
        }),
      ).toBeVisible()
    })
  })
})

test.describe('login logs of an office', () => {
  test.use({ account: 'manila' })

  test('are its own and its agents’, without the office filter', async ({ page }) => {
    await page.goto('/app/logs/login')
    await loaded(page, 'Login Logs')
    await expect(page.getByRole('combobox', { name: 'Agent', exact: true })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Office', exact: true })).toBeHidden()
    await expect(page.getByRole('link', { name: 'Common logs' })).toBeHidden()
  })
})

test.describe('logs of an agent', () => {
  test.use({ account: 'maria' })

  test('are chat, click and sale logs, without a tab for logins', async ({ page }) => {
    await page.goto('/app/logs')
    await expect(page).toHaveURL(/\/app\/logs\/chat$/)
    const tabs = page.getByRole('navigation', { name: 'Logs' }).getByRole('link')
    await expect(tabs).toHaveText(['Chat', 'Click outs', 'Sale logs'])
    await page.goto('/app/logs/login')
    await expect(page.getByText('You don’t have access to this page')).toBeVisible()
  })
})

test.describe('common logs', () => {
  test.use({ account: 'superadmin', ownSession: true })

  /** Makes a call that only this test makes. */
  async function leaveTrace(page: Page, trace: string) {
    const answer = page.waitForResponse('**/api/agents/search')
    await page.goto(`/app/agents?username=${trace}`)
    await answer
  }

  test('contain the viewer’s own calls, expand parameters, and export as text', async ({
    page,
  }) => {
    const trace = `trace${Date.now()}`
    await leaveTrace(page, trace)
    await page.goto('/app/logs/common-logs')
    // The search below is a read.
    await loaded(page, 'Common Logs')
    await page.getByText('All actions', { exact: true }).click()
    await page.getByLabel('Auth User').fill('superadmin')
    await page.getByLabel('Action Path').fill('agents/search')
    await page.getByLabel(/^Post Params/).fill(trace)
    await page.getByRole('button', { name: 'Search' }).click()
    await loaded(page, 'Common Logs')
    await expect(table(page, 'Common Logs').locator('thead th')).toHaveText([
      'Role',
      'Date',
      'Auth User Name',
      'IP',
      'Account Name',
      'Agent Name',
      'Office Name',
      'Type',
      'Method Path',
      'Response Code',
      'Post Params',
      'Get Params',
      'What happened',
    ])
    const row = table(page, 'Common Logs').locator('tbody tr').first()
    await expect(row.locator('td').nth(0)).toHaveText('Superadmin')
    await expect(row.locator('td').nth(2)).toHaveText('superadmin')
    await expect(row.locator('td').nth(7)).toHaveText('SEARCH')
    await expect(row.locator('td').nth(8)).toHaveText('POST /api/agents/search')
    await expect(row.locator('td').nth(9)).toHaveText('200')
    await expect(row.locator('td').nth(11)).toHaveText('–')

    await row.getByRole('button', { name: /^Post Params of entry/ }).click()
    const json = page.locator('pre', { hasText: trace })
    await expect(json).toBeVisible()
    expect(JSON.parse(await json.innerText())).toMatchObject({
      criteria: [expect.objectContaining({ value: expect.stringContaining(trace) })],
    })
    await row.getByRole('button', { name: /^Post Params of entry/ }).click()
    await expect(json).toBeHidden()

    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export to txt' }).click()
    const file = await saving
    expect(file.suggestedFilename()).toMatch(/^export_data_\d{13}\.txt$/)
    const text = await readFile(await file.path(), 'utf8')
    expect(text.split('\n').filter((line) => line.includes(trace))).toHaveLength(1)
  })

  test('contain no password or token in plain text', async ({ page, session }) => {
    await page.goto('/app/logs/common-logs?actionType=LOGIN')
    await loaded(page, 'Common Logs')
    const text = await table(page, 'Common Logs').innerText()
    expect(text).not.toContain('demo-2026')
    expect(text).not.toContain(session?.token)
  })

  test('a search carries over to the next tab, and Clear resets it', async ({ page }) => {
    await page.goto('/app/logs/common-logs?companyId=1&start=2001-01-01&end=2001-01-02')
    await expect(page.getByText('No logs for selected params')).toBeVisible()
    await page.getByRole('link', { name: 'Login', exact: true }).click()
    await expect(page).toHaveURL(/\/app\/logs\/login\?companyId=1&start=2001-01-01&end=2001-01-02/)
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await expect(page).toHaveURL(/\/app\/logs\/login$/)
    await loaded(page, 'Login Logs')
  })
})

test.describe('common logs without the permission', () => {
  test.use({ account: 'admin2' })

  test('are not offered', async ({ page }) => {
    await page.goto('/app/logs/common-logs')
    await expect(page.getByText('You don’t have access to this page')).toBeVisible()
    await page.goto('/app/logs')
    await expect(page).toHaveURL(/\/app\/logs\/chat/)
    await expect(page.getByRole('link', { name: 'Common logs' })).toBeHidden()
  })
})
