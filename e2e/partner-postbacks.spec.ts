import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { publicNameOf } from '../apps/api/test/public-names.ts'
import { sellOne } from './support/one-sale.ts'
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
        answer.writeHead(200, { 'content-type': 'text/plain' }).end('accepted')
      })
      await new Promise<void>((done) => tracker.listen(0, '127.0.0.1', done))
      const { port } = tracker.address() as AddressInfo // a TCP server has such an address
      const host = publicNameOf(port)
      try {
        await page.goto('/app/profile-postbacks')
        await page.getByRole('link', { name: '+ Add Postback' }).click()
        const address = page.getByRole('textbox', { name: 'Address' })
        await address.fill(`http://${host}/postback?cid={clickid}`)
        await address.blur()
        await expect(page.getByText('has {clickid}, which is no macro')).toBeVisible()
        await address.fill(`http://${host}/postback?cid=`)
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
        await expect(page.getByRole('link', { name: host })).toBeVisible()

        const { token } = await sessions.shared('superadmin')
        const { order, sub } = await sellOne(request, token, account)
        await expect.poll(() => asked.length).toBe(2)
        expect(Object.fromEntries(asked[1] ?? [])).toEqual({
          cid: sub,
          status: 'approved',
          id: order,
        })

        await page.getByRole('link', { name: host }).click()
        const delivery = page.getByRole('region', { name: 'Sale, Delivered' })
        await expect(delivery).toContainText('Status 200')
        await expect(delivery).toContainText(`id=${order}`)
        await delivery.getByRole('button', { name: 'Send again' }).click()
        await expect.poll(() => asked.length).toBe(3)
      } finally {
        tracker.close()
      }
    })
  })
}
