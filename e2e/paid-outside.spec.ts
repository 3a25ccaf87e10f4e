import type { Balance } from '@tallyroom/contract/pay/balances/balances'
import { expect } from './support/test.ts'
import { accountOf, adjustmentOf, type PayingNetwork, test } from './support/paying-network.ts'

// Money that reaches a payee without a payment run.

test.describe.configure({ mode: 'default' })

const PHONE = { width: 390, height: 844 }

let isClosed = false

/** Closes the open period once. In it Davao, who has no account, and Iloilo get a bonus. */
async function close({
  staff: { ann },
  offices: { davao, iloilo },
  closeOpen,
}: Pick<PayingNetwork, 'staff' | 'offices' | 'closeOpen'>): Promise<void> {
  if (isClosed) return
  isClosed = true
  for (const [{ id }, amount] of [
    [davao, 500_00],
    [iloilo, 600_00],
  ] as const)
    await ann.call('PUT', '/api/pay/adjustments', adjustmentOf(id, amount))
  await closeOpen()
}

test('more than is owed is an advance, which the next statement takes back and names, and the payee gives back the rest', async ({
  network,
}) => {
  const { ann, bob } = network.staff
  const { iloilo } = network.offices
  const path = `/app/pay/balances/office/${iloilo.id}`
  const page = await ann.open(path)
  await page.getByRole('button', { name: 'Enter a payment outside' }).click()
  const dialog = page.getByRole('dialog', { name: 'Paid outside: Iloilo' })
  await dialog.getByLabel('Amount').fill('9000')
  await dialog.getByLabel('Taken back over how many statements').fill('4')
  await expect(dialog).toContainText('₱1,000.00 is an advance')
  await dialog.getByLabel('Voucher number').fill('A-1')
  await dialog.getByLabel('Reason').fill('School fees')
  await dialog.getByRole('button', { name: 'Ask a second person' }).click()

  const second = await bob.open('/app/pay/proposals')
  const card = second.getByRole('region', { name: '₱9,000.00 paid to Iloilo, voucher A-1' })
  await expect(card).toContainText('₱1,000.00 of it is an advance')
  await card.getByRole('button', { name: 'Approve' }).click()
  await second.getByRole('button', { name: 'Approve it' }).click()
  await expect(card).toHaveCount(0)

  await close(network)
  const payee = await iloilo.open(path)
  await payee.setViewportSize(PHONE)
  await expect(payee.getByRole('region', { name: 'Advances' })).toContainText(
    '₱250.00 of ₱1,000.00 was taken back. ₱750.00 is owed to the network.',
  )
  await payee
    .getByRole('link', { name: /-0\d+$/ })
    .first()
    .click()
  await expect(
    payee.getByText(/Instalment 1 of 4 of the advance of .*₱750.00 stays owed/),
  ).toBeVisible()
  await expect(payee.getByText('₱350.00').first()).toBeVisible()

  const later = await ann.open(path)
  await later.getByRole('button', { name: 'Enter money received' }).click()
  const back = later.getByRole('dialog', { name: 'Money received: Iloilo' })
  await expect(back).toContainText('₱750.00 ends the advance of')
  await back.getByLabel('Voucher number').fill('R-1')
  await back.getByLabel('Reason').fill('The fees were less')
  await back.getByRole('button', { name: 'Ask a second person' }).click()
  await expect(later.getByRole('region', { name: 'Waiting for a second person' })).toContainText(
    '₱750.00 received, entered by ann',
  )
  const decides = await bob.open('/app/pay/proposals')
  const received = decides.getByRole('region', {
    name: '₱750.00 received from Iloilo, voucher R-1',
  })
  await received.getByRole('button', { name: 'Approve' }).click()
  await decides.getByRole('button', { name: 'Approve it' }).click()
  await expect(received).toHaveCount(0)
  await payee.goto(path)
  await expect(payee.getByRole('region', { name: 'Advances' })).toContainText(
    '₱250.00 was taken back. ₱750.00 was given back.',
  )
  await expect(payee.getByText(/You paid back in cash on .*, voucher R-1/)).toBeVisible()
})

for (const size of ['desktop', 'phone'] as const)
  test(`cash paid to a payee without an account counts once a second person has approved it, ${size}`, async ({
    network,
  }) => {
    const { ann, bob } = network.staff
    const { davao } = network.offices
    const voucher = size === 'phone' ? 'V-118' : 'V-117'
    await close(network)
    const path = `/app/pay/balances/office/${davao.id}`
    const owed = async () => {
      const { balances } = await ann.call<Balance>('GET', `/api/pay/balances/office/${davao.id}`)
      return balances[0]?.balance ?? 0
    }
    const before = await owed()
    const page = await ann.open(path)
    if (size === 'phone') await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'Enter a payment outside' }).click()
    const dialog = page.getByRole('dialog', { name: 'Paid outside: Davao' })
    await dialog.getByLabel('Amount').fill('250')
    await dialog.getByLabel('Voucher number').fill(voucher)
    await dialog.getByLabel('Reason').fill('No account yet')
    await dialog.getByRole('button', { name: 'Ask a second person' }).click()
    const waiting = page.getByRole('region', { name: 'Waiting for a second person' })
    await expect(waiting).toContainText('₱250.00 paid outside payment runs, entered by ann')

    const name = `₱250.00 paid to Davao, voucher ${voucher}`
    await page.goto('/app/pay/proposals')
    const own = page.getByRole('region', { name })
    await expect(own).toContainText('You entered it, so somebody else must approve it.')
    await expect(own.getByRole('button', { name: 'Approve' })).toHaveCount(0)

    const second = await bob.open('/app/pay/proposals')
    if (size === 'phone') await second.setViewportSize(PHONE)
    const card = second.getByRole('region', { name })
    await card.getByRole('button', { name: 'Approve' }).click()
    await second.getByRole('button', { name: 'Approve it' }).click()
    await expect(card).toHaveCount(0)

    const payee = await davao.open(path)
    if (size === 'phone') await payee.setViewportSize(PHONE)
    await expect(
      payee.getByText(new RegExp(`Paid in cash on \\d+ \\w+, voucher ${voucher}`)),
    ).toBeVisible()
    await expect(payee.getByText('No account yet').first()).toBeVisible()
    expect(await owed()).toBe(before - 250_00)
  })

test('a balance in a currency that its payee has left is converted by two people', async ({
  network: { staff, offices },
}) => {
  const { ann, bob, superadmin, dan } = staff
  const { cebu } = offices
  const path = `/app/pay/balances/office/${cebu.id}`
  const { id } = await cebu.call<{ id: number }>(
    'PUT',
    '/api/pay/account',
    accountOf('4444000044', 'PHP'),
  )
  for (const who of [superadmin, dan])
    await who.call('POST', `/api/pay/accounts/${id}`, { confirm: true, reason: '' })

  const page = await ann.open(path)
  const former = page.getByRole('region', { name: 'Former balance in dollars' })
  const dollars = (await former.getByText(/^\$/).textContent()) ?? ''
  await expect(former).toContainText('payments are in pesos now, so no run pays it.')
  await former.getByRole('button', { name: 'Convert to pesos' }).click()
  const dialog = page.getByRole('dialog', { name: `Convert ${dollars} of Cebu` })
  await dialog.getByLabel('Pesos for a dollar').fill('57.5')
  await dialog.getByLabel('Source').fill('Central bank')
  const becomes = /becomes (₱[\d,.]+) in pesos/
  const [, pesos = ''] = becomes.exec((await dialog.getByText(becomes).textContent()) ?? '') ?? []
  await dialog.getByRole('button', { name: 'Ask a second person' }).click()
  await expect(page.getByRole('region', { name: 'Waiting for a second person' })).toContainText(
    `${dollars} to be converted, entered by ann`,
  )

  const second = await bob.open('/app/pay/proposals')
  const card = second.getByRole('region', { name: `${dollars} of Cebu converted` })
  await expect(card).toContainText(`to ${pesos} at ₱57.50 for $1`)
  await card.getByRole('button', { name: 'Approve' }).click()
  await second.getByRole('button', { name: 'Approve it' }).click()
  await expect(card).toHaveCount(0)

  for (const size of [null, PHONE]) {
    const payee = await cebu.open(path)
    if (size) await payee.setViewportSize(size)
    await expect(payee.getByText('Converted at ₱57.50 for $1')).toHaveCount(2)
    await expect(payee.getByText(`+${pesos}`)).toBeVisible()
    await expect(payee.getByRole('region', { name: 'Former balance in dollars' })).toHaveCount(0)
  }
})
