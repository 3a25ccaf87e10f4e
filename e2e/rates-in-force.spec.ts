import { expect, type Page } from '@playwright/test'
import { addMonths, atNewYork, lastDayOfMonth } from '../packages/domain/src/new-york.ts'
import { now, today } from './support/day.ts'
import { seat, startOwnServer } from './support/own-server.ts'
import { sellingOffice } from './support/selling-office.ts'
import { test } from './support/test.ts'

const lastDay = lastDayOfMonth(today)
const first = addMonths(today, 1)
const untilOn = (day: string, time: string) => atNewYork(day, time).getTime() - now().getTime()

test('an office sees a rate that was prepared for the 1st in Links from New York midnight on, and not before', async ({
  browser,
  playwright,
}) => {
  const server = await startOwnServer()
  const request = await playwright.request.newContext({ baseURL: server.url })
  const pages: Page[] = []
  try {
    const eve = untilOn(lastDay, '23:50')
    server.shiftClock(eve)
    const { owner, office, link: sold } = await sellingOffice(request, server)
    const { siteId, agentId } = sold
    const sit = async (token: string, path: string, ms: number) => {
      const page = await seat(browser, { url: server.url, token, ms })
      pages.push(page)
      await page.goto(path)
      return page
    }

    const page = await sit(owner, `/app/sites/${siteId}/types`, eve)
    await page.getByRole('link', { name: 'Edit Sign-up' }).click()
    await page.getByText('From a day on', { exact: true }).click()
    await page.getByLabel('Payout').first().fill('45')
    // Tomorrow, which the form suggests, is the 1st.
    await expect(page.getByRole('button', { name: `Rates from: ${first}` })).toBeVisible()
    await page.getByRole('button', { name: 'Update Link' }).click()
    const cell = page.getByRole('row').filter({ hasText: 'Sign-up' })
    await expect(cell).toContainText('₱40.00')
    await expect(cell).toContainText('₱45.00 from ')

    const links = `/app/links/links?siteId=${siteId}&agentId=${agentId}`
    const linkOf = (one: Page) => one.getByRole('row').filter({ hasText: 'Sign-up' })
    const before = await sit(office, links, eve)
    await expect(linkOf(before)).toContainText('₱40.00')
    await expect(before.getByText('₱45.00')).toHaveCount(0)

    const after = untilOn(first, '00:01')
    server.shiftClock(after)
    const link = linkOf(await sit(office, links, after))
    await expect(link).toContainText('₱45.00')
    await expect(link).not.toContainText('₱40.00')

    const inForce = await sit(owner, `/app/sites/${siteId}/types`, after)
    const now1st = inForce.getByRole('row').filter({ hasText: 'Sign-up' })
    await expect(now1st).toContainText('₱45.00')
    await expect(now1st).not.toContainText(' from ')
  } finally {
    await Promise.all(pages.map((page) => page.context().close()))
    await request.dispose()
    await server.stop()
  }
})
