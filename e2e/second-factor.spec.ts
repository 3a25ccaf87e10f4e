import type { Page } from '@playwright/test'
import { authenticatorOf } from '../apps/api/test/authenticator-app.ts'
import { now } from './support/day.ts'
import { test } from './support/people.ts'
import { expect, password } from './support/test.ts'

/** The browser logs the 422 of refused codes, and the 403 that asks for a factor. */
test.use({ expectedConsole: [/status of 422/, /status of 403/] })

test('an authenticator app is added, asked for at the next sign-in, and removed', async ({
  people,
  captchas,
}) => {
  await captchas.addColleague('two-steps', 'pay')
  const page = await people.signIn('two-steps', password)
  await expect(page).toHaveURL(/\/app\/home$/)
  await page.goto('/app/profile')
  const codes = await addApp(page)
  expect(codes.recovery).toHaveLength(10)

  const elsewhere = await people.signIn('two-steps', password)
  await enter(elsewhere, '000000')
  await expect(elsewhere.getByText('This is wrong, or was used before')).toBeVisible()
  await enter(elsewhere, codes.next)
  await expect(elsewhere).toHaveURL(/\/app\/home$/)

  const [one = '', other = ''] = codes.recovery
  const third = await people.signIn('two-steps', password)
  await enter(third, one)
  await expect(third).toHaveURL(/\/app\/home$/)
  await third.goto('/app/profile')
  await expect(third.getByText('9 recovery codes are left')).toBeVisible()
  await third.getByRole('button', { name: 'Make new codes' }).click()
  await third.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click()
  const asked = third.getByRole('dialog', { name: 'Confirm with your second factor' })
  await expect(asked.getByText('your account approves nothing about money')).toBeVisible()
  await asked.getByLabel(/^Code/).fill(other)
  await asked.getByRole('button', { name: 'Continue' }).click()
  const made = third.getByRole('alert').filter({ hasText: 'Keep these recovery codes' })
  await expect(made.locator('code')).toHaveCount(10)
  const next = await made.locator('code').first().innerText()
  await third.getByRole('button', { name: 'Remove the authenticator app' }).click()
  const dialog = third.getByRole('dialog')
  await dialog.getByLabel(/^Password/).fill(password)
  await dialog.getByLabel(/^Code/).fill(next)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(third.getByRole('button', { name: 'Add an authenticator app' })).toBeVisible()

  const last = await people.signIn('two-steps', password)
  await expect(last).toHaveURL(/\/app\/home$/)
})

async function enter(page: Page, code: string) {
  await page.getByLabel(/^Code/).fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Adds an app by its present code. The next one is good, too, as a phone's clock may be off. */
async function addApp(page: Page): Promise<{ recovery: string[]; next: string }> {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  const key = (await dialog.locator('code').innerText()).replaceAll(' ', '')
  const code = authenticatorOf(key, { peek: now })
  await dialog.getByLabel(/^Code/).fill(code())
  await dialog.getByRole('button', { name: 'Add' }).click()
  const shown = page.getByRole('alert').filter({ hasText: 'Keep these recovery codes' })
  await expect(shown).toBeVisible()
  return { recovery: await shown.locator('code').allInnerTexts(), next: code(1) }
}
