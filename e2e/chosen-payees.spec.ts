import type { Page } from '@playwright/test'
import { accountOf, adjustmentOf, approve, runOf, test } from './support/paying-network.ts'
import { expect } from './support/test.ts'

// Whom a payment run pays, and how much of a balance.

test.describe.configure({ mode: 'default' })

const PHONE = { width: 390, height: 844 }

const toPay = (page: Page) => page.getByRole('region', { name: 'To pay' })
/** A row, or a card on a phone. */
const of = (page: Page, name: string) =>
  toPay(page).getByRole(page.viewportSize()?.width === PHONE.width ? 'listitem' : 'row', { name })

async function payPart(page: Page, name: string, amount: string, reason: string): Promise<void> {
  await toPay(page)
    .getByRole('button', { name: `Actions for ${name}` })
    .click()
  await page.getByRole('menuitem', { name: 'Pay a part' }).click()
  const dialog = page.getByRole('dialog', { name: `A part: ${name}` })
  await dialog.getByLabel('Amount').fill('99999')
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: 'Pay this part' }).click()
  await expect(dialog.getByText(/must be less than/)).toBeVisible()
  await dialog.getByLabel('Amount').fill(amount)
  // A second click at once is taken for a double click.
  await expect(async () => {
    if (await dialog.isVisible())
      await dialog.getByRole('button', { name: 'Pay this part' }).click({ timeout: 1_000 })
    await expect(dialog).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
}

test('three payees are chosen, one of them gets a part, and the next run pays the rest', async ({
  network: { staff, offices, person, closeOpen },
}) => {
  const { superadmin, ann, bob, cat, dan } = staff
  const { davao, iloilo } = offices
  // A fourth payee in pesos, besides Manila, Iloilo and Davao.
  const first = { password: 'a first password', passwordConfirm: 'a first password' }
  const makati = await superadmin.call<{ id: number }>('PUT', '/api/offices', {
    officeName: 'Makati',
    manFirstName: 'Ana',
    manLastName: 'Cruz',
    username: 'makati',
    ...first,
  })
  const accounts = [
    [davao, '4444000044'],
    [await person('makati', first.password), '5555000055'],
  ] as const
  for (const [payee, number] of accounts) {
    const path = '/api/pay/account'
    const { id } = await payee.call<{ id: number }>('PUT', path, accountOf(number))
    for (const who of [cat, dan])
      await who.call('POST', `/api/pay/accounts/${id}`, { confirm: true, reason: '' })
  }
  for (const id of [davao.id, makati.id])
    await ann.call('PUT', '/api/pay/adjustments', adjustmentOf(id, 6_000_00))
  await closeOpen()

  // Of four payees, Makati is left out, and Iloilo gets a part.
  const page = await superadmin.open('/app/pay/runs/prepare')
  await page.setViewportSize({ width: 1440, height: 900 })
  await of(page, 'Makati').getByRole('checkbox').uncheck()
  await payPart(page, 'Iloilo', '3000', 'The rest after the audit')
  await expect(of(page, 'Iloilo')).toContainText('₱3,000.00Of ₱8,000.00')
  await page.getByRole('button', { name: 'Prepare ₱18,000.00 to 3 payees' }).click()
  await expect(
    page.getByRole('region', { name: 'Lines' }).getByRole('row', { name: /Iloilo/ }),
  ).toContainText('A part of ₱8,000.00: The rest after the audit')
  await expect(page.getByRole('row', { name: /Makati/ })).toContainText('Not chosen')
  const run = new URL(page.url()).pathname.replace('/app', '')

  // The second person reads the reason, and approves.
  const second = await bob.open(`/app${run}`)
  await expect(second.getByText('A part of ₱8,000.00: The rest after the audit')).toBeVisible()
  await approve(bob, run)
  for (const { name } of (await runOf(bob, run)).files)
    await superadmin.fetch('POST', `/api${run}/file`, { name })
  await superadmin.call('POST', `/api${run}/results`, { allPaid: true })

  const balance = await iloilo.open(`/app/pay/balances/office/${iloilo.id}`)
  await expect(balance.getByText(/a part of the balance · to .* · paid/)).toBeVisible()

  // On a phone, the next run pays the rest, and Makati a part.
  const phone = await superadmin.open('/app/pay/runs/prepare')
  await phone.setViewportSize(PHONE)
  await payPart(phone, 'Makati', '1000.50', 'Half of it is disputed')
  await phone.getByRole('button', { name: 'Prepare ₱6,000.50 to 2 payees' }).click()
  await phone.waitForURL(/runs\/\d+$/)
  const next = new URL(phone.url()).pathname.replace('/app', '')
  expect((await runOf(bob, next)).lines).toMatchObject([
    { payee: { name: 'Iloilo' }, amount: 5_000_00, partOf: null },
    { payee: { name: 'Makati' }, amount: 1_000_50, partOf: { balance: 6_000_00 } },
  ])
  await approve(bob, next)
})
