import { randomUUID } from 'node:crypto'
import type { AvpStanding } from '@tallyroom/contract/figures/avp-week'
import { formatPesos } from '@tallyroom/domain/money'
import type { APIRequestContext } from '@playwright/test'
import { type Api, callsOf, merchantOf, pathOf } from './support/selling.ts'
import { type Account, expect, openContext, test } from './support/test.ts'

test.use({ account: 'superadmin' })

test('staff see who is close; an agent two sales short of the next tier makes them, and sees tier and money change', async ({
  browser,
  page: ofStaff,
  request,
  session,
  sessions,
  baseURL,
}) => {
  const api = callsOf(request, session?.token)
  const sell = await sellerOf(api, request)
  const { agentId, username } = await findTwoMissing(api, sell)

  const context = await openContext(browser)
  const page = await context.newPage()
  // The agent's own browser.
  await page.addInitScript(
    (value) => localStorage.setItem('tallyroom.session', value),
    JSON.stringify(await sessions.own(username as Account)), // every account of the demo has the same password
  )
  await page.goto(`${baseURL}/app/home`)
  const card = page.getByRole('region', { name: 'Your AVP week' })
  const { tier, next, pay } = await api<AvpStanding>(`/api/avp-week/${agentId}`)
  await expect(card).toContainText(
    `2 more until tier ${next?.tier} by Sunday 23:59 New York; that adds ${formatPesos(next?.adds?.php)} to this week`,
  )
  await expect(card).toContainText(`This week so far: ${formatPesos(pay?.php)} at tier ${tier}`)

  await ofStaff.goto('/app/stats/avp-week')
  const rows = ofStaff.getByRole('region', { name: 'AVP this week' }).locator('tbody tr')
  const row = rows.filter({ has: ofStaff.getByRole('link', { name: username, exact: true }) })
  await expect(row).toContainText('2 more')

  await sell(agentId)
  await sell(agentId)
  const then = formatPesos((pay?.php ?? 0) + (next?.adds?.php ?? 0))
  await expect(card).toContainText(`This week so far: ${then} at tier ${next?.tier}`)
  await expect(card.locator('[aria-current="step"]')).toContainText(`Tier ${next?.tier}`)

  await card.getByRole('link', { name: 'Your week in detail' }).click()
  await expect(page.getByRole('heading', { name: /^Your week/ })).toBeVisible()
  await expect(page.getByText(`This week so far: ${then}`)).toBeVisible()
  await context.close()
})

/** A function that records a sale of an agent on an AVP site: a click, and its postback. */
async function sellerOf(api: Api, request: APIRequestContext) {
  const sites = await api<{ id: number; sitename: string }[]>('/api/sites')
  const siteId = sites.find(({ sitename }) => sitename === 'Lantern Live')?.id ?? 0
  const types = await api<{ id: number; active: boolean }[]>(`/api/types/${siteId}/by-site`)
  const typeId = types.find(({ active }) => active)?.id ?? 0
  const merchant = await merchantOf(api, request, siteId)
  const linkOf = (agentId: number) => pathOf({ siteId, typeId, agentId })
  const sell = async (agentId: number) => {
    const click = await request.get(linkOf(agentId), { maxRedirects: 0 })
    expect(click.status()).toBe(302)
    const clickId = merchant.clickIdOf(click.headers()['location'])
    const sale = await merchant.report({ clickId, txid: `e2e-${randomUUID()}`, event: 'sale' })
    expect(sale.status()).toBe(201)
  }
  /** Whether the agent's link works. HEAD requests are not counted. */
  const works = async (agentId: number) =>
    (await request.head(linkOf(agentId), { maxRedirects: 0 })).status() === 302
  return Object.assign(sell, { works })
}

/**
 * An agent of Baguio, after enough sales to be two short of the next tier. No other test sells for
 * them.
 */
async function findTwoMissing(api: Api, sell: Awaited<ReturnType<typeof sellerOf>>) {
  const offices = await api<{ id: number; officeName: string }[]>('/api/companies')
  const office = offices.find(({ officeName }) => officeName === 'Baguio')
  const agents = await api<{ id: number }[]>(`/api/companies/agents?companyId=${office?.id}`)
  for (const { id: agentId } of agents) {
    if (!(await sell.works(agentId))) continue
    for (let sold = 0; sold < 12; sold++) {
      const standing = await api<AvpStanding>(`/api/avp-week/${agentId}`)
      if (standing.next?.missing === 2) return standing
      if (!standing.next) break
      await sell(agentId)
      // Figures are folded at most every five seconds.
      await expect
        .poll(async () => (await api<AvpStanding>(`/api/avp-week/${agentId}`)).sales)
        .toBe(standing.sales + 1)
    }
  }
  throw new Error('nobody of Baguio can reach another tier')
}
