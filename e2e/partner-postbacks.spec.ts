import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { APIRequestContext } from '@playwright/test'
import { callsOf, merchantOf, pathOf } from './support/selling.ts'
import { type Account, expect, test } from './support/test.ts'

// Agents for whom no other test sells.
const places = [
  { name: 'at a desk', account: 'markg', viewport: { width: 1440, height: 900 } },
  { name: 'on a phone', account: 'ramil', viewport: { width: 390, height: 844 } },
]

for (const { name, account, viewport } of places) {
  test.describe(name, () => {
    test.use({ account: account as Account, viewport })

    test(`an agent ${name} pastes their tracker’s address, sends a test, sells, and sees it delivered`, async ({
      page,
      request,
      sessions,
    }) => {
      const asked: URLSearchParams[] = []
      const tracker = createServer(({ url = '' }, answer) => {
        asked.push(new URL(url, 'http://tracker').searchParams)
        answer.end('accepted')
      })
      await new Promise<void>((done) => tracker.listen(0, '127.0.0.1', done))
      const { port } = tracker.address() as AddressInfo // a TCP server has such an address
      try {
        await page.goto('/app/profile-postbacks')
        await page.getByRole('link', { name: '+ Add Postback' }).click()
        const address = page.getByRole('textbox', { name: 'Address' })
        await address.fill(`http://127.0.0.1:${port}/postback?cid={clickid}`)
        await address.blur()
        await expect(page.getByText('has {clickid}, which is no macro')).toBeVisible()
        await address.fill(`http://127.0.0.1:${port}/postback?cid=`)
        await page.getByRole('button', { name: '{sub1}' }).click()
        await address.press('End')
        await address.pressSequentially('&status={status}&id=')
        await page.getByRole('button', { name: '{transaction_id}' }).click()
        await expect(page.getByLabel('Preview')).toContainText('&status=approved&id=')
        await page.getByRole('button', { name: 'Send a test' }).click()
        await expect(page.getByText('Status 200')).toBeVisible()
        await expect(page.getByText('accepted')).toBeVisible()
        expect(Object.fromEntries(asked[0] ?? [])).toEqual({
          cid: 'test',
          status: 'approved',
          id: 'test',
        })
        await page.getByRole('button', { name: 'Add Postback' }).click()
        await expect(page.getByRole('link', { name: `127.0.0.1:${port}` })).toBeVisible()

        const { token } = await sessions.shared('superadmin')
        const { order, sub } = await sellOne(request, token, account)
        await expect.poll(() => asked.length, { timeout: 15_000 }).toBe(2)
        expect(Object.fromEntries(asked[1] ?? [])).toEqual({
          cid: sub,
          status: 'approved',
          id: order,
        })

        await page.getByRole('link', { name: `127.0.0.1:${port}` }).click()
        const delivery = page.getByRole('region', { name: 'Sale, Delivered' })
        await expect(delivery).toContainText('Status 200')
        await expect(delivery).toContainText(`id=${order}`)
        await delivery.getByRole('button', { name: 'Send again' }).click()
        await expect.poll(() => asked.length, { timeout: 15_000 }).toBe(3)
      } finally {
        tracker.close()
      }
    })
  })
}

const SITE = 'Lantern Live'

/** A visitor follows the agent's link and buys. */
async function sellOne(request: APIRequestContext, token: string, username: string) {
  const api = callsOf(request, token)
  const sites = await api<{ id: number; sitename: string }[]>('/api/sites')
  const agents = await api<{ id: number; username: string }[]>('/api/companies/agents?companyId=1')
  const siteId = sites.find(({ sitename }) => sitename === SITE)?.id ?? 0
  const agentId = agents.find((one) => one.username === username)?.id ?? 0
  const types = await api<{ id: number; active: boolean }[]>(`/api/types/${siteId}/by-site`)
  const typeId = types.find(({ active }) => active)?.id ?? 0
  const { clickIdOf, report } = await merchantOf(api, request, siteId)
  const sub = `e2e-${randomUUID().slice(0, 8)}`
  const click = await request.get(`${pathOf({ siteId, typeId, agentId })}?sub1=${sub}`, {
    maxRedirects: 0,
  })
  const order = `e2e-${randomUUID()}`
  const sale = await report({
    clickId: clickIdOf(click.headers()['location']),
    txid: order,
    event: 'sale',
  })
  expect(sale.status()).toBe(201)
  return { order, sub }
}
