import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { moneyText } from '../packages/contract/src/pay/statements/statement-sections.ts'
import { lastPeriod } from './support/pages.ts'
import { callsOf, merchantOf, pathOf } from './support/selling.ts'
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

/** Again and again: before the page can disable the button, and while its dialog fades. */
const hammer = (button: Locator) =>
  button.evaluate(async (element: HTMLElement) => {
    for (let clicks = 0; clicks < 20; clicks++) {
      element.click()
      element.click()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })

/** The rows of a payee in the list of statements, newest first: number, sums and state. */
async function figuresOf(page: Page, payee: string): Promise<string[]> {
  await page
    .getByRole('row', { name: new RegExp(payee) })
    .first()
    .waitFor()
  const rows = await page.getByRole('row', { name: new RegExp(payee) }).allTextContents()
  // The state may change later; figures don't.
  return rows.map((row) => row.match(/\d{4}-\d\d-[AB]-\d{4}|-?₱[\d,]+\.\d\d/g)?.join(' ') ?? '')
}

/** Where the remedy of a payee who would not be paid leads. */
const remedies: Partial<Record<string, RegExp>> = {
  'Open the hold': /pay\/balances\/office\/\d+$/,
  'Give it a minimum of its own': /pay\/balances\/office\/\d+$/,
  'Open the accounts': /pay\/accounts$/,
  'Finish that run': /pay\/runs$/,
  'Change the template': /settings\/pay-files$/,
}

/** Each check leads to a page about what it names: a payee, an agent, or a site's postbacks. */
async function expectLeads(page: Page, checks: Locator) {
  const links = checks.getByRole('listitem').getByRole('link')
  await links.first().waitFor()
  for (let index = 0; index < (await links.count()); index++) {
    const name = (await links.nth(index).textContent())?.replace(/^put (.+) on hold$/, '$1') ?? ''
    if (name.startsWith('Hold back')) continue
    const site = /^\d+ /.test(name)
    const remedy = remedies[name]
    await links.nth(index).click()
    if (remedy) await page.waitForURL(remedy)
    else
      await expect(
        page.getByRole('heading', site ? { name: 'Postbacks' } : { name, exact: true }),
      ).toBeVisible()
    await page.goBack()
    await links.first().waitFor()
  }
}

test.describe('sales that are marked for fraud', () => {
  test.use({ account: 'superadmin' })

  test('are held back by an adjustment that is filled in, once, instead of holding their whole office', async ({
    page,
  }) => {
    await page.goto(`/app/pay/periods/${lastPeriod.name}`)
    const checks = page.getByRole('region', { name: 'Before you close' })
    const hold = checks.getByRole('link', { name: /^Hold back ₱/ }).first()
    const [amount = ''] = /[\d,]+\.\d\d/.exec((await hold.textContent()) ?? '') ?? []
    await hold.click()
    const dialog = page.getByRole('dialog', { name: /^Adjust / })
    await expect(dialog.getByLabel('Amount')).toHaveValue(`-${amount.replaceAll(',', '')}`)
    await expect(dialog.getByLabel('Reason')).toHaveValue(
      new RegExp(`^Held back until the sales of \\w+ in ${lastPeriod.name} are checked$`),
    )
    await dialog.getByRole('button', { name: /^(Add the adjustment|Ask a second person)$/ }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(/Held back until the sales of/).first()).toBeVisible()
    await expect(page).not.toHaveURL(/holdBack/)

    await page.goBack()
    await checks
      .getByRole('link', { name: `Hold back ₱${amount}` })
      .first()
      .click()
    await expect(page.getByRole('heading', { name: 'Adjustments' })).toBeVisible()
    await expect(page.getByText(/Held back until the sales of/).first()).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

test('a period is closed, shown to those who earned in it, and paid by several people', async ({
  people,
  captchas,
}) => {
  test.slow()
  const { name, end } = lastPeriod
  const reversed = await captchas.chargeBack('iloilo', end)
  await captchas.addColleague('treasurer', 'pay')
  const office = await people.signIn('iloilo', password)
  await office.waitForURL('**/app/home')
  const superadmin = await people.seat('superadmin', `/app/pay/statements`)
  const payer = await people.seat('admin', '/app/home')

  // The statements of the periods that are already closed, before the test changes anything.
  const closedBefore = await figuresOf(superadmin, 'Iloilo')
  expect(closedBefore).toHaveLength(2)

  // Checks and preview, then the period's name is typed.
  await superadmin.goto(`/app/pay/periods/${name}`)
  await expect(superadmin.getByRole('heading', { name: 'Before you close' })).toBeVisible()
  await expectLeads(superadmin, superadmin.getByRole('region', { name: 'Before you close' }))
  const preview = superadmin.getByRole('region', { name: 'Preview' })
  await preview.getByRole('link', { name: 'Iloilo' }).click()
  await expect(superadmin.getByText('Nothing is saved yet.')).toBeVisible()
  await superadmin.goBack()
  await superadmin.getByRole('button', { name: `Close ${name}` }).click()
  const dialog = superadmin.getByRole('dialog')
  await dialog.getByLabel(`Type ${name}`).waitFor()
  const open = dialog.getByLabel('Close without these postbacks')
  if (await open.isVisible()) await open.check()
  await dialog.getByLabel(`Type ${name}`).fill(`${name}x`)
  await expect(dialog.getByRole('button', { name: /^Close 20/ })).toBeDisabled()
  await dialog.getByLabel(`Type ${name}`).fill(name)
  await dialog.getByRole('button', { name: /^Close 20/ }).click()
  await superadmin.getByRole('link', { name: 'See the statements' }).click()

  // The chargeback came two weeks late, so it is on this statement, and earlier ones are unchanged.
  await superadmin
    .getByRole('link', { name: /Iloilo/ })
    .first()
    .waitFor()
  await superadmin.goto('/app/pay/statements')
  const figures = await figuresOf(superadmin, 'Iloilo')
  expect(figures).toHaveLength(3)
  expect(figures.slice(1)).toEqual(closedBefore)
  await superadmin
    .getByRole('row', { name: /Iloilo/ })
    .first()
    .getByRole('link')
    .first()
    .click()
  await expect(
    superadmin
      .getByRole('row')
      .filter({ hasText: `-${moneyText(reversed, 'PHP')}` })
      .first(),
  ).toBeVisible()

  // The office has the same figures, and an agent the agent's own lines.
  await office.goto('/app/pay/statements')
  await expect(office.getByRole('row', { name: new RegExp(`^${name}-`) })).toHaveCount(1)
  const manila = await people.seat('manila', '/app/pay/statements')
  await expect(manila.getByRole('row', { name: new RegExp(`^${name}-`) })).toHaveCount(1)
  await expect(manila.getByText('Iloilo')).toHaveCount(0)
  const maria = await people.seat('maria', '/app/pay/statements')
  await maria
    .getByRole('row', { name: new RegExp(`^${name}-`) })
    .getByRole('link')
    .first()
    .click()
  await expect(maria.getByText('These are your lines of your office’s statement')).toBeVisible()
  await expect(maria.getByText('jose')).toHaveCount(0)

  // New accounts are paid at once, so that this one is paid today.
  await superadmin.goto('/app/settings/pay')
  await superadmin.getByLabel('Waiting days').fill('0')
  await superadmin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(superadmin.getByText('See the periods')).toBeVisible()

  // First, the office enters its account with a letter among the digits.
  await office.goto('/app/pay/account')
  await office.getByRole('combobox', { name: 'Bank' }).click()
  await office.getByRole('option', { name: /BPI/ }).click()
  await office.getByLabel('Account name').fill('Iloilo Sales')
  await office.getByLabel('Account number').fill('123456789O')
  await office.getByLabel('Account name').click()
  await expect(office.getByText('must have digits only')).toBeVisible()
  await office.getByLabel('Account number').fill('1234567890')
  await office.getByRole('button', { name: 'Save account' }).click()
  await expect(office.getByText('Waiting for confirmation')).toBeVisible()
  await expect(office.getByText('1234567890')).toHaveCount(0)

  // Staff signed in from the same address, so two people confirm it.
  await confirmAccount(superadmin)
  await expect(
    superadmin.getByText('You confirmed this account, so somebody else must decide.'),
  ).toBeVisible()
  await confirmAccount(payer)
  await office.reload()
  await expect(office.getByText('Confirmed', { exact: true })).toBeVisible()

  await superadmin.goto('/app/pay/runs/prepare')
  const row = superadmin
    .getByRole('region', { name: 'To pay' })
    .getByRole('row', { name: /Iloilo/ })
  await expect(row).toContainText('₱')
  const owed = /₱([\d,]+\.\d\d)/.exec((await row.textContent()) ?? '')?.[1] ?? ''
  await superadmin.getByRole('button', { name: /^Prepare ₱/ }).click()
  await superadmin.waitForURL(/runs\/\d+/)
  await expect(superadmin.getByText(/You prepared this run, so somebody else/)).toBeVisible()
  await expect(superadmin.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)

  // Nor does anybody approve who confirmed an account.
  const url = superadmin.url()
  await payer.goto(url)
  await expect(
    payer.getByText(/^You confirmed the account of Iloilo .* can: (.*, )?treasurer(, .*)?\.$/),
  ).toBeVisible()
  const treasurer = await people.signIn('treasurer', password)
  await treasurer.waitForURL('**/app/home')
  await treasurer.goto(url)
  const otherTab = await treasurer.context().newPage()
  await otherTab.goto(url)
  for (const page of [otherTab, treasurer]) {
    // Everything new is ticked, and the lines are looked at with whole account numbers.
    const button = page.getByRole('button', { name: 'Approve', exact: true })
    await expect(button).toBeDisabled()
    const news = page.getByRole('region', { name: 'What is new' })
    await expect(news.getByText('First payment').first()).toBeVisible()
    for (const box of await news.getByRole('checkbox').all()) await box.check()
    await expect(button).toBeDisabled()
    await page.getByRole('button', { name: 'Show the files’ lines' }).click()
    await expect(page.getByRole('region', { name: 'What leaves' })).toContainText('1234567890')
    await button.click()
  }
  await hammer(treasurer.getByRole('button', { name: /^Approve ₱/ }))
  await expect(treasurer.getByRole('heading', { name: 'Approved' })).toBeVisible()
  await expect(treasurer.getByText('Something Went Wrong')).toHaveCount(0)
  // A tab with the same form does nothing more, and learns what became of the run.
  await otherTab.getByRole('button', { name: /^Approve ₱/ }).click()
  await expect(otherTab.getByRole('heading', { name: 'Approved' })).toBeVisible()
  await otherTab.close()

  const line = treasurer.getByRole('region', { name: 'Lines' }).getByRole('row', { name: /Iloilo/ })
  const reference = /P\d+R\d+N\d+/.exec((await line.textContent()) ?? '')?.[0] ?? ''
  await treasurer
    .getByRole('button', { name: /^Download R.*InstaPay/ })
    .first()
    .click()
  const download = treasurer.waitForEvent('download')
  await treasurer.getByRole('button', { name: 'Download file' }).click()
  const file = await readFile(await (await download).path(), 'latin1')
  // The bytes are those that were approved.
  const sha256 = createHash('sha256').update(file, 'latin1').digest('hex')
  await expect(treasurer.getByRole('region', { name: 'Files' })).toContainText(sha256)
  expect(file).toContain(`${reference},BOPIPHMM,${owed.replaceAll(',', '')},Pay R`)
  expect(file).toContain(',1234567890,Iloilo Sales\r\n')
  await expect(treasurer.getByText('Waiting for results')).toBeVisible()
  // Whoever goes on with the run sees that this file left, and is warned before it leaves again.
  const files = treasurer.getByRole('region', { name: 'Files' })
  await expect(files.getByText(/^Downloaded \d{4}-.* by treasurer$/)).toHaveCount(1)
  await files.getByRole('button', { name: /^Download again: R.*InstaPay/ }).click()
  const warning = treasurer.getByRole('dialog', { name: /^Download again: R/ })
  await expect(warning).toContainText('If your bank gets it twice, it may pay twice.')
  await warning.getByRole('button', { name: 'Cancel' }).click()
  await expect(treasurer.getByRole('button', { name: 'Cancel run' })).toHaveCount(0)

  await treasurer.locator('input[type=file]').setInputFiles({
    name: 'results.csv',
    mimeType: 'text/csv',
    // Banks repeat headings, or leave them empty. The template knows the column of amounts from the file before.
    buffer: Buffer.from(
      `Ref,State,Note,Amount,,Fee,Fee,\r\n${reference},REJECTED,Account closed,"${owed}",,1,2,\r\n`,
    ),
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
  await treasurer.getByRole('button', { name: 'Import results' }).click()
  await expect(line).toContainText('Failed')
  await expect(line).toContainText('Account closed')

  // Its history says who did what.
  await superadmin.goto(url)
  await superadmin.getByRole('link', { name: 'History' }).click()
  const history = superadmin.getByRole('region', { name: 'History' })
  for (const [what, who] of [
    [/^Entered results of R-|^Read a bank’s result file/, 'treasurer'],
    [/^Downloaded the payment file R/, 'treasurer'],
    [/^Approved R-/, 'treasurer'],
    [/^Prepared R-/, 'superadmin'],
  ] as const) {
    const entry = history.getByRole('row', { name: who }).filter({ hasText: what })
    await expect(entry.first()).toBeVisible()
  }

  // The balance is owed again, and the next run would pay it.
  await superadmin.goto('/app/pay/runs/prepare')
  await expect(row).toContainText(`₱${owed}`)
})

test('the sum of a statement’s line opens its bookings', async ({ people }) => {
  const openFirst = async (page: Page) => {
    const sum = page.getByRole('link', { name: /^Sum, .*what it is made of$/ }).first()
    const text = await sum.textContent()
    await sum.click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByText(/^The sum of \d+ booking/)).toBeVisible()
    await expect(drawer.getByText(text ?? '', { exact: true }).first()).toBeVisible()
    return drawer
  }
  const staff = await people.seat('superadmin', '/app/pay/statements')
  await staff
    .getByRole('row', { name: /Manila/ })
    .first()
    .getByRole('link')
    .first()
    .click()
  const drawer = await openFirst(staff)
  const url = staff.url()
  await drawer
    .getByRole('region', { name: 'Event by event' })
    .getByRole('link', { name: /^(Sale|Bonus|Day#)/ })
    .first()
    .click()
  await staff.waitForURL('**/app/sales/**')
  await staff.goBack()
  await expect(drawer).toBeVisible()
  await staff.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(staff).not.toHaveURL(/line=/)

  // The payee opens the same line with the same URL; another office can't.
  const manila = await people.seat('manila', url)
  await expect(manila.getByRole('dialog').getByText(/^The sum of \d+ booking/)).toBeVisible()
  const statement = new URL(url).pathname
  const iloilo = await people.signIn('iloilo', password)
  await iloilo.waitForURL('**/app/home')
  await iloilo.goto(statement)
  await expect(iloilo.getByRole('alert')).toContainText('This statement was not found')

  await manila.setViewportSize({ width: 390, height: 844 })
  await manila.goto(statement)
  const sheet = await openFirst(manila)
  const box = await sheet.boundingBox()
  expect(box?.width).toBeLessThanOrEqual(390)
})

test('an adjustment is added once, however often its button is clicked', async ({ people }) => {
  const page = await people.seat('superadmin', '/app/pay/balances')
  await page.getByRole('link', { name: 'Davao' }).first().click()
  await page.getByRole('button', { name: 'Add an adjustment' }).click()
  await page.getByLabel('Amount').fill('1.00')
  await page.getByRole('textbox', { name: 'Reason' }).fill('Clicked\ntwice')
  await hammer(page.getByRole('button', { name: 'Add the adjustment' }))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const rows = page.getByRole('region', { name: 'Adjustments' }).getByRole('row')
  await expect(rows.filter({ hasText: 'Clicked twice' })).toHaveCount(1)
  await page.reload()
  await expect(rows.filter({ hasText: 'Clicked twice' })).toHaveCount(1)
})

test('a bank template that no run has used is deleted; its history stays', async ({ people }) => {
  const page = await people.seat('superadmin', '/app/settings/pay-files')
  await expect(page.getByText(/^Used by R-.* so it can’t be deleted\.$/)).toBeVisible()
  await page.getByRole('button', { name: '+ Add Template' }).click()
  await page.getByRole('textbox', { name: 'Name' }).first().fill('Our other bank')
  await page.getByRole('button', { name: 'Add template', exact: true }).click()
  const template = page.getByRole('combobox', { name: 'Template' })
  await expect(template).toHaveValue('Our other bank')
  const history = await page.getByRole('link', { name: 'History' }).getAttribute('href')

  await page.getByRole('button', { name: 'Delete template' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('No payment run has used this template.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(template).not.toHaveValue('Our other bank')
  await template.click()
  await expect(page.getByRole('option', { name: 'Batch transfer' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Our other bank' })).toHaveCount(0)

  await page.goto(history ?? '')
  const entries = page.getByRole('region', { name: 'History' }).locator('tbody tr')
  await expect(entries.nth(0)).toContainText('Deleted the bank file template Our other bank')
  await expect(entries.nth(1)).toContainText('Added the bank file template Our other bank')
  await expect(entries.nth(0)).toContainText('superadmin')
})

test.describe('an agent with unpaid money', () => {
  // The two refusals, and the agent's page after the deletion.
  test.use({ expectedConsole: [/status of (404|422)/] })

  test('is deleted once their amount is typed', async ({ people, captchas, request, sessions }) => {
    const { token } = await sessions.shared('superadmin')
    const api = callsOf(request, token)
    const offices = await api<{ id: number; officeName: string }[]>('/api/companies')
    const sites = await api<{ id: number; sitename: string }[]>('/api/sites')
    // Its sales are paid by rates. By tier, a first one pays nothing.
    const siteId = sites.find(({ sitename }) => sitename === 'Moonroom')?.id ?? 0
    const types = await api<{ id: number; active: boolean }[]>(`/api/types/${siteId}/by-site`)
    const typeId = types.find(({ active }) => active)?.id ?? 0
    const put = (path: string, data: object) =>
      request.put(path, { headers: { authorization: `Bearer ${token}` }, data })
    const added = await put('/api/agents', {
      officeId: offices.find(({ officeName }) => officeName === 'Davao')?.id,
      username: 'leaving',
      firstName: 'Lea',
      lastName: 'Ving',
      password: 'a-first-password',
      passwordConfirm: 'a-first-password',
      siteIds: [siteId],
    })
    expect(added.status()).toBe(200)
    const { id: agentId } = (await added.json()) as { id: number }
    const waiting = await api<{ id: number; agentId: number }[]>('/api/accounts/unapproved')
    const account = waiting.find((one) => one.agentId === agentId)
    expect((await put('/api/accounts/approve', { ids: [account?.id] })).status()).toBe(200)
    const link = pathOf({ siteId, typeId, agentId })
    const head = () => request.head(link, { maxRedirects: 0 })
    await expect.poll(async () => (await head()).status()).toBe(302)
    const click = await request.get(link, { maxRedirects: 0 })
    const merchant = await merchantOf(api, request, siteId)
    const clickId = merchant.clickIdOf(click.headers()['location'])
    expect((await merchant.report({ clickId, event: 'sale' })).status()).toBe(201)

    await captchas.addColleague('remover', 'delete_agents')
    const page = await people.signIn('remover', password)
    await page.waitForURL('**/app/home')
    await page.goto(`/app/agents/${agentId}`)
    await page.getByRole('button', { name: 'Actions for leaving' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    const confirm = () => dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await confirm()
    const [, amount = ''] =
      /has ₱([\d,]+\.\d\d) of unpaid money/.exec(
        (await dialog.getByText('of unpaid money').textContent()) ?? '',
      ) ?? []
    expect(amount).toMatch(/[1-9]/)

    await dialog.getByLabel('Unpaid amount').fill('1')
    await confirm()
    await expect(dialog.getByText('This is not the amount')).toBeVisible()
    expect((await head()).status()).toBe(302)

    await dialog.getByLabel('Unpaid amount').fill(amount)
    await confirm()
    await expect(page.getByText('Agent "leaving" has been successfully deleted')).toBeVisible()
    await page.waitForURL('**/app/agents')
    await expect.poll(async () => (await head()).status()).toBe(404)
  })
})

test('payment runs are closed to those who may not pay', async ({ people }) => {
  for (const account of ['admin2', 'manila', 'maria'] as const) {
    const page = await people.seat(account, '/app/pay/runs')
    await expect(page.getByText('You don’t have access to this page')).toBeVisible()
  }
})

test('an adjustment above the limit waits until somebody else approves it', async ({ people }) => {
  const author = await people.seat('superadmin', '/app/pay/balances')
  await author.getByRole('link', { name: 'Davao' }).first().click()
  await author.getByRole('button', { name: 'Add an adjustment' }).click()
  const dialog = author.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('9,000')
  await dialog.getByLabel('Reason').fill('Rent of the office')
  await expect(dialog.getByRole('button', { name: 'Add the adjustment' })).toBeEnabled()
  await dialog.getByLabel('Amount').fill('12,000')
  await expect(dialog.getByText('This waits for a second person')).toBeVisible()
  await expect(dialog.getByText('Adjustments above ₱10,000.00 do.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Ask a second person' }).click()
  await expect(dialog).toHaveCount(0)
  const balance = author.url()
  const adjustments = author.getByRole('region', { name: 'Adjustments' })
  const waits = author.getByRole('region', { name: 'Waiting for a second person' })
  await expect(waits).toContainText('₱12,000.00, entered by superadmin: Rent of the office')
  await expect(adjustments.getByRole('row', { name: /Rent of the office/ })).toHaveCount(0)

  await waits.getByRole('link', { name: 'See who can approve' }).click()
  const own = author.getByRole('region', { name: '₱12,000.00 for Davao' })
  await expect(own).toContainText('You entered it, so somebody else must approve it.')
  await expect(own.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await expect(own.getByRole('button', { name: 'Withdraw' })).toBeVisible()

  const payer = await people.seat('admin', '/app/home')
  await payer.getByRole('link', { name: /payment changes? that needs? a second person/ }).click()
  const card = payer.getByRole('region', { name: '₱12,000.00 for Davao' })
  await expect(card).toContainText('It is above the limit of ₱10,000.00.')
  await card.getByRole('button', { name: 'Approve' }).click()
  await payer.getByRole('button', { name: 'Approve it' }).click()
  await expect(card).toHaveCount(0)
  const decided = payer.getByRole('region', { name: 'Decided' }).first()
  await expect(decided.getByRole('row', { name: /Davao.*Approved/ })).toContainText('admin')
  // Whoever is too late learns what became of it.
  await own.getByRole('button', { name: 'Withdraw' }).click()
  await author.getByLabel('Why do you withdraw it?').fill('A typo')
  await author.getByRole('button', { name: 'Withdraw it' }).click()
  await expect(author.getByText('admin has already approved this.')).toBeVisible()

  await author.goto(balance)
  const row = adjustments.getByRole('row', { name: /Rent of the office/ })
  await expect(row).toContainText('+₱12,000.00')
  await expect(row).toContainText('approved by admin')
  await expect(waits).toHaveCount(0)
})
