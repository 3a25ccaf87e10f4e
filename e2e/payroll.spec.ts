import type { Locator, Page } from '@playwright/test'
import { addDays } from '../packages/domain/src/new-york.ts'
import { periodOf } from '../packages/domain/src/periods.ts'
import { today } from './support/day.ts'
import {
  addable,
  amountOf,
  type Line,
  reports,
  StatisticsPage,
  sumOf,
} from './support/statistics-page.ts'
import { type Account, expect, test } from './support/test.ts'

// Past days, which clicks of other tests do not change.
const yesterday = addDays(today, -1)
const lastDays = { start: addDays(yesterday, -13), end: yesterday }
const lastWeek = periodOf(today, 'week', 1)
const week = { start: lastWeek.start, end: lastWeek.end }

test.describe('who sees what', () => {
  const staff = {
    tabs: ['Sites', 'Sites AVP', 'Payroll', 'Payroll AVP'],
    views: ['Agent', 'Detail', 'Sub1'],
    filters: ['Site', 'Type', 'Office', 'Agent', 'AVP'],
    keys: ['Date', 'Office', 'Agent', 'AVP'],
  }
  const sights: Partial<Record<Account, typeof staff>> = {
    admin: staff,
    manila: {
      tabs: ['Sites', 'Sites AVP'],
      views: ['Agent', 'Detail', 'Sub1'],
      filters: ['Site', 'Type', 'Agent'],
      keys: ['Date', 'Agent', 'AVP'],
    },
    maria: {
      tabs: ['Sites', 'Sites AVP'],
      views: ['Detail', 'Sub1'],
      filters: ['Site', 'Type'],
      keys: ['Date', 'AVP'],
    },
  }

  for (const account of ['admin', 'manila', 'maria'] as const) {
    const sight = sights[account] ?? staff
    test.describe(account, () => {
      test.use({ account })

      test('sees its own tabs, views, filters and columns of Sites AVP', async ({ page }) => {
        const avp = new StatisticsPage(page, reports.sitesAvp)
        await avp.open()
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sites AVP Statistics')
        const tabs = page.getByRole('navigation', { name: 'Stats' }).getByRole('link')
        for (const tab of sight.tabs)
          await expect(tabs.getByText(tab, { exact: true })).toBeVisible()
        if (!sight.tabs.includes('Payroll')) await expect(tabs.getByText('Payroll')).toHaveCount(0)
        const views = page.getByRole('radiogroup', { name: 'View By' }).getByRole('radio')
        expect(
          await views.evaluateAll((radios) => radios.map((radio) => radio.getAttribute('value'))),
        ).toEqual(sight.views.map((view) => view.toLowerCase()))
        const filters = page.getByRole('search').getByRole('combobox')
        await expect(filters).toHaveCount(sight.filters.length)
        for (const name of sight.filters)
          await expect(page.getByRole('combobox', { name, exact: true })).toBeVisible()
        const { headers } = await avp.read()
        expect(headers.slice(1, 1 + sight.keys.length)).toEqual(sight.keys)
        await page.getByRole('button', { name: 'More', exact: true }).click()
        await expect(page.getByRole('table', { name: 'A.V.P. pay schedule' })).toBeVisible()

        if (sight === staff) return
        for (const { path } of [reports.payroll, reports.payrollAvp]) {
          await page.goto(path)
          await expect(page.getByText('You don’t have access to this page')).toBeVisible()
        }
      })
    })
  }
})

test.describe('for staff', () => {
  test.use({ account: 'superadmin' })

  test('Payroll adds up, and drilling down keeps the sums', async ({ page }) => {
    const payroll = new StatisticsPage(page, reports.payroll)
    await payroll.open({ ...lastDays, groupBy: 'date' })
    const byDate = await payroll.read()
    expect(addable(byDate.headers)).toEqual(expect.arrayContaining(['Payout', 'Bonus Payout']))
    for (const column of addable(byDate.headers))
      expect(sumOf(byDate.rows, column), column).toBe(amountOf(byDate.overall[column]!))

    const day = largest(byDate.rows, 'Payout')
    await payroll.drill(day['Date']!)
    const byOffice = await payroll.read()
    expect(byOffice.overall['Payout']).toBe(day['Payout'])
    const office = largest(byOffice.rows, 'Payout')
    await payroll.drill(office['Office']!)
    const byAgent = await payroll.read()
    expect(byAgent.overall['Payout']).toBe(office['Payout'])
    const agent = largest(byAgent.rows, 'Payout')
    await payroll.drill(agent['Agent']!)
    expect((await payroll.read()).rows).toMatchObject([
      {
        Date: day['Date'],
        Office: office['Office'],
        Agent: agent['Agent'],
        Payout: agent['Payout'],
      },
    ])
  })

  test('Payroll is an entry of the menu, and opens on the last half-month by agent', async ({
    page,
  }) => {
    await page.goto('/app/home')
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Payroll', exact: true })
      .click()
    const { start, end } = periodOf(today, 'beWeek', 1)
    await expect(page).toHaveURL(new RegExp(`start=${start}&end=${end}&groupBy=agent`))
    const payroll = new StatisticsPage(page, reports.payroll)
    const { headers, rows } = await payroll.read()
    expect(headers).toEqual(expect.arrayContaining(['Agent', 'Payout']))
    expect(headers).not.toContain('Date')
    const agents = rows.map((row) => row['Agent'])
    expect(new Set(agents).size).toBe(agents.length)
    const days = page.getByRole('button', { name: /^Date range: .*last half-month/i })
    await days.click()
    // Shown by name, and first in its list.
    await expect(
      page.getByRole('listbox', { name: 'Periods' }).getByRole('option').first(),
    ).toBeVisible()
  })

  test('a single site has columns for the sales and the payout of each link type', async ({
    page,
  }) => {
    const payroll = new StatisticsPage(page, reports.payroll)
    await payroll.open({ ...lastDays, groupBy: 'company', siteId: 1 })
    const { headers, rows, overall } = await payroll.read()
    const pays = headers.filter((header) => header.endsWith(' ₱'))
    expect(pays.length).toBeGreaterThan(1)
    for (const line of [...rows, overall]) {
      const paid = pays.reduce((sum, header) => sum + amountOf(line[header]!), 0)
      expect(paid).toBe(amountOf(line['Payout']!))
      for (const header of pays) expect(line).toHaveProperty(header.slice(0, -2))
    }
  })

  test('a payout opens its explanation, whose parts add up, down to the postback', async ({
    page,
  }) => {
    const payroll = new StatisticsPage(page, reports.payroll)
    await payroll.open({ ...lastDays, groupBy: 'company' })
    const before = page.url()
    const office = largest((await payroll.read()).rows, 'Payout')
    const row = payroll.table.getByRole('row').filter({ hasText: office['Office']! })
    await row.getByRole('link', { name: /^Payout / }).click()
    const drawer = page.getByRole('dialog')
    await expect(drawer).toContainText(`Payout · ${office['Office']}`)
    await expect(drawer).toContainText(/The sum of [\d,]+ parts?: /)
    const figure = amountOf(office['Payout']!)
    expect(
      amountOf(
        (await drawer.getByRole('region', { name: 'Figure' }).textContent())!.split('The')[0]!,
      ),
    ).toBe(figure)

    // In each group, rate × count is the sum. The sums add up to the figure.
    const groups = await cellsOf(drawer.getByRole('region', { name: 'By rate' }))
    for (const [name = '', rate = '', quantity = '', sum = ''] of groups)
      expect(Math.round(amountOf(rate) * quantityOf(quantity)), name).toBe(amountOf(sum))
    expect(groups.reduce((total, group) => total + amountOf(group.at(-1)!), 0)).toBe(figure)

    // So do the parts of all pages.
    const parts = drawer.getByRole('region', { name: 'Sale by sale' })
    let total = 0
    for (;;) {
      await expect(drawer.locator('[aria-busy="true"]')).toHaveCount(0)
      for (const part of await cellsOf(parts)) total += amountOf(part.at(-1)!.split(/[A-Z]/)[0]!)
      const next = drawer.getByRole('button', { name: 'Next' })
      if (!(await next.isVisible()) || (await next.isDisabled())) break
      const answer = page.waitForResponse('**/api/stats/explain')
      await next.click()
      await answer
    }
    expect(total).toBe(figure)

    // Back closes it, and its URL opens it again.
    const explained = page.url()
    await page.goBack()
    await expect(drawer).toBeHidden()
    await expect(page).toHaveURL(before)
    await page.goto(explained)
    await expect(drawer).toContainText(`Payout · ${office['Office']}`)

    await parts.getByRole('link', { name: 'Postback' }).first().click()
    await expect(page).toHaveURL(/\/app\/sites\/postbacks\?.*clickId=/)
    await expect(
      page.getByRole('region', { name: 'Postbacks' }).locator('tbody tr').first(),
    ).toContainText('Recorded')
  })

  test('the overall total opens too, and Escape closes it', async ({ page }) => {
    const payroll = new StatisticsPage(page, reports.payroll)
    await payroll.open({ ...lastDays, groupBy: 'agent', pageSize: 25 })
    const { overall } = await payroll.read()
    const totals = payroll.table.locator('tfoot tr').nth(1)
    const link = totals.getByRole('link', { name: /^Bonus Payout / })
    await link.focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByRole('region', { name: 'Figure' })).toContainText(
      `: ${overall['Bonus Payout']}`,
    )
    // The list below must not change its page.
    await page.keyboard.press('Control+ArrowRight')
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(page).not.toHaveURL(/page=2|explain/)
    await expect(link).toBeFocused()
  })

  test('Payroll AVP pays each agent’s AVP sales at the rate of the week’s tier', async ({
    page,
  }) => {
    const payroll = new StatisticsPage(page, reports.payrollAvp)
    await payroll.open({ ...week, pageSize: 500 })
    const byOffice = await payroll.read()
    expect(byOffice.headers[1]).toBe('Office')
    await payroll.viewBy('Agent')
    await payroll.load()
    const byAgent = await payroll.read()
    for (const column of ['AVP Sales', 'Payout ₱', 'Payout $']) {
      expect(sumOf(byAgent.rows, column), column).toBe(amountOf(byAgent.overall[column]!))
      expect(byOffice.overall[column]).toBe(byAgent.overall[column])
    }

    const rates = await scheduleRates(page)
    expect(rates.length).toBeGreaterThan(2)
    for (const row of byAgent.rows) {
      const sales = amountOf(row['AVP Sales']!) / 100
      const tier = rates.findLast(({ from }) => from <= amountOf(row['Week’s AVP Sales']!) / 100)
      expect(amountOf(row['Payout ₱']!) - sales * (tier?.pesos ?? 0), row['Agent']).toBe(0)
      expect(amountOf(row['Payout $']!) - sales * (tier?.dollars ?? 0), row['Agent']).toBe(0)
    }

    const best = largest(byAgent.rows, 'Payout ₱')
    const line = payroll.table.getByRole('row').filter({ hasText: best['Agent']! }).first()
    await line.getByRole('link', { name: /^Payout ₱ / }).click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByRole('region', { name: 'Figure' })).toContainText(
      `: ${best['Payout ₱']}`,
    )
    await expect(drawer.getByRole('region', { name: 'By rate' })).toContainText(
      `Week of ${week.start}Tier ${best['AVP']}, schedule from `,
    )
  })

  test('choosing a tier shows only its agents', async ({ page }) => {
    const avp = new StatisticsPage(page, reports.sitesAvp)
    await avp.open({ ...week, groupBy: 'agent', pageSize: 500 })
    const tier = (await avp.read()).rows.at(-1)!['AVP']!
    await page.getByRole('combobox', { name: 'AVP' }).click()
    await page.getByRole('option', { name: tier, exact: true }).click()
    await avp.load()
    const { rows } = await avp.read()
    expect(new Set(rows.map((row) => row['AVP']))).toEqual(new Set([tier]))
    await expect(page.getByText(`AVP:${tier}]`)).toBeVisible()
  })

  test('the AVP pages share their week, and leaving them resets it', async ({ page }) => {
    const before = periodOf(today, 'week', 2)
    const avp = new StatisticsPage(page, reports.sitesAvp)
    await avp.open()
    await expect(page).toHaveURL(new RegExp(`start=${week.start}&end=${week.end}`))
    await page.getByRole('button', { name: /^Period Start:/ }).click()
    await page.getByRole('option', { name: '2 weeks back', exact: true }).click()
    await avp.load()
    const tabs = page.getByRole('navigation', { name: 'Stats' })
    await tabs.getByRole('link', { name: 'Payroll AVP' }).click()
    await expect(page).toHaveURL(new RegExp(`sites-payout-avp.*start=${before.start}`))
    await tabs.getByRole('link', { name: 'Payroll', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payroll')
    await tabs.getByRole('link', { name: 'Payroll AVP' }).click()
    await expect(page).toHaveURL(new RegExp(`sites-payout-avp.*start=${week.start}`))
  })

  test('a future schedule is added, changed and deleted', async ({ page }) => {
    const monday = addDays(periodOf(today, 'week').start, 7 * 8)
    const card = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: monday }) })
    await page.goto('/app/settings/avp-schedule')
    await expect(page.getByText('In force', { exact: true })).toHaveCount(1)
    await page.getByRole('link', { name: '+ Add AVP Schedule' }).click()
    await page.getByRole('button', { name: /^First week:/ }).click()
    await page.getByRole('option', { name: `From ${monday}` }).click()

    // Problems show at once and prevent saving.
    const save = page.getByRole('button', { name: 'Add AVP Schedule' })
    const problems = page.getByRole('list', { name: 'Problems' })
    const from = page.getByRole('textbox', { name: 'From sales of tier 2' })
    const joined = await from.inputValue()
    await from.fill('99')
    await expect(problems).toContainText(`Tier 2 leaves a gap: it must start at ${joined}`)
    await expect(save).toBeDisabled()
    await from.fill(joined)
    await page.getByRole('textbox', { name: '₱ per sale of tier 2' }).fill('33.25')
    await save.click()
    await expect(page.getByRole('dialog')).toContainText(
      `from Monday, ${monday}, until further notice`,
    )
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(card).toContainText('Upcoming')
    await expect(card).toContainText('₱33.25')

    await card.getByRole('link', { name: /^Edit/ }).click()
    await page.getByRole('button', { name: '+ Add tier' }).click()
    await page.getByRole('button', { name: 'Update AVP Schedule' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(card).toContainText('₱33.25')

    await card.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(card).toHaveCount(0)
  })
})

const largest = (rows: readonly Line[], column: string): Line =>
  rows.toSorted((a, b) => amountOf(b[column]!) - amountOf(a[column]!))[0]!

/** The cells of a table's body, by row. */
const cellsOf = (region: Locator): Promise<string[][]> =>
  region
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
    )

/** `× 12` is 12, `× (12 − 1)` is 11. */
const quantityOf = (text: string): number => {
  const [sales = 0, reversals = 0] = [...text.matchAll(/[\d,]+/g)].map(([number]) =>
    Number(number.replaceAll(',', '')),
  )
  return sales - reversals
}

/** The rows of the pay schedule: the lowest number of sales, with the rates in centavos and cents. */
const scheduleRates = async (page: Page) => {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const schedule = page.getByRole('table', { name: 'A.V.P. pay schedule' })
  await expect(schedule).toBeVisible()
  const rows = await schedule
    .locator('tbody tr')
    .evaluateAll((lines) =>
      lines.map((line) => [...line.children].map((cell) => cell.textContent ?? '')),
    )
  return rows.map(([bounds = '', pesos = '', dollars = '']) => ({
    from: bounds === 'NO' ? 0 : Number.parseInt(bounds, 10),
    pesos: amountOf(pesos),
    dollars: amountOf(dollars),
  }))
}
