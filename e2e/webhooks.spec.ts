import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { publicNameOf } from '../apps/api/test/public-names.ts'
import { sellOne } from './support/one-sale.ts'
import { type Account, expect, test } from './support/test.ts'

// Agents for whom no other test sells.
const places = [
  { name: 'at a desk', agent: 'paolo', viewport: { width: 1280, height: 900 } },
  { name: 'on a phone', agent: 'angelica', viewport: { width: 390, height: 844 } },
]

for (const { name, agent, viewport } of places) {
  test.describe(name, () => {
    test.use({ account: 'superadmin' as Account, viewport })

    test(`a superadmin ${name} adds a webhook, sees in the queue that it fails, and sends again what failed`, async ({
      page,
      request,
      sessions,
    }) => {
      const got: { body: string; headers: IncomingHttpHeaders }[] = []
      let status = 503
      const program = createServer((asked, answer) => {
        void text(asked).then((body) => {
          got.push({ body, headers: asked.headers })
          answer.writeHead(status).end('at work')
        })
      })
      await new Promise<void>((done) => program.listen(0, '127.0.0.1', done))
      const { port } = program.address() as AddressInfo // a TCP server has such an address
      const host = publicNameOf(port)
      try {
        await page.goto('/app/settings/webhooks')
        await page.getByRole('link', { name: '+ Add Webhook' }).click()
        await page.getByRole('textbox', { name: 'Address' }).fill(`http://${host}/hook`)
        for (const kind of ['Bonus', 'Reversal', 'Partial refund']) {
          await page.getByRole('checkbox', { name: kind }).uncheck()
        }
        await page.getByRole('button', { name: 'Add Webhook' }).click()
        const shown = page.getByRole('status').filter({ hasText: 'Copy the secret now' })
        const secret = await shown.locator('code').innerText()
        await page.getByRole('link', { name: 'Open the webhook' }).click()
        await page.getByRole('button', { name: 'Send a test' }).click()
        await expect(page.getByText('Status 503')).toBeVisible()

        const { token } = await sessions.shared('superadmin')
        const { order } = await sellOne(request, token, agent)
        const about = (one: { body: string }) => one.body.includes(order)
        await expect.poll(() => got.filter(about).length).toBeGreaterThan(0)

        await page.goto('/app/settings/queue')
        // Others sell meanwhile, and the network hears of them, too.
        const again = page.getByRole('button', { name: `Try again: Sale to ${host}` })
        await expect(again.first()).toBeVisible()
        await expect(page.getByText('Status 503').first()).toBeVisible()
        status = 200
        await page.getByRole('button', { name: 'Try all again: deliveries' }).click()
        await expect(again).toHaveCount(0)
        const last = got.findLast(about)
        if (!last) throw new Error('nothing was posted')
        // The server's clock is not the machine's, with which the library's `verify` compares.
        const {
          'webhook-id': sent,
          'webhook-timestamp': at,
          'webhook-signature': signature,
        } = last.headers
        expect(signature).toBe(
          new Webhook(secret).sign(String(sent), new Date(Number(at) * 1000), last.body),
        )
        expect(JSON.parse(last.body)).toMatchObject({
          type: 'sale.recorded',
          data: { agent, transactionId: order },
        })

        await page.goto('/app/settings/webhooks')
        await page.getByRole('link', { name: host }).click()
        await expect(
          page.getByRole('region', { name: 'Sale, Delivered' }).filter({ hasText: order }),
        ).toBeVisible()
        await page.goto('/app/settings/webhooks')
        await page.getByRole('button', { name: `Delete ${host}` }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await expect(page.getByRole('link', { name: host })).toBeHidden()
      } finally {
        program.closeAllConnections()
        program.close()
      }
    })
  })
}
