import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { test } from './support/people.ts'
import { expect } from './support/test.ts'

test.describe('Offices custom payments', () => {
  test.use({
    account: 'superadmin',
    // Refusals are part of the test.
    expectedConsole: [/status of 409|net::ERR_FAILED/],
  })

  test('each change is saved at once, and a failure restores the old value', async ({
    page,
    context,
  }) => {
    await openPayments(page, 'Lantern Live', 'Free Sign-up')
    const davao = rowOf(page, 'Davao')
    const payout = davao.getByLabel('Payout of Davao')
    await expect(davao).toContainText('₱40.00')
    await davao.getByLabel('Own rates of Davao').press('Space')
    await expect(davao.getByRole('status')).toHaveText('saved')

    await payout.fill('41,5x')
    await payout.press('Enter')
    await expect(davao.getByRole('alert')).toHaveText('must be an amount')
    await page.getByRole('link', { name: 'Home' }).click()
    const asking = page.getByRole('dialog', { name: 'Leave without saving?' })
    await asking.getByRole('button', { name: 'Cancel' }).click()
    await expect(payout).toHaveValue('41,5x')
    await payout.press('Escape')
    await expect(payout).toHaveValue('40.00')

    const second = await context.newPage()
    await openPayments(second, 'Lantern Live', 'Free Sign-up')

    await payout.fill('41.5')
    await payout.press('Enter')
    await payout.fill('42.5')
    await payout.press('Tab')
    await expect(davao.getByRole('status')).toHaveText('saved')
    await expect(payout).toHaveValue('42.50')

    const there = rowOf(second, 'Davao').getByLabel('Payout of Davao')
    await there.fill('99')
    await there.press('Enter')
    await expect(second.getByRole('alert')).toContainText('Somebody else changed this row')
    await expect(there).toHaveValue('42.50')
    await second.getByRole('button', { name: 'Retry' }).click()
    await expect(rowOf(second, 'Davao').getByRole('status')).toHaveText('saved')
    await expect(there).toHaveValue('99.00')
    await second.close()

    await page.reload()
    await expect(payout).toHaveValue('99.00')
    await page.route('**/api/companies/fees', (route) => route.abort())
    await payout.fill('1')
    await payout.press('Enter')
    await expect(page.getByRole('alert')).toContainText('can’t be reached')
    await expect(payout).toHaveValue('99.00')
    await page.unroute('**/api/companies/fees')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(payout).toHaveValue('1.00')
    await expect(davao.getByRole('status')).toHaveText('saved')

    await davao.getByLabel('Own rates of Davao').press('Space')
    await expect(davao).toContainText('₱40.00')
    await expect(davao.getByRole('status')).toHaveText('saved')
    await davao.getByLabel('Own rates of Davao').press('Space')
    await expect(payout).toHaveValue('1.00')
  })
})

test('agents and offices get links that redirect', async ({ people, request }) => {
  const agent = await people.seat('maria', '/app/links/links')
  await expect(agent.getByRole('link', { name: 'Links translate' })).toHaveCount(0)
  await choose(agent, 'Site', 'Lantern Live')
  await agent.getByRole('button', { name: 'Get links' }).click()
  await expect(linkOf(agent, 'Lantern Live_Credits Pack')).toContainText('/api/links/go/')
  const pack = agent.getByRole('row', { name: /^Lantern Live_Credits Pack/ })
  await expect(pack.getByRole('cell', { name: /^\d[\d,]*$/ })).toHaveCount(2)
  await agent.getByLabel('sub1').fill('spring mail')
  const own = await linkOf(agent, 'Lantern Live_Credits Pack').textContent()
  expect(own).toMatch(/^https:\/\/go\.brightlane\.example\/.*\?sub1=spring%20mail$/)
  expect(await follow(request, own)).toBe(302)
  await agent.getByLabel('sub1').blur()
  await expect(agent).toHaveURL(/siteId=\d+&sub1=spring\+mail$/)
  await agent.reload()
  await expect(linkOf(agent, 'Lantern Live_Credits Pack')).toHaveText(own ?? '')

  const pasted = agent.getByRole('textbox', { name: /^Page/ })
  await pasted.fill('/promo?color=red')
  const toPage = await linkOf(agent, 'Lantern Live_Credits Pack').textContent()
  expect(toPage).toBe(`${own}&to=%2Fpromo%3Fcolor%3Dred`)
  expect(await follow(request, toPage)).toBe(302)
  await pasted.fill('https://elsewhere.example/promo')
  await expect(agent.getByText(/^This is no page of /)).toBeVisible()
  await agent.getByRole('button', { name: 'Clear filters' }).click()
  await expect(linkOf(agent, 'Lantern Live_Credits Pack')).toHaveText(own ?? '')

  await agent.getByRole('button', { name: 'QR code of Lantern Live_Credits Pack' }).click()
  const dialog = agent.getByRole('dialog', { name: 'Lantern Live_Credits Pack' })
  await expect(dialog.getByRole('img', { name: /^QR code/ })).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Download PNG' })).toHaveAttribute(
    'href',
    /^data:image\/png/,
  )
  await agent.keyboard.press('Escape')

  await agent.getByRole('button', { name: 'Short links of Lantern Live_Credits Pack' }).click()
  const shorts = agent.getByRole('dialog', { name: 'Short links: Lantern Live_Credits Pack' })
  await shorts.getByRole('button', { name: 'Make short link' }).click()
  const made = shorts.getByRole('list', { name: 'Short links' }).locator('code').first()
  await expect(made).toHaveText(/^go\.brightlane\.example\/[a-z]{7}$/)
  await expect(shorts.getByText('with sub1 spring mail').last()).toBeVisible()
  const short = `https://${await made.textContent()}`
  await expect(async () => expect(await follow(request, short)).toBe(302)).toPass()
  const admin = await people.seat('admin', '/app/links/links-translate')
  await admin.getByRole('textbox', { name: 'Link' }).fill(`Whose is ${short}?`)
  const facts = admin.getByLabel('The link')
  await expect(facts).toContainText(`${new URL(short).pathname.slice(1)}, with sub1 spring mail`)
  await expect(facts).toContainText('Agent Namemaria')
  await agent.keyboard.press('Escape')

  await agent.getByRole('button', { name: 'Test Lantern Live_Credits Pack' }).click()
  const tried = agent.getByRole('dialog', { name: 'Test: Lantern Live_Credits Pack' })
  await expect(tried.getByText('Nobody has opened it yet.')).toBeVisible()
  const testLink = await tried.getByRole('link', { name: 'Open the link' }).getAttribute('href')
  expect(await follow(request, String(testLink))).toBe(302)
  await expect(tried.getByText('sub1 spring mail')).toBeVisible()
  await expect(tried.getByText('None yet: one with this click id shows here.')).toBeVisible()
  await agent.keyboard.press('Escape')

  const office = await people.seat('manila', '/app/links/links')
  await choose(office, 'Site', 'Lantern Live')
  await office.getByRole('button', { name: 'Get links' }).click()
  await expect(office.getByText('Choose an agent', { exact: true })).toBeVisible()
  await choose(office, 'Agent', 'maria')
  await office.getByRole('button', { name: 'Get links' }).click()
  await expect(linkOf(office, 'Lantern Live_Credits Pack')).toHaveText(own?.split('?')[0] ?? '')
})

test.describe('Links translate', () => {
  test.use({ account: 'admin' })

  test('finds a link in any text, and names its agent and site', async ({ page }) => {
    await page.goto('/app/links/links-translate')
    const field = page.getByRole('textbox', { name: 'Link' })
    await field.fill(
      'Why is “http://some.host:8080/api/links/go/1/2/1?sub1=x”, sent today, so slow?',
    )
    const facts = page.getByLabel('The link')
    await expect(facts).toContainText('Site NameLantern Live')
    await expect(facts).toContainText('Site ID1Agent Id1Office NameManilaAgent Namemaria')
    await page.reload()
    await expect(facts).toContainText('Agent Namemaria')
    await field.fill('https://some.host/links/1/2/1')
    await expect(facts).toHaveCount(0)
    await expect(page.getByText('This text contains no tracked link')).toBeVisible()
    await field.fill('api/links/go/1/2/2000000000')
    await expect(facts).toContainText('Agent NameNot found')
  })
})

test.describe('Domains', () => {
  test.use({ account: 'superadmin', expectedConsole: [/status of 409/] })

  test('a domain is added, activated and hidden, but one must stay active', async ({ page }) => {
    const domain = `https://go-${randomUUID()}.example`
    await page.goto('/app/offices/domains')
    await page.getByRole('link', { name: '+ Add Preferred Domain' }).click()
    await expect(page.getByRole('textbox', { name: 'Domain' })).toHaveValue('https://')
    await page.getByRole('textbox', { name: 'Domain' }).fill(`${domain.toUpperCase()}/`)
    await page.getByLabel('Note').fill('For a test')
    await page.getByLabel('Hidden').check()
    await page.getByRole('button', { name: 'Confirm' }).click()

    const row = rowOf(page, domain)
    await expect(row).toContainText('HiddenFor a test')
    await row.getByRole('button', { name: `Activate ${domain}` }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Are you sure to activate domain?')
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await expect(row).toContainText('Activated')
    await row.getByRole('button', { name: `Hide ${domain}` }).click()
    await expect(dialog).toContainText('Are you sure to hide domain?')
    await dialog.getByRole('button', { name: 'Hide' }).click()
    await expect(row).toContainText('Hidden')

    await page.route('**/api/preferredDomains/listWithCompanies*', async (route) => {
      const answer = await route.fetch()
      const [first, ...others] = (await answer.json()) as { hidden: boolean }[]
      const hidden = others.map((other) => ({ ...other, hidden: true }))
      await route.fulfill({ response: answer, json: [{ ...first, hidden: false }, ...hidden] })
    })
    await page.reload()
    await page.getByRole('button', { name: /^Hide / }).click()
    await expect(dialog).toContainText('Need at least one active domain')
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect(dialog).toHaveCount(0)

    // Somebody else has hidden the other domains meanwhile.
    await page.unroute('**/api/preferredDomains/listWithCompanies*')
    await page.route('**/api/preferredDomains/hidden', (route) =>
      route.fulfill({
        status: 409,
        json: { code: 'CONFLICT', message: 'Need at least one active domain' },
      }),
    )
    await page.reload()
    await page
      .getByRole('button', { name: /^Hide / })
      .first()
      .click()
    await dialog.getByRole('button', { name: 'Hide' }).click()
    await expect(dialog).toContainText('Need at least one active domain')
    await expect(page.getByText('Something Went Wrong')).toHaveCount(0)
  })
})

async function openPayments(page: Page, site: string, type: string) {
  await page.goto('/app/sites/company-fees')
  await choose(page, 'Site', site)
  await choose(page, 'Type', type)
}

async function choose(page: Page, label: string, option: string) {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name }) })

const linkOf = (page: Page, name: string): Locator => rowOf(page, name).locator('code')

/** Opens the link's path on this server, to which the domain would resolve in production. */
async function follow(request: APIRequestContext, link: string | null): Promise<number> {
  const { pathname, search } = new URL(link ?? '')
  const answer = await request.get(pathname + search, {
    maxRedirects: 0,
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' },
  })
  expect(answer.headers()['location']).toMatch(/click|cid|[0-9a-v]{32}/)
  return answer.status()
}
