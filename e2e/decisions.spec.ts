import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { now } from './support/day.ts'
import { callsOf, merchantOf, pathOf } from './support/selling.ts'
import { expect, test } from './support/test.ts'

test.use({ account: 'superadmin' })

/** How long a decision can be undone. */
const UNDO_MS = 60_000

test('a decision is undone within its minute, and another is done after it', async ({
  page,
  request,
  session,
}) => {
  test.slow()
  const order = await heldOrder(request, session?.token)
  const card = page.getByRole('article', { name: `Dated too early, ${order}` })
  const decided = page.getByRole('list', { name: 'Just decided' }).getByText(order)
  await page.goto('/app/decisions?holdKind=early')
  await find(page, order)
  const before = await page
    .getByText(/decisions? waits?/)
    .first()
    .textContent()

  await refuse(page)
  await expect(decided).toBeVisible()
  await expect(card).toBeHidden()
  await page
    .getByRole('listitem')
    .filter({ hasText: order })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(decided).toBeHidden()
  await find(page, order)
  await expect(page.getByText(/decisions? waits?/).first()).toHaveText(before ?? '')
  expect(await outcomeOf(page, order)).toMatch(/It is dated more than five minutes before/)

  await page.goto('/app/decisions?holdKind=early')
  await find(page, order)
  await refuse(page)
  await expect(decided).toBeVisible()
  await expect(decided).toBeHidden({ timeout: 2 * UNDO_MS })
  expect(await outcomeOf(page, order)).toMatch(/Refused by staff/)
})

test('Needs you in a line shows what fits, and the rest at a press', async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 900 })
  await page.route('**/api/home', async (route) => {
    const response = await route.fetch()
    if (response.status() !== 200) return route.fulfill({ response })
    const home = await response.json()
    const word = { siteId: 1, sitename: 'Lantern Live', parameter: 'step', event: 'sale' }
    home.network.needs.words = Array.from({ length: 20 }, (_, nth) => ({
      ...word,
      value: `word-${nth}`,
      count: 1,
      since: now().toISOString(),
    }))
    await route.fulfill({ response, json: home })
  })
  await page.goto('/app/home')
  const needs = page.locator('#needs-you')
  const more = needs.getByRole('button', { name: /^Show all \d+$/ })
  await expect(more).toHaveAttribute('aria-expanded', 'false')
  await expect(needs.getByText('step=word-19')).toBeHidden()
  await expect(needs.getByRole('listitem')).toHaveCount(13)
  await more.click()
  await expect(needs.getByText('step=word-19')).toBeVisible()
  await needs.getByRole('button', { name: 'Show fewer' }).click()
  await expect(needs.getByRole('listitem')).toHaveCount(13)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

/** Goes through the queue until this order is shown. */
async function find(page: Page, order: string) {
  const card = page.getByRole('article', { name: new RegExp(order) })
  const next = page.getByRole('button', { name: /^Next/ })
  await page.getByRole('article').first().waitFor()
  await expect(async () => {
    if (!(await card.isVisible()) && (await next.isEnabled())) await next.click()
    await expect(card).toBeVisible({ timeout: 300 })
  }).toPass()
}

async function refuse(page: Page) {
  await page
    .getByRole('list', { name: 'Decide' })
    .getByRole('button', { name: /^Refuse/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Refuse' })
  await dialog.getByLabel('Reason').fill('Their clock was wrong')
  await dialog.getByRole('button', { name: /^Refuse$/ }).click()
  await expect(dialog).toBeHidden()
}

/** What the list of postbacks says of an order. */
async function outcomeOf(page: Page, order: string): Promise<string> {
  await page.goto(`/app/sites/postbacks?transactionId=${order}`)
  const row = page.getByRole('region', { name: 'Postbacks' }).locator('tbody tr').first()
  await expect(row).toContainText(order)
  return (await row.textContent()) ?? ''
}

/** A report that is dated a day before its click. Returns its order number. */
async function heldOrder(request: APIRequestContext, token: string | undefined): Promise<string> {
  const api = callsOf(request, token)
  const sites = await api<{ id: number; sitename: string }[]>('/api/sites')
  const siteId = sites.find(({ sitename }) => sitename === 'Harbor Hearts')?.id ?? 0
  const types = await api<{ id: number; typename: string }[]>(`/api/types/${siteId}/by-site`)
  const typeId = types.find(({ typename }) => typename === 'Year Pass')?.id ?? 0
  const offices = await api<{ id: number; officeName: string }[]>('/api/companies')
  const companyId = offices.find(({ officeName }) => officeName === 'Cebu')?.id
  const agents = await api<{ id: number }[]>(`/api/companies/agents?companyId=${companyId}`)
  const { clickIdOf, report } = await merchantOf(api, request, siteId)
  for (const { id: agentId } of agents) {
    const path = pathOf({ siteId, typeId, agentId })
    // HEAD requests are not counted.
    if ((await request.head(path, { maxRedirects: 0 })).status() !== 302) continue
    const { location = '' } = (await request.get(path, { maxRedirects: 0 })).headers()
    // Short enough for the list to show it whole.
    const txid = `e2e-${randomUUID().slice(0, 8)}`
    const time = new Date(now().getTime() - 86_400_000).toISOString()
    const held = await report({ clickId: clickIdOf(location), txid, time })
    expect(held.status()).toBe(409)
    return txid
  }
  throw new Error('Nobody of Cebu sells it')
}
