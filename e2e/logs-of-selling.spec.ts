import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { now } from './support/day.ts'
import { type Api, callsOf, type Link, merchantOf, pathOf } from './support/selling.ts'
import { expect } from './support/test.ts'
import { test } from './support/people.ts'

test.use({ account: 'superadmin' })

const table = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rowsOf = (page: Page, name: string) => table(page, name).locator('tbody tr')

async function loaded(page: Page, name: string) {
  await expect(table(page, name)).toHaveAttribute('aria-busy', 'false')
}

test('a click and its sale are in the logs of the agent, their office and staff', async ({
  people,
  request,
  session,
}) => {
  const api = callsOf(request, session?.token)
  const link = await linkOfMaria(api)
  const clickId = await follow(request, link)
  const email = `${randomUUID()}@example.com`
  await report(api, request, link, { clickId, email })

  const watchers = [
    { account: 'superadmin', amounts: true, office: true, agent: true },
    { account: 'manila', amounts: false, office: false, agent: true },
    { account: 'maria', amounts: false, office: false, agent: false },
  ] as const
  for (const { account, amounts, office, agent } of watchers) {
    const page = await people.seat(account, `/app/logs/click-outs?siteId=${link.siteId}`)
    await loaded(page, 'Click Logs')
    const headers = table(page, 'Click Logs').locator('thead')
    await expect(headers.getByText('Office')).toBeVisible({ visible: office })
    await expect(headers.getByText('Agent')).toBeVisible({ visible: agent })
    const newest = rowsOf(page, 'Click Logs').first()
    await expect(newest).toContainText(link.sitename)
    await expect(newest).toContainText('/…/')

    await page.goto(`/app/logs/sale-logs?clickId=${clickId}`)
    await expect(rowsOf(page, 'Sale Logs')).toHaveCount(1)
    const sale = rowsOf(page, 'Sale Logs').first()
    await expect(sale).toContainText(email)
    await expect(sale).toContainText('Sale')
    await expect(table(page, 'Sale Logs').getByText('Earning')).toBeVisible({ visible: amounts })
    await expect(table(page, 'Sale Logs').getByText('Referer')).toBeVisible({ visible: amounts })
  }

  await report(api, request, link, { clickId, event: 'chargeback' })
  const page = await people.seat('superadmin', `/app/logs/sale-logs?clickId=${clickId}`)
  await expect(rowsOf(page, 'Sale Logs')).toHaveCount(2)
  await expect(rowsOf(page, 'Sale Logs').first()).toContainText('Chargeback')
  await expect(rowsOf(page, 'Sale Logs').first()).toContainText('-$')
  await expect(rowsOf(page, 'Sale Logs').last()).toContainText('Reversed')
})

test('the sale log refreshes every minute, marks new records, and pauses in a hidden tab', async ({
  page,
  request,
  session,
}) => {
  const api = callsOf(request, session?.token)
  const link = await linkOfMaria(api)
  let calls = 0
  page.on('request', (sent) => (calls += Number(sent.url().endsWith('/api/sale-logs'))))
  await page.clock.install({ time: now() })
  await page.goto(`/app/logs/sale-logs?agentId=${link.agentId}&pageSize=25`)
  await loaded(page, 'Sale Logs')
  await expect(rowsOf(page, 'Sale Logs')).not.toHaveCount(0)
  await expect(page.getByText('refreshes every minute')).toBeVisible()
  expect(calls).toBe(1)

  const email = `${randomUUID()}@example.com`
  await report(api, request, link, { clickId: await follow(request, link), email })
  await page.clock.fastForward(61_000)
  const arrived = rowsOf(page, 'Sale Logs').filter({ hasText: email })
  await expect(arrived.getByText('New', { exact: true })).toBeVisible()
  // Other tests sell for the same agent.
  await expect(page.getByRole('status').getByText(/^[1-9]\d* new/)).toBeVisible()
  expect(calls).toBe(2)

  await setVisibility(page, 'hidden')
  await page.clock.fastForward(180_000)
  expect(calls).toBe(2)
  await setVisibility(page, 'visible')
  await expect.poll(() => calls).toBe(3)

  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/app/logs/chat\\?.*agentId=${link.agentId}`))
  // The URL changes before the page.
  await expect(page.getByRole('heading', { name: 'Chat Logs' })).toBeVisible()
  await page.clock.fastForward(180_000)
  expect(calls).toBe(3)
})

test('an admin finds a sale by its order number with Ctrl+K, and reads why it was counted as it was', async ({
  people,
  request,
  session,
}) => {
  const api = callsOf(request, session?.token)
  const link = await linkOfMaria(api)
  const clickId = await follow(request, link)
  const order = `E2E-${randomUUID().slice(0, 8)}`
  await report(api, request, link, { clickId, order })
  await report(api, request, link, { clickId, order, event: 'void' })

  const page = await people.seat('admin', '/app/home')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Go to' })).toBeFocused()
  await page.keyboard.type(order.toLowerCase())
  await expect(page.getByRole('option', { name: order, selected: true })).toBeVisible()
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL(/\/app\/sales\/[\da-f-]{36}$/)
  await expect(page).toHaveTitle(new RegExp(`^${order} · Sale`))
  const story = page.getByRole('list', { name: 'From the click to the figures' })
  const items = story.getByRole('listitem')
  await expect(items).toHaveCount(6)
  await expect(items.nth(0)).toContainText('e2e')
  await expect(items.nth(1)).toContainText(`Redirected to ${link.sitename}`)
  await expect(items.nth(2)).toContainText('Postback: sale')
  await expect(items.nth(3)).toContainText(/Counted as Sale.*rates? of/)
  await expect(items.nth(4)).toContainText('Postback: void')
  await expect(items.nth(5)).toContainText('Reversed: Void')

  const maria = await people.seat('maria', new URL(page.url()).pathname)
  await expect(maria.getByText('Counted as Sale')).toBeVisible()
  await expect(maria.getByText(/Taken back ?on \d+ \w+, so it pays nothing/)).toBeVisible()
  await expect(maria.getByText('Parameters')).toHaveCount(0)
})

test('staff learn with Ctrl+K what became of an order that is missing, and agents nothing of others’', async ({
  people,
  request,
  session,
}) => {
  const api = callsOf(request, session?.token)
  const link = await linkOfMaria(api)
  const id = randomUUID().slice(0, 8)
  const [waiting, refused, never] = [`W${id}`, `R${id}`, `N${id}`]
  await report(api, request, link, {
    clickId: await follow(request, link),
    order: waiting,
    event: 'void',
    outcome: 'waiting',
  })
  await report(api, request, link, {
    clickId: 'no-click-of-ours',
    order: refused,
    outcome: 'refused',
  })

  const page = await people.seat('admin', '/app/home')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const palette = page.getByRole('dialog', { name: 'Go to' })
  const ask = async (text: string) => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Go to' })).toBeFocused()
    await page.keyboard.type(text)
  }
  await ask(never)
  await expect(palette.getByRole('status')).toHaveText(
    `No merchant has sent anything with ${never}. Ask for the click id.`,
  )
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()

  await ask(refused.toLowerCase())
  await expect(palette.getByRole('status')).toContainText(
    'No sale has this number. One postback does, refused: ',
  )
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()

  await ask(waiting)
  await expect(palette.getByRole('status')).toHaveText(
    'No sale has this number. One postback does, waiting: the sale that it reverses has not arrived yet.',
  )
  await expect(page.getByRole('option', { name: waiting, selected: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/app/sites/postbacks\\?transactionId=${waiting}`))
  await expect(rowsOf(page, 'Postbacks')).toHaveCount(1)

  // The empty log says the same, and leads there.
  await page.goto(`/app/logs/sale-logs?transactionId=${waiting}`)
  await expect(page.getByText('One postback does, waiting')).toBeVisible()
  await page.getByRole('link', { name: `Postback of ${waiting}` }).click()
  await expect(rowsOf(page, 'Postbacks')).toHaveCount(1)

  const maria = await people.seat('maria', `/app/logs/sale-logs?transactionId=${refused}`)
  await expect(maria.getByText('None of your sales has this number.')).toBeVisible()
  await expect(maria.getByRole('list', { name: 'Elsewhere' })).toHaveCount(0)
})

test('an agent submits a chat with any content, and their office reads all of it', async ({
  people,
}) => {
  const client = `riverman ${randomUUID().slice(0, 8)}`
  const conversation = `${client}: hi <img src=x onerror="document.title='broken'">\nme: ${'long '.repeat(300)}\nend of chat`
  const maria = await people.seat('maria', '/app/logs')
  await maria.getByRole('link', { name: '+Submit Chat Log' }).click()
  await maria.getByLabel('Client name').fill(client)
  await maria.getByRole('combobox', { name: 'Site' }).click()
  await maria.getByRole('option').first().click()
  await expect(maria.getByRole('button', { name: 'Submit' })).toBeDisabled()
  await maria.getByLabel('Conversation').fill(conversation)
  await maria.getByRole('button', { name: 'Submit' }).click()
  await expect(maria.getByText('Successfully saved')).toBeVisible()
  await expect(maria).toHaveURL(/\/app\/logs\/chat/)

  const manila = await people.seat('manila', '/app/logs/chat?sortField=submitTime&sortAsc=false')
  const toggle = manila.getByRole('button', { name: `Conversation with ${client}` })
  await expect(manila.getByText('end of chat')).toBeHidden()
  await toggle.click()
  const whole = manila.getByRole('region', { name: `Whole conversation with ${client}` })
  await expect(whole).toHaveText(conversation)
  await expect(manila).not.toHaveTitle('broken')
  await expect(manila.getByRole('link', { name: '+Submit Chat Log' })).toBeHidden()
})

/** A link of the agent maria, on a site without approve-sale. */
async function linkOfMaria(api: Api) {
  const agents = await api<{ id: number; username: string }[]>('/api/companies/agents')
  const agentId = agents.find(({ username }) => username === 'maria')?.id ?? 0
  const sites = await api<{ id: number; sitename: string; useApproveSale: boolean }[]>('/api/sites')
  const site = sites.find(({ sitename }) => sitename === 'Lantern Live')
  if (!site) throw new Error('There is no Lantern Live')
  const types = await api<{ id: number }[]>(`/api/types/${site.id}/by-site`)
  return { siteId: site.id, typeId: types[0]?.id ?? 0, agentId, sitename: site.sitename }
}

/** Opens the link like a visitor's browser. Returns the click id that the merchant receives. */
async function follow(request: APIRequestContext, link: Link) {
  const answer = await request.get(`${pathOf(link)}?sub1=e2e`, {
    maxRedirects: 0,
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' },
  })
  expect(answer.status()).toBe(302)
  const id = /\b[\da-v]{32}\b/.exec(answer.headers()['location'] ?? '')?.[0]
  if (!id) throw new Error('The link leads nowhere')
  return id
}

/** Reports an event for a click, as the merchant does. */
async function report(
  api: Api,
  request: APIRequestContext,
  { siteId }: Link,
  {
    clickId,
    event = 'sale',
    email,
    order,
    outcome = 'recorded',
  }: { clickId: string; event?: string; email?: string; order?: string; outcome?: string },
) {
  const merchant = await merchantOf(api, request, siteId)
  const answer = await merchant.report({
    clickId,
    event,
    ...(email && { email }),
    ...(order && { transaction_id: order }),
  })
  expect(await answer.json()).toMatchObject({ outcome })
}

/** Simulates hiding or showing the tab. */
const setVisibility = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate((wanted) => {
    Object.defineProperty(document, 'visibilityState', { value: wanted, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('visibilitychange'))
  }, state)
