import { expect } from './support/test.ts'
import { test } from './support/paying-network.ts'

test.describe.configure({ timeout: 60_000 })

test('staff enter a payee’s tax details, a wrong tax number says why, and the payee reads them', async ({
  network: { staff, offices },
}) => {
  const { ann } = staff
  const { iloilo } = offices
  const path = `/app/pay/balances/office/${iloilo.id}`
  const page = await ann.open(path)
  await page.getByRole('button', { name: 'Enter tax details' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tax details: Iloilo' })
  await dialog.getByLabel('Registered name').fill('Iloilo Leads Inc.')
  await dialog.getByRole('textbox', { name: 'Tax number' }).fill('12345678901')
  await dialog.getByLabel('Address').fill('5 Iznart Street, Iloilo City')
  await expect(dialog.getByText(/not 11/)).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Tax number' }).fill('123456789000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('123-456-789-000')).toBeVisible()

  const payee = await iloilo.open(path)
  await payee.setViewportSize({ width: 390, height: 844 })
  await expect(payee.getByText('123-456-789-000')).toBeVisible()
  await expect(payee.getByText('By ann')).toHaveCount(0)
  await expect(payee.getByRole('button', { name: 'Enter tax details' })).toHaveCount(0)
})
