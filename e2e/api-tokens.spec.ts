import { expect, type Page } from '@playwright/test'
import { test } from './support/people.ts'

/** The browser logs the 401 and 403 of calls that it makes with a token. */
test.use({ expectedConsole: [/status of (401|403)/] })

const phone = { width: 390, height: 844 }

for (const [account, may, call] of [
  ['superadmin', 'Read statements', '/api/pay/balances'],
  ['maria', 'Read figures', '/api/dashboard'],
] as const)
  for (const size of ['desktop', 'phone'] as const)
    test(`a token of the ${account}, made on a ${size}, makes a call until it is revoked`, async ({
      people,
      baseURL,
      request,
    }) => {
      const page = await people.seat(account, '/app/profile')
      if (size === 'phone') await page.setViewportSize(phone)
      const name = `Books of ${account} on a ${size}`
      const token = await create(page, name, may)
      const statusOf = async (path: string) =>
        (
          await request.get(`${baseURL}${path}`, { headers: { authorization: `Bearer ${token}` } })
        ).status()
      expect(await statusOf(call)).toBe(200)
      expect(await statusOf('/api/profile/sessions')).toBe(403)

      await page.reload()
      await expect(page.getByText(token)).toBeHidden()
      await expect(page.getByText(/^Last used .* from 127\.0\.0\.1/).first()).toBeVisible()
      await page.getByRole('button', { name: `Revoke ${name}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await expect(page.getByRole('button', { name: `Revoke ${name}` })).toBeHidden()
      expect(await statusOf(call)).toBe(401)
    })

async function create(page: Page, name: string, may: string): Promise<string> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('checkbox', { name: may }).check()
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = page.getByRole('alert').locator('code')
  await expect(token).toHaveText(/^tly_\w{38}$/)
  return token.innerText()
}
