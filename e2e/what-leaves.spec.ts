import { addTemplate, approve, runOf, test } from './support/paying-network.ts'
import { expect } from './support/test.ts'

// What leaves for a bank: when, and in how many transfers.

test('payees get several transfers, and a file whose date has passed leaves with the date that is chosen for it', async ({
  network: { staff, pass },
}) => {
  const { superadmin, bob, cat } = staff
  await addTemplate(superadmin, 'Dated', {
    columns: [
      { header: 'Ref', field: 'reference' },
      { header: 'Amount', field: 'amount' },
      { header: 'Account', field: 'accountNumber' },
      { header: 'Value date', field: 'date', dateStyle: 'MM/DD/YYYY' },
    ],
    channels: [
      { name: 'InstaPay', takes: 'any', currency: 'PHP', over: null, upTo: 5_000_00, split: true },
    ],
  })
  const page = await superadmin.open('/app/pay/runs/prepare')
  await page.getByRole('combobox', { name: 'Pay file' }).click()
  await page.getByRole('option', { name: 'Dated' }).click()
  await expect(
    page.getByText(/The bank carries it out on \w{3}, .* \(day in America\/New_York\)/),
  ).toBeVisible()
  await expect(page.getByText('In 2 transfers: ₱5,000.00, ₱4,000.00')).toBeVisible()
  await page.getByRole('button', { name: 'Prepare ₱17,000.00 to 2 payees' }).click()
  await expect(page.getByText('2 payees, 4 transfers')).toBeVisible()
  await expect(page.getByRole('row', { name: /Manila .*P1R1N2/ })).toContainText(
    'Transfer 2 of 2, of ₱9,000.00',
  )
  await expect(page.getByText(/Execution date \w{3}, .* in America\/New_York/)).toBeVisible()
  const run = new URL(page.url()).pathname.replace('/app', '')
  await approve(bob, run)
  pass(3)

  const download = await cat.open(`/app${run}`)
  const files = download.getByRole('region', { name: 'Files' })
  await expect(files).toContainText('has passed in America/New_York. Choose a new one')
  await files.getByRole('button', { name: /^Download/ }).click()
  await download.getByRole('button', { name: 'Download file' }).click()
  await expect(files).toContainText(/cat chose \w{3}, .* because the approved date had passed/)
  await expect(files).toContainText('SHA-256 with this date')
  const [file] = (await runOf(cat, run)).files
  const { today } = (await runOf(cat, run)).bank
  expect(file).toMatchObject({ executionDay: today, needsDay: false, redated: { by: 'cat' } })
})
