import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { addDays, dayOf } from '../packages/domain/src/new-york.ts'
import { now } from './support/day.ts'
import { seat, startOwnServer } from './support/own-server.ts'
import { callsOf, pathOf } from './support/selling.ts'
import { sellingOffice } from './support/selling-office.ts'
import { test } from './support/test.ts'
import { violationsOf } from './support/violations.ts'

const DAY_MS = 86_400_000
const WEEKS = 10
const CLICKS = 25

test('a site that has clicks every week falls silent: staff see it on Home, open the chart and quiet the site', async ({
  browser,
  playwright,
}) => {
  test.slow()
  const server = await startOwnServer({ CLICKS_A_MINUTE: '0' })
  const request = await playwright.request.newContext({
    baseURL: server.url,
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36',
  })
  let page: Page | undefined
  try {
    const { signInAsOwner, link } = await sellingOffice(request, server)
    for (let week = 0; week < WEEKS; week++) {
      server.shiftClock(week * 7 * DAY_MS)
      await untilShifted(signInAsOwner, request, week * 7 * DAY_MS)
      const visits = Array.from({ length: CLICKS }, () =>
        request.get(pathOf(link), { maxRedirects: 0 }),
      )
      for (const answer of await Promise.all(visits)) expect(answer.status()).toBe(302)
    }
    // Long enough that weeks with other clocks had their clicks by then, too.
    const silence = WEEKS * 7 * DAY_MS + 3 * 3_600_000
    server.shiftClock(silence)
    await untilShifted(signInAsOwner, request, silence)
    const token = await signInAsOwner()

    page = await seat(browser, { url: server.url, token, ms: silence })
    await page.goto('/app/home')
    const needs = page.getByRole('region', { name: 'Needs you' })
    const alarm = needs.getByRole('link', { name: 'Lantern: no clicks' })
    await expect(alarm).toBeVisible()
    await expect(needs).toContainText(`0 came, about ${CLICKS} are usual`)

    await alarm.click()
    const summary = `clicks by the hour: in the last twelve hours 0 came, about ${CLICKS} are usual.`
    await expect(page.getByRole('img', { name: summary })).toBeVisible()
    await expect(page.locator('main [role="img"] svg')).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Show table' }).click()
    const hours = page.getByRole('table', { name: 'Lantern by the hour' }).getByRole('row')
    await expect(hours).toHaveCount(1 + 72)

    await page.getByRole('button', { name: 'Quiet until …' }).first().click()
    const day = addDays(dayOf(now().getTime() + silence), 7)
    await page.getByRole('button', { name: `Quiet until ${day}` }).click()
    await expect(page.getByText(`Quiet until ${day}: no alarms of this site.`)).toBeVisible()
    await page.goto('/app/home')
    await expect(needs.getByRole('link', { name: 'Manila: no clicks' })).toBeVisible()
    await expect(alarm).toBeHidden()

    await page.goto(`/app/sites/${link.siteId}/history`)
    await expect(page.getByText(`Quieted the alarms of Lantern until ${day}`)).toBeVisible()
  } finally {
    await page?.context().close()
    await request.dispose()
    await server.stop()
  }
})

/** The clock is set by a message that the server reads when it comes to it. */
const untilShifted = (signIn: () => Promise<string>, request: APIRequestContext, ms: number) =>
  expect
    .poll(async () => {
      const token = await signIn()
      const home = await callsOf(request, token)<{ today: string }>('/api/home')
      return home.today
    })
    .toBe(dayOf(now().getTime() + ms))
