import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { accountOf, addTemplate, adjustmentOf, runOf, test } from './support/paying-network.ts'
import { expect } from './support/test.ts'

// Money on its whole way: from a period that ends to a transfer that came back and is paid again.

const PHONE = { width: 390, height: 844 }

/** Everything new is ticked, the lines are looked at, and the run is approved. */
async function approveOn(page: Page): Promise<void> {
  const news = page.getByRole('region', { name: 'What is new' })
  await expect(news.getByRole('checkbox').first()).toBeVisible()
  for (const box of await news.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: 'Show the files’ lines' }).click()
  await expect(page.getByRole('region', { name: 'What leaves' })).toContainText('1111000011')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('button', { name: /^Approve ₱/ }).click()
  await expect(page.getByRole('heading', { name: 'Approved' })).toBeVisible()
}

/** Downloads the first file of a run, and returns its text. */
async function takeOn(page: Page): Promise<string> {
  const files = page.getByRole('region', { name: 'Files' })
  await files.getByRole('button', { name: /^Download/ }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download file' }).click()
  return readFile(await (await download).path(), 'utf8')
}

/** Gives a bank's file to the page of a run, and takes it in. */
async function readOn(page: Page, lines: readonly string[]): Promise<void> {
  const results = page.getByRole('region', { name: 'Results' })
  const chooser = page.waitForEvent('filechooser')
  await results.getByRole('button', { name: 'Read result file' }).click()
  const buffer = Buffer.from(['Ref,Status,Amount,Why', ...lines, ''].join('\n'))
  await (await chooser).setFiles({ name: 'results.csv', mimeType: 'text/csv', buffer })
}

const importResults = (page: Page) => page.getByRole('button', { name: 'Import results' }).click()

test('three payees are paid after tax, with a part and a split; what comes back a week later is paid again @core', async ({
  network,
}) => {
  test.slow()
  const { superadmin, ann, bob, cat, dan } = network.staff
  const { manila, davao } = network.offices
  await superadmin.call('POST', '/api/pay/settings', {
    payees: 'offices',
    periodLength: 'beWeek',
    avp: 'information',
    minimumCentavos: 0,
    minimumCents: 0,
    bankTimeZone: 'Asia/Manila',
  })
  await addTemplate(superadmin, 'A bank', {
    columns: [
      { header: 'Ref', field: 'reference' },
      { header: 'Amount', field: 'amount' },
      { header: 'Account', field: 'accountNumber' },
      { header: 'Value date', field: 'date', dateStyle: 'YYYY-MM-DD' },
    ],
    channels: [
      { name: 'InstaPay', takes: 'any', currency: 'PHP', over: null, upTo: 5_000_00, split: true },
    ],
    results: {
      reference: 'Ref',
      status: 'Status',
      paid: ['Completed'],
      failed: ['Returned'],
      pending: ['Unclaimed'],
      beginsWith: false,
      amount: 'Amount',
      minorUnits: null,
      reason: 'Why',
      bankReference: null,
    },
  })
  const { id } = await davao.call<{ id: number }>(
    'PUT',
    '/api/pay/account',
    accountOf('4444000044'),
  )
  for (const who of [cat, dan])
    await who.call('POST', `/api/pay/accounts/${id}`, { confirm: true, reason: '' })
  for (const [payee, amount] of [
    [manila, 1_000_00],
    [davao, 4_000_00],
  ] as const)
    await ann.call('PUT', '/api/pay/adjustments', adjustmentOf(payee.id, amount))

  // The accountant withholds tax of one of them, which a second person approves.
  const balancePath = `/app/pay/balances/office/${manila.id}`
  const early = await superadmin.open(balancePath)
  await early.getByRole('button', { name: 'Enter tax details' }).click()
  const details = early.getByRole('dialog', { name: 'Tax details: Manila' })
  await details.getByLabel('Registered name').fill('Manila Leads Inc.')
  await details.getByRole('textbox', { name: 'Tax number' }).fill('123456789000')
  await details.getByLabel('Address').fill('5 Ayala Avenue, Makati City')
  await details.getByRole('button', { name: 'Save' }).click()
  await early.getByRole('button', { name: 'Withhold tax' }).click()
  const rate = early.getByRole('dialog', { name: 'Withholding tax: Manila' })
  await rate.getByLabel('Code').fill('WI515')
  await rate.getByLabel('Reason').fill('RR 11-2018')
  await rate.getByRole('button', { name: 'Ask a second person' }).click()
  await expect(early.getByText('10 % (WI515) from')).toBeVisible()
  const proposals = await bob.open('/app/pay/proposals')
  const asked = proposals.getByRole('region', { name: 'Withholding tax of Manila: 10 % (WI515)' })
  await asked.getByRole('button', { name: 'Approve' }).click()
  await proposals.getByRole('button', { name: 'Approve it' }).click()
  await expect(asked).toHaveCount(0)
  network.endOpen()

  // The accountant closes. The payee's statement says what was withheld, and what comes.
  const page = await superadmin.open(`/app/pay/periods/${network.open}`)
  await page.getByRole('button', { name: `Close ${network.open}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(`Type ${network.open}`).fill(network.open)
  await dialog.getByRole('button', { name: `Close ${network.open}` }).click()
  await expect(page.getByRole('link', { name: 'See the statements' })).toBeVisible()
  const phone = await manila.open(balancePath)
  await phone.setViewportSize(PHONE)
  await expect(phone.getByRole('table', { name: 'Withholding tax' })).toContainText('10 % (WI515)')
  await phone
    .getByRole('link', { name: new RegExp(`^${network.open}-0\\d+$`) })
    .first()
    .click()
  await expect(phone.getByText('Tax withheld 10 % of ₱1,000.00 (WI515)')).toBeVisible()
  await expect(phone.getByText('-₱100.00')).toBeVisible()
  await expect(phone.getByLabel('Sums').getByText('To pay')).toBeVisible()
  await expect(phone.getByText('₱9,900.00').first()).toBeVisible()

  // A run is prepared.
  await page.goto('/app/pay/runs/prepare')
  await page.getByRole('combobox', { name: 'Pay file' }).click()
  await page.getByRole('option', { name: 'A bank' }).click()
  const toPay = page.getByRole('region', { name: 'To pay' })
  await expect(toPay.getByRole('row', { name: /Manila/ })).toContainText(
    'In 2 transfers: ₱5,000.00, ₱4,900.00',
  )
  await toPay.getByRole('button', { name: 'Actions for Iloilo' }).click()
  await page.getByRole('menuitem', { name: 'Pay a part' }).click()
  const part = page.getByRole('dialog', { name: 'A part: Iloilo' })
  await part.getByLabel('Amount').fill('3000')
  await part.getByLabel('Reason').fill('The rest after the audit')
  await part.getByRole('button', { name: 'Pay this part' }).click()
  await expect(part).toHaveCount(0)
  await page.getByRole('button', { name: 'Prepare ₱16,900.00 to 3 payees' }).click()
  await page.waitForURL(/runs\/\d+$/)
  const path = new URL(page.url()).pathname
  const run = path.replace('/app', '')

  // Another person approves it, and takes the file with the day that it is where the bank is.
  const second = await bob.open(path)
  await approveOn(second)
  await phone.goto(balancePath)
  await expect(phone.getByText(/••0011 · approved/).first()).toBeVisible()
  const file = await takeOn(second)
  const { lines, bank } = await runOf(bob, run)
  expect(file.trimEnd().split('\r\n')).toEqual([
    'Ref,Amount,Account,Value date',
    ...lines.map(
      ({ reference, amount, payee }) =>
        `${reference},${(amount / 100).toFixed(2)},${{ Manila: '1111000011', Iloilo: '3333000033', Davao: '4444000044' }[payee.name]},${bank.today}`,
    ),
  ])
  await phone.reload()
  await expect(phone.getByText(/••0011 · sent/).first()).toBeVisible()

  // The bank's file has a transfer that is under way, and a line of somebody else.
  const row = (index: number, status: string, why = '') => {
    const { reference, amount } = lines[index]!
    return `${reference},${status},${(amount / 100).toFixed(2)},${why}`
  }
  const last = lines.length - 1
  await page.goto(path)
  await readOn(page, [
    ...lines.slice(0, last).map((_, index) => row(index, 'Completed')),
    row(last, 'Unclaimed'),
    'X1,Completed,1.50,',
  ])
  const results = page.getByRole('region', { name: 'Results' })
  await expect(results).toContainText('is still under way: Unclaimed')
  await results.getByRole('checkbox', { name: /without a reference of this run/ }).check()
  await importResults(page)
  await expect(page.getByText(`${last} paid, 0 failed`)).toBeVisible()
  await readOn(page, [row(last, 'Completed')])
  await importResults(page)
  await expect(results).toContainText('Every transfer has a result.')
  await phone.reload()
  await expect(phone.getByText(/••0011 · paid/).first()).toBeVisible()

  // A week later, one of Manila's two transfers comes back, and is owed again.
  network.pass(7)
  const back = lines.findIndex(({ payee, part: place }) => payee.name === 'Manila' && place === 2)
  const later = await superadmin.open(path)
  await readOn(later, [row(back, 'Returned', 'Account dormant')])
  await expect(later.getByRole('region', { name: 'Results' })).toContainText(
    'These were paid, and have come back',
  )
  await importResults(later)
  await expect(later.getByText('Account dormant').first()).toBeVisible()
  const own = await manila.open(balancePath)
  await own.setViewportSize(PHONE)
  await expect(own.getByText('Payment came back')).toBeVisible()
  await expect(own.getByText('₱4,900.00').first()).toBeVisible()

  // It is paid again, with the rest of Iloilo.
  await later.goto('/app/pay/runs/prepare')
  await later.getByRole('combobox', { name: 'Pay file' }).click()
  await later.getByRole('option', { name: 'A bank' }).click()
  await later.getByRole('button', { name: 'Prepare ₱9,900.00 to 2 payees' }).click()
  await later.waitForURL(/runs\/\d+$/)
  const again = new URL(later.url()).pathname
  const other = await bob.open(again)
  await expect(other.getByText(/Came back before: ₱4,900.00/)).toBeVisible()
  await approveOn(other)
  await own.reload()
  await expect(own.getByText(/••0011 · approved/).first()).toBeVisible()
  await takeOn(other)
  await own.reload()
  await expect(own.getByText(/••0011 · sent/).first()).toBeVisible()
  await later.reload()
  await later.getByRole('button', { name: 'All paid' }).click()
  await later
    .getByRole('dialog')
    .getByRole('button', { name: /^Mark .* as paid$/ })
    .click()
  await expect(later.getByText('2 paid, 0 failed')).toBeVisible()
  await own.reload()
  await expect(own.getByText('₱0.00').first()).toBeVisible()
  await expect(own.getByText(/••0011 · paid/).first()).toBeVisible()
})
