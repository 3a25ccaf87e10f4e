import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { test } from './support/people.ts'
import { expect, password } from './support/test.ts'

const confirmAccount = async (page: Page) => {
  await page.goto('/app/pay/accounts')
  const card = page.getByRole('region', { name: 'Iloilo' })
  await expect(card.getByText('•••• 7890')).toBeVisible()
  await card.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByRole('button', { name: 'Confirm account' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('money goes from a balance to an account by several hands, and comes back if its transfer fails', async ({
  people,
  captchas,
}) => {
  test.slow()
  await captchas.owe('iloilo', 4_321_00)
  await captchas.addPayer('payer')
  await captchas.addPayer('treasurer')
  const superadmin = await people.seat('superadmin', '/app/home')
  const payer = await people.signIn('payer', password)
  await payer.waitForURL('**/app/home')

  // The office enters its account, with a letter among the digits first.
  const office = await people.signIn('iloilo', password)
  await office.waitForURL('**/app/home')
  await office.goto('/app/pay/account')
  await office.getByRole('combobox', { name: 'Bank' }).click()
  await office.getByRole('option', { name: /BPI/ }).click()
  await office.getByLabel('Account name').fill('Iloilo Sales')
  await office.getByLabel('Account number').fill('123456789O')
  await office.getByLabel('Account name').click()
  await expect(office.getByText('must have digits only')).toBeVisible()
  await office.getByLabel('Account number').fill('1234567890')
  await office.getByRole('button', { name: 'Save account' }).click()
  await expect(office.getByText('Waits for its confirmation')).toBeVisible()
  await expect(office.getByText('1234567890')).toHaveCount(0)

  // Staff signed in from the same address, so two people confirm it.
  await confirmAccount(superadmin)
  await expect(
    superadmin.getByText('It needs a second confirmation by somebody else'),
  ).toBeVisible()
  await confirmAccount(payer)
  await office.reload()
  await expect(office.getByText('Confirmed', { exact: true })).toBeVisible()

  await superadmin.goto('/app/pay/runs/prepare')
  const row = superadmin
    .getByRole('region', { name: 'To pay' })
    .getByRole('row', { name: /Iloilo/ })
  await expect(row).toContainText('₱4,321.00')
  await superadmin.getByRole('button', { name: /^Prepare ₱/ }).click()
  await superadmin.waitForURL(/runs\/\d+/)
  await expect(superadmin.getByText(/You prepared this run, so somebody else/)).toBeVisible()
  await expect(superadmin.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)

  // Whoever confirmed the account does not approve either.
  const url = superadmin.url()
  await payer.goto(url)
  await expect(payer.getByText(/You confirmed the account of Iloilo/)).toBeVisible()
  const treasurer = await people.signIn('treasurer', password)
  await treasurer.waitForURL('**/app/home')
  await treasurer.goto(url)
  await treasurer.getByRole('button', { name: 'Approve', exact: true }).click()
  await treasurer.getByRole('button', { name: 'Approve payments' }).click()

  const line = treasurer.getByRole('region', { name: 'Lines' }).getByRole('row', { name: /Iloilo/ })
  const reference = /P\d+R\d+N\d+/.exec((await line.textContent()) ?? '')?.[0] ?? ''
  await treasurer
    .getByRole('button', { name: /^Download R.*InstaPay/ })
    .first()
    .click()
  const download = treasurer.waitForEvent('download')
  await treasurer.getByRole('button', { name: 'Download file' }).click()
  const file = await readFile(await (await download).path(), 'latin1')
  expect(file).toContain(`${reference},BOPIPHMM,4321.00,Pay R`)
  expect(file).toContain(',1234567890,Iloilo Sales\r\n')
  await expect(treasurer.getByText('Waits for results')).toBeVisible()
  await expect(treasurer.getByRole('button', { name: 'Cancel run' })).toHaveCount(0)

  await treasurer.locator('input[type=file]').setInputFiles({
    name: 'results.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Ref,State,Note\r\n${reference},REJECTED,Account closed\r\n`),
  })
  const choose = async (label: string, heading: string) => {
    await treasurer.getByRole('combobox', { name: label, exact: true }).click()
    await treasurer.getByRole('option', { name: heading, exact: true }).click()
  }
  await choose('Reference', 'Ref')
  await choose('Status', 'State')
  await treasurer.getByLabel('Means paid').fill('CREDITED')
  await treasurer.getByLabel('Means failed').fill('REJECTED')
  await choose('Reason', 'Note')
  await expect(treasurer.getByText('0 paid, 1 failed.')).toBeVisible()
  await treasurer.getByRole('button', { name: 'Take results' }).click()
  await expect(line).toContainText('Failed')
  await expect(line).toContainText('Account closed')

  // The balance is owed again, and the next run would pay it.
  await superadmin.goto('/app/pay/runs/prepare')
  await expect(row).toContainText('₱4,321.00')
})

test('payment runs are closed to those who may not pay', async ({ people }) => {
  for (const account of ['admin2', 'manila', 'maria'] as const) {
    const page = await people.seat(account, '/app/pay/runs')
    await expect(page.getByText('You don’t have access to this page')).toBeVisible()
  }
})
