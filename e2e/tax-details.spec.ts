import { quarterOf } from '../packages/domain/src/withholding.ts'
import { expect } from './support/test.ts'
import { adjustmentOf, test } from './support/paying-network.ts'

test.describe.configure({ mode: 'default' })

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

  // The network's are under Settings, in the same form.
  const settings = await ann.open('/app/settings/pay')
  const ofNetwork = settings.getByRole('region', { name: 'Tax details of the network' })
  await ofNetwork.getByRole('button', { name: 'Enter tax details' }).click()
  const form = settings.getByRole('dialog', { name: 'Tax details of the network' })
  await form.getByLabel('Registered name').fill('Harborline Marketing Inc.')
  await form.getByRole('textbox', { name: 'Tax number' }).fill('900800700')
  await form.getByLabel('Address').fill('1 Rizal Avenue, Manila')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(ofNetwork.getByText('900-800-700')).toBeVisible()

  const payee = await iloilo.open(path)
  await payee.setViewportSize({ width: 390, height: 844 })
  await expect(payee.getByText('123-456-789-000')).toBeVisible()
  await expect(payee.getByText('By ann')).toHaveCount(0)
  await expect(payee.getByRole('button', { name: 'Enter tax details' })).toHaveCount(0)
})

test('what is withheld needs a second person; statement, payee and certificate then name it', async ({
  network,
}) => {
  const { staff, offices, open, closeOpen } = network
  const { ann, bob } = staff
  const { davao } = offices
  const path = `/app/pay/balances/office/${davao.id}`
  const { changesFrom } = await ann.call<{ changesFrom: string }>(
    'GET',
    `/api/pay/balances/office/${davao.id}/tax-details`,
  )
  await ann.call('PUT', '/api/pay/tax-details', {
    kind: 'office',
    id: davao.id,
    fromDay: changesFrom,
    registeredName: 'Davao Leads Inc.',
    country: 'PH',
    taxNumber: '209441873000',
    address: '3 Claveria Street, Davao City',
  })
  await ann.call('PUT', '/api/pay/payer-details', {
    fromDay: changesFrom,
    registeredName: 'Harborline Inc.',
    country: 'PH',
    taxNumber: '900800700',
    address: '1 Rizal Avenue, Manila',
  })
  const page = await ann.open(path)
  await page.getByRole('button', { name: 'Withhold tax' }).click()
  const dialog = page.getByRole('dialog', { name: 'Withholding tax: Davao' })
  await dialog.getByLabel('Code').fill('wi515')
  await dialog.getByLabel('Reason').fill('RR 11-2018')
  await dialog.getByRole('button', { name: 'Ask a second person' }).click()
  await expect(page.getByText('10 % (WI515) from')).toBeVisible()

  const second = await bob.open('/app/pay/proposals')
  const card = second.getByRole('region', { name: 'Withholding tax of Davao: 10 % (WI515)' })
  await expect(card).toContainText('the network owes it to the tax office')
  await card.getByRole('button', { name: 'Approve' }).click()
  await second.getByRole('button', { name: 'Approve it' }).click()
  await expect(card).toHaveCount(0)

  await ann.call('PUT', '/api/pay/adjustments', adjustmentOf(davao.id, 500_00))
  await closeOpen()
  const payee = await davao.open(path)
  await payee.setViewportSize({ width: 390, height: 844 })
  await expect(payee.getByRole('table', { name: 'Withholding tax' })).toContainText('10 % (WI515)')
  await expect(payee.getByText('-₱50.00')).toBeVisible()
  await payee
    .getByRole('link', { name: /-0\d+$/ })
    .first()
    .click()
  await expect(payee.getByText('Tax withheld 10 % of ₱500.00 (WI515)')).toBeVisible()
  await expect(payee.getByText('₱450.00').first()).toBeVisible()
  const document = payee.getByRole('region', { name: 'Self-billed statement no. 1' })
  await expect(document).toContainText('Harborline Inc.')
  await expect(document).toContainText('Davao Leads Inc.')

  const periods = await ann.call<{ name: string; end: string }[]>('GET', '/api/pay/periods')
  const quarter = quarterOf(periods.find(({ name }) => name === open)?.end ?? '')
  const list = await ann.open(`/app/pay/withholding?quarter=${quarter}`)
  await list.getByRole('button', { name: 'Alphalist' }).click()
  const alphalist = list.getByRole('dialog', { name: /^Alphalist: / })
  await expect(alphalist).toContainText('Davao Leads Inc., WI515 at 10 %: a code of persons')
  await expect(alphalist.getByRole('button', { name: 'Download file' })).toBeDisabled()
  await alphalist.getByRole('button', { name: 'Cancel' }).click()
  const row = list.getByRole('row', { name: /Davao Leads Inc/ })
  for (const words of ['209-441-873-000', 'WI515, 10 %', '₱500.00', '₱50.00'])
    await expect(row).toContainText(words)
  const download = list.waitForEvent('download')
  await row.getByRole('button', { name: /^PDF: certificate/ }).click()
  expect((await download).suggestedFilename()).toMatch(/^tax-withheld_.*Davao-Leads-Inc\.pdf$/)
  await payee.goto(new URL(path, payee.url()).href)
  await expect(payee.getByRole('button', { name: /^PDF: certificate of Davao/ })).toBeVisible()
})
