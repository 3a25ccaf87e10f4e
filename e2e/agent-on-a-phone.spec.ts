import { randomUUID } from 'node:crypto'
import { formatPesos } from '@tallyroom/domain/money'
import type { APIRequestContext } from '@playwright/test'
import { today } from './support/day.ts'
import { callsOf, merchantOf, pathOf } from './support/selling.ts'
import { amountOf } from './support/statistics-page.ts'
import { type Account, expect, test } from './support/test.ts'

// An agent for whom no other test sells, so that their figures stand still. All accounts of the demo share a password.
test.use({ account: 'liza' as Account, viewport: { width: 390, height: 844 } })

test('an agent on a phone sees today’s payout without scrolling, opens it down to a click, copies and shares a link @core', async ({
  page,
  context,
  request,
  session,
  sessions,
}) => {
  const { token } = await sessions.shared('superadmin')
  const { order, sub } = await sellOne(request, token)
  const earned = await earnedToday(request, session?.token)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', {
      value: (data: ShareData) => {
        document.documentElement.dataset['shared'] = data.url
        return Promise.resolve()
      },
    })
  })

  // Home: what was earned so far, and today, without scrolling. Each part opens the lines of the estimate.
  await page.goto('/app/home')
  const soFar = page.getByRole('region', { name: 'Earned so far' })
  await expect(soFar).toBeInViewport({ ratio: 1 })
  const sum = (await soFar.getByRole('link').first().textContent()) ?? ''
  expect((await soFar.getByText(sum, { exact: true }).boundingBox())?.y).toBeLessThan(300)
  await soFar.getByRole('link', { name: /^Tiers ₱/ }).click()
  await expect(page).toHaveURL(/\/app\/pay\/estimates\/.*#tiers$/)
  await expect(page.getByText(sum, { exact: true }).first()).toBeVisible()
  await page.goBack()
  const tile = page.getByRole('link', { name: /^Today -?₱[\d,.]+/ })
  await expect(tile).toBeInViewport()
  // The sale is on an AVP site, so that its week's tier pays, not its rate.
  await expect(tile.getByText(/^₱/)).toHaveText(
    formatPesos(await paidToday(request, session?.token)),
  )

  // Its statistics: the same amount, for today alone.
  await tile.click()
  await expect(page).toHaveURL(new RegExp(`/app/stats/sites\\?.*start=${today}&end=${today}`))
  const statistics = page.url()
  const figure = (name: string) =>
    page
      .getByRole('link', { name: new RegExp(`^${name} -?₱[\\d,.]+: what it is made of$`) })
      .first()
  const payout = (await figure('Payout').textContent()) ?? ''
  const bonus = (await figure('Bonus Payout').textContent()) ?? ''
  expect(amountOf(payout) + amountOf(bonus)).toBe(Math.round(earned * 100))

  // The day's explanation adds up. Back closes it, and its URL opens it.
  const day = page.getByRole('region', { name: 'Sites Statistics' }).getByRole('listitem').first()
  await day.getByRole('link', { name: /^Payout ₱/ }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('region', { name: 'Figure' })).toContainText(payout)
  await expect(drawer).toContainText('Payout · Manila · liza')
  const parts = drawer.getByRole('region', { name: 'Sale by sale' }).locator('tbody tr')
  const amounts = await parts.locator('td:last-child').allTextContents()
  const added = amounts.reduce((all, one) => all + amountOf(one.split(/[A-Z]/)[0]!), 0)
  expect(added).toBe(amountOf(payout))
  const explained = page.url()
  await page.goBack()
  await expect(drawer).toBeHidden()
  await expect(page).toHaveURL(statistics)
  await page.goto(explained)

  // The sale's click.
  await parts.filter({ hasText: order }).getByRole('link', { name: 'Click', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Click Logs')
  const click = page.locator('main').getByRole('listitem').first()
  await expect(click).toContainText(SITE)
  await click.getByRole('button', { name: /^Details of/ }).click()
  await click.getByRole('button', { name: /^Copy link/ }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`sub1=${sub}`)

  // A link: copied and shared, and it works.
  const bar = page.getByRole('navigation', { name: 'Quick access' })
  await bar.getByRole('link', { name: 'Links' }).click()
  const card = page.locator('main').getByRole('listitem').filter({ hasText: SITE }).first()
  await expect(card).toContainText('₱')
  const link = await card.locator('code').innerText()
  expect(link).toMatch(/\/api\/links\/go\/\d+\/\d+\/\d+$/)
  await card.getByRole('button', { name: /^Share / }).click()
  await expect(page.locator('html')).toHaveAttribute('data-shared', link)
  await card.getByRole('button', { name: /^Copy / }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  // A HEAD request is not counted.
  expect((await request.head(new URL(link).pathname, { maxRedirects: 0 })).status()).toBe(302)
})

const SITE = 'Lantern Live'

/** A visitor follows the agent's link and buys. */
async function sellOne(request: APIRequestContext, token: string) {
  const api = callsOf(request, token)
  const sites = await api<{ id: number; sitename: string }[]>('/api/sites')
  const agents = await api<{ id: number; username: string }[]>('/api/companies/agents?companyId=1')
  const siteId = sites.find(({ sitename }) => sitename === SITE)?.id ?? 0
  const agentId = agents.find(({ username }) => username === 'liza')?.id ?? 0
  const types = await api<{ id: number; active: boolean }[]>(`/api/types/${siteId}/by-site`)
  const typeId = types.find(({ active }) => active)?.id ?? 0
  const { clickIdOf, report } = await merchantOf(api, request, siteId)
  const sub = `e2e-${randomUUID().slice(0, 8)}`
  const click = await request.get(`${pathOf({ siteId, typeId, agentId })}?sub1=${sub}`, {
    maxRedirects: 0,
  })
  const clickId = clickIdOf(click.headers()['location'])
  const order = `e2e-${randomUUID()}`
  const sale = await report({ clickId, txid: order, event: 'sale' })
  expect(sale.status()).toBe(201)
  return { order, sub }
}

/** What the agent is paid for today, at the tier that the week has reached, in pesos. */
async function paidToday(request: APIRequestContext, token = ''): Promise<number> {
  const response = await request.get('/api/home', { headers: { authorization: `Bearer ${token}` } })
  const { pay } = (await response.json()) as { pay: { today: { PHP: number } } }
  return pay.today.PHP / 100
}

/** What the agent's statistics for today come to by rates, in pesos. */
async function earnedToday(request: APIRequestContext, token = ''): Promise<number> {
  const response = await request.post('/api/stats/sites', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      groupBy: 'date',
      start: today,
      end: today,
      sortField: 'date',
      sortAsc: true,
      page: 1,
      pageSize: 1,
    },
  })
  expect(response.ok(), await response.text()).toBe(true)
  const { overall } = (await response.json()) as {
    overall: { payout: number; bonusPayout: number }
  }
  expect(overall.payout).toBeGreaterThan(0)
  return overall.payout + overall.bonusPayout
}
