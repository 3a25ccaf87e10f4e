import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { APIRequestContext, Browser, Locator, Page } from '@playwright/test'
import { now, today } from './support/day.ts'
import { type Api, callsOf, type Link, merchantOf, pathOf } from './support/selling.ts'
import { amountOf, type Line, StatisticsPage } from './support/statistics-page.ts'
import { expect, test } from './support/test.ts'

test.use({ account: 'superadmin' })

/** Sales in the demo data, one at default rates and one at an office's own rates. */
const sales = [
  { office: 'Manila', site: 'Lantern Live', type: 'Credits Pack', earning: 20, payout: 400 },
  { office: 'Cebu', site: 'Copper Ace', type: 'First Deposit', earning: 75, payout: 1_800 },
]

for (const sale of sales) {
  test(`a click on a link of ${sale.office} and its postback become figures: $${sale.earning}, ₱${sale.payout} @core`, async ({
    page,
    browser,
    request,
    session,
  }) => {
    const api = callsOf(request, session?.token)
    const link = await findLink(api, request, sale)
    const statistics = new StatisticsPage(page)
    const question = { ...link, start: today, end: today, groupBy: 'agent' }
    await statistics.open(question)
    const before = await overallOf(statistics)

    const clickId = await follow(browser, link)
    const { key, report } = await merchantOf(api, request, link.siteId)
    const txid = `e2e-${randomUUID()}`
    const sold = { clickId, txid, event: 'sale' }
    const recorded = await report(sold)
    expect(recorded.status()).toBe(201)
    expect(await recorded.json()).toMatchObject({ outcome: 'recorded' })

    await page.reload()
    const after = await overallOf(statistics)
    expect(growth(before, after)).toMatchObject({
      Raws: 1,
      Uniques: 1,
      Sales: 1,
      Earn: sale.earning,
      Payout: sale.payout,
    })

    const again = await report(sold)
    expect([again.status(), await again.json()]).toMatchObject([200, { outcome: 'duplicate' }])
    await page.reload()
    expect(await overallOf(statistics)).toEqual(after)

    await page.goto('/app/sites/postbacks')
    await page.getByRole('search').getByLabel('Transaction id').fill(txid)
    await page.getByRole('button', { name: 'Search' }).click()
    const rows = page.getByRole('region', { name: 'Postbacks' }).locator('tbody tr')
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(0)).toContainText('Duplicate')
    await expect(rows.nth(1)).toContainText('Recorded')
    await expect(rows.nth(1)).toContainText(sale.site)
    await expect(rows.nth(1)).toContainText(sale.office)
    await expect(rows.nth(1)).toContainText(sale.type)
    await rows
      .nth(1)
      .getByRole('button', { name: /^Details/ })
      .click()
    await expect(page.getByText(clickId, { exact: true })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Postbacks' })).not.toContainText(key)
  })
}

test('a postback with a wrong key is listed as refused, without the key', async ({
  page,
  request,
  session,
}) => {
  const api = callsOf(request, session?.token)
  const [site] = await api<{ id: number }[]>('/api/sites')
  const txid = `e2e-${randomUUID()}`
  const params = { key: 'a-guessed-key', click_id: 'x', txid }
  const refused = await request.get(`/api/postback/${site?.id}`, { params })
  expect(refused.status()).toBe(401)
  const { id } = (await refused.json()) as { id: string }

  await page.goto(`/app/sites/postbacks?outcome=refused&transactionId=${txid}`)
  const table = page.getByRole('region', { name: 'Postbacks' })
  await table.getByRole('button', { name: /^Details/ }).click()
  await expect(table.getByText(id)).toBeVisible()
  await expect(table).toContainText('The key or signature is missing or wrong.')
  await expect(table).toContainText(txid)
  await expect(table).not.toContainText('a-guessed-key')
})

test('a postback dated before its click is held until somebody records or refuses it', async ({
  page,
  request,
  session,
}) => {
  const { report, clickId } = await quietLink(request, session?.token)
  const time = new Date(now().getTime() - 86_400_000).toISOString()
  const table = page.getByRole('region', { name: 'Postbacks' })
  const decide = async (choice: string, answer: RegExp, does: string) => {
    const txid = `e2e-${randomUUID()}`
    const held = await report({ clickId, txid, time })
    expect(held.status()).toBe(409)
    await page.goto(`/app/sites/postbacks?transactionId=${txid}`)
    await expect(table).toContainText('It is dated more than five minutes before its click.')
    await table.getByRole('button', { name: choice, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: choice })
    await expect(dialog.getByRole('list', { name: 'What it does' })).toContainText(does)
    await dialog.getByLabel('Reason').fill('Their clock was wrong')
    await dialog.getByRole('button', { name: answer }).click()
    await expect(dialog).toBeHidden()
    await expect(table.getByRole('button', { name: choice, exact: true })).toBeHidden()
  }

  await decide('Refuse', /^Refuse$/, 'No figure changes.')
  await expect(table).toContainText('Refused by staff.')
  await decide('Record', /^Record \(₱/, 'A sale is counted')
  await expect(table).toContainText('Recorded')
  await expect(table).toContainText(
    'Counted at the time of its click, because it was dated earlier.',
  )
  await table.getByRole('button', { name: /^Details/ }).click()
  await expect(table.getByText('Settled')).toBeVisible()
})

test('an event recorded at zero names the missing rate', async ({ page, request, session }) => {
  const { report, clickId } = await quietLink(request, session?.token)
  const txid = `e2e-${randomUUID()}`
  expect((await report({ clickId, txid, event: 'bonus' })).status()).toBe(201)
  await page.goto(`/app/sites/postbacks?outcome=recorded-at-zero&transactionId=${txid}`)
  await expect(page.getByRole('combobox', { name: 'Outcome' })).toHaveValue('Recorded at zero')
  const rows = page.getByRole('region', { name: 'Postbacks' }).locator('tbody tr')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(/Recorded at \$0 and ₱0: .* has no bonus rate\./)
})

test('a test postback is recorded and priced, but changes no statistics', async ({ page }) => {
  const statistics = new StatisticsPage(page)
  await statistics.open({ groupBy: 'agent' })
  await statistics.page.getByRole('combobox', { name: 'Site' }).click()
  await page.getByRole('option', { name: 'Velvet Stage' }).click()
  await statistics.load()
  const before = await overallOf(statistics)

  await page.goto('/app/sites/postbacks')
  await page.getByRole('button', { name: 'Integration' }).click()
  const drawer = page.getByRole('dialog', { name: 'Integration' })
  await drawer.getByRole('combobox', { name: 'Site' }).click()
  await page.getByRole('option', { name: 'Velvet Stage' }).click()
  const guide = drawer.getByRole('link', { name: 'Download the developer’s guide' })
  const text = await (await page.request.get((await guide.getAttribute('href')) ?? '')).text()
  expect(text).toMatch(/^# Postbacks/)
  await drawer.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Gold Member' }).click()
  await drawer.getByRole('button', { name: 'Send test' }).click()

  const result = drawer.getByRole('article', { name: 'Test 1' })
  await expect(result).toContainText('HTTP 201')
  await expect(result).toContainText('Recorded')
  await expect(result).toContainText('$52.00 earning and ₱1,050.00 payout')
  await result.getByRole('button', { name: 'Send the same again' }).click()
  await expect(drawer.getByRole('article', { name: 'Test 2' })).toContainText('Duplicate')

  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  const rows = page.getByRole('region', { name: 'Postbacks' }).locator('tbody tr')
  await expect(
    rows.filter({ hasText: 'Velvet Stage' }).filter({ hasText: 'Test' }),
  ).not.toHaveCount(0)

  await page.goBack()
  expect(await overallOf(statistics)).toEqual(before)
})

test('a link that the browser prefetches is counted once, when the person clicks', async ({
  page,
  browser,
  request,
  session,
  baseURL,
}) => {
  const api = callsOf(request, session?.token)
  const sold = { office: 'Cebu', site: 'Lantern Live', type: 'Credits Pack' }
  const link = await findLink(api, request, sold)
  const statistics = new StatisticsPage(page)
  await statistics.open({ ...link, start: today, end: today, groupBy: 'agent' })
  const before = await overallOf(statistics)

  const blog = await serveBlog(baseURL ?? '', pathOf(link))
  try {
    const visitor = await browser.newContext({ storageState: { cookies: [], origins: [] } })
    const reader = await visitor.newPage()
    await standInForMerchants(reader)
    await reader.goto(blog.url)
    await expect.poll(() => blog.requests).toEqual([{ isPrefetch: true, status: 503 }])
    await reader.getByRole('link', { name: 'A good shop' }).click()
    await expect(reader).toHaveTitle('The merchant')
    expect(blog.requests.slice(1)).toEqual([{ isPrefetch: false, status: 302 }])
    await visitor.close()
  } finally {
    blog.close()
  }

  await page.reload()
  expect(growth(before, await overallOf(statistics))).toMatchObject({ Raws: 1, Uniques: 1 })
})

/** A page that lets the browser prefetch its one link, in front of the app, so that what the browser asks for is seen. */
async function serveBlog(app: string, path: string) {
  const requests: { isPrefetch: boolean; status: number }[] = []
  const html = `<!doctype html><title>Blog</title><a href="${path}">A good shop</a>
    <script type="speculationrules">{"prefetch":[{"source":"list","urls":["${path}"],"eagerness":"immediate"}]}</script>`
  const pass = async (headers: Record<string, string>, answer: ServerResponse) => {
    const response = await fetch(new URL(path, app), { headers, redirect: 'manual' })
    const isPrefetch = headers['sec-purpose']?.includes('prefetch') ?? false
    requests.push({ isPrefetch, status: response.status })
    answer.writeHead(response.status, Object.fromEntries(response.headers))
    answer.end(Buffer.from(await response.arrayBuffer()))
  }
  const server = createServer(({ url, headers }, answer) => {
    if (url === path) {
      const names = ['user-agent', 'accept', 'sec-purpose'] as const
      const kept = names.flatMap((name) => {
        const value = headers[name]
        return typeof value === 'string' ? [[name, value] as const] : []
      })
      void pass(Object.fromEntries(kept), answer)
    } else {
      answer.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(html)
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // of a TCP server
  return { url: `http://127.0.0.1:${port}/`, requests, close: () => server.close() }
}

test('Integration shows how the last postbacks are read, as another tracker would send them', async ({
  page,
  request,
  session,
}) => {
  // Only the site's last ten are shown, so nobody else may report to it meanwhile.
  const site = 'Slow Dance'
  const { report, clickId, link } = await quietLink(request, session?.token, {
    office: 'Cebu',
    site,
    type: 'Profile',
  })
  const txid = `e2e-${randomUUID()}`
  const sent = { clickId, txid, goal: 'registration', status: '2', shoe_size: '43' }
  expect((await report(sent)).status()).toBe(422)

  await page.goto(`/app/sites/postbacks?siteId=${link.siteId}&transactionId=${txid}`)
  await page.getByRole('button', { name: 'Integration' }).click()
  const drawer = page.getByRole('dialog', { name: 'Integration' })
  const choice = drawer.getByRole('combobox', { name: 'Site' })
  if ((await choice.inputValue()) === '') {
    await choice.click()
    await page.getByRole('option', { name: site }).click()
  }
  const reading = drawer.getByRole('listitem').filter({ hasText: txid })
  await reading.locator('summary').click()
  await expect(reading).toContainText('Would be refused')
  await expect(reading).toContainText('status=2 is not a status of this site')
  await expect(reading.getByRole('row', { name: /shoe_size/ })).toContainText('not understood')
  await expect(reading.getByRole('row', { name: /txid/ })).toContainText('transaction_id')

  await drawer.getByRole('combobox', { name: /racker/ }).click()
  await page.getByRole('option', { name: 'Affise' }).click()
  await expect(reading).not.toContainText('is not a status of this site')
  await expect(reading).toContainText('event is not an event of this site')
})

for (const [device, site, viewport] of [
  ['on a computer', 'Lucky Pier', { width: 1280, height: 800 }],
  ['on a phone', 'Blue Baize', { width: 390, height: 844 }],
] as const) {
  test.describe(device, () => {
    test.use({ viewport })

    test('a superadmin chooses Affise, its postbacks are read as it means them, and a held refund is settled', async ({
      page,
      request,
      session,
    }) => {
      const type = 'First Deposit'
      const { report, clickId, link } = await quietLink(request, session?.token, {
        office: 'Cebu',
        site,
        type,
      })
      const order = `e2e-${randomUUID()}`
      const sent = { clickId, action_id: order, sum: '19.99' }
      const first = `e2e-${randomUUID()}`
      // Asked about once what the site sent before has been read, and refused until then.
      const unknown = await report({ ...sent, action_id: first, status: '2' })
      expect([202, 422]).toContain(unknown.status())

      await page.goto(`/app/sites/postbacks?siteId=${link.siteId}&transactionId=${first}`)
      const actions = page.getByRole('button', { name: 'Page actions' })
      if (device === 'on a phone') await actions.click()
      await page.getByRole('button', { name: 'Integration' }).click()
      const drawer = page.getByRole('dialog', { name: 'Integration' })
      const choice = drawer.getByRole('combobox', { name: 'Site' })
      if ((await choice.inputValue()) === '') {
        await choice.click()
        await page.getByRole('option', { name: site }).click()
      }
      const reading = drawer.getByRole('listitem').filter({ hasText: first })
      await expect(reading).toContainText(/Would be (refused|held)/)
      await drawer.getByRole('combobox', { name: 'Tracker' }).click()
      await page.getByRole('option', { name: 'Affise' }).click()
      await expect(reading).toContainText('Sale, pending')
      await drawer.getByRole('button', { name: 'Use Affise' }).click()
      await expect(page.getByText('Postbacks are read as Affise sends them.')).toBeVisible()

      const answers = []
      for (const status of ['2', '1', '3']) {
        const answer = await report({ ...sent, status })
        answers.push(((await answer.json()) as { outcome: string }).outcome)
      }
      expect(answers).toEqual(['pending', 'recorded', 'recorded'])

      const refund = { ...sent, action_id: `${order}-back`, sum: '-19.99' }
      expect((await report(refund)).status()).toBe(409)
      await page.goto(`/app/sites/postbacks?transactionId=${refund.action_id}`)
      const region = page.getByRole('region', { name: 'Postbacks' })
      await expect(region).toContainText('sum=-19.99 says that money goes back')
      await region.getByRole('button', { name: 'Refuse', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Refuse' })
      await dialog.getByLabel('Reason').fill('Refunded before')
      await dialog.getByRole('button', { name: /^Refuse$/ }).click()
      await expect(region).toContainText('Refused by staff.')
    })
  })
}

test('what a merchant sends turns no text around it', async ({ page, request, session }) => {
  const { report, clickId, link } = await quietLink(request, session?.token)
  const txid = `\u2069\u202Ee2e-${randomUUID()}`
  expect((await report({ clickId, txid })).status()).toBe(201)
  const taken = { clickId, txid: `e2e-${randomUUID()}`, 'x\u2069\u202Ey': 'refund' }
  expect((await report(taken)).status()).toBe(409)
  const search = new URLSearchParams({ siteId: String(link.siteId), transactionId: taken.txid })
  await page.goto(`/app/sites/postbacks?${search.toString()}`)
  const row = page.getByRole('region', { name: 'Postbacks' }).locator('tbody tr').first()
  await readsRightwards(row.getByText('says that money goes back'), 'says that money')

  await row.getByRole('button', { name: /^Details/ }).click()
  await readsRightwards(page.getByLabel('Parameters', { exact: true }), ': "refund"')

  await row.getByRole('button', { name: /^Reverse/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByPlaceholder('Order number').fill(txid)
  const sale = dialog.getByRole('radio', { name: /Year Pass/ })
  await readsRightwards(dialog.getByText('Year Pass'), 'Year Pass')
  await sale.check()
  const effect = dialog.getByText('A sale is taken back')
  await readsRightwards(effect, 'on ')
})

/** Whether a part of an element's text is laid out from left to right. */
async function readsRightwards(element: Locator, part: string): Promise<void> {
  await expect(element.first()).toContainText(part)
  const isRightwards = await element.first().evaluate((node, wanted) => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const at = text.textContent?.indexOf(wanted) ?? -1
      if (at === -1) continue
      const leftOf = (place: number) => {
        const range = document.createRange()
        range.setStart(text, place)
        range.setEnd(text, place + 1)
        return range.getBoundingClientRect().left
      }
      return leftOf(at) < leftOf(at + 1)
    }
    return null
  }, part)
  expect(isRightwards).toBe(true)
}

/** A click on a link that no other test counts, and a function to send its postbacks. */
async function quietLink(
  request: APIRequestContext,
  token: string | undefined,
  sold = { office: 'Cebu', site: 'Harbor Hearts', type: 'Year Pass' },
) {
  const api = callsOf(request, token)
  const link = await findLink(api, request, sold)
  const { location = '' } = (await request.get(pathOf(link), { maxRedirects: 0 })).headers()
  const { clickIdOf, report } = await merchantOf(api, request, link.siteId)
  return { clickId: clickIdOf(location), report, link }
}

/** A working link of any agent of the office. */
async function findLink(
  api: Api,
  request: APIRequestContext,
  { office, site, type }: { office: string; site: string; type: string },
): Promise<Link> {
  const offices = await api<{ id: number; officeName: string }[]>('/api/companies')
  const sites = await api<{ id: number; sitename: string }[]>('/api/sites')
  const companyId = offices.find(({ officeName }) => officeName === office)?.id
  const siteId = sites.find(({ sitename }) => sitename === site)?.id ?? 0
  const types = await api<{ id: number; typename: string }[]>(`/api/types/${siteId}/by-site`)
  const typeId = types.find(({ typename }) => typename === type)?.id ?? 0
  const agents = await api<{ id: number }[]>(`/api/companies/agents?companyId=${companyId}`)
  for (const { id: agentId } of agents) {
    const link = { siteId, typeId, agentId }
    // HEAD requests are not counted.
    const look = await request.head(pathOf(link), { maxRedirects: 0 })
    if (look.status() === 302) return link
  }
  throw new Error(`Nobody of ${office} sells ${type} of ${site}`)
}

/** Follows the link in a visitor's browser to the merchant's site. Returns the click id. */
async function follow(browser: Browser, link: Link): Promise<string> {
  const visitor = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await visitor.newPage()
  await standInForMerchants(page)
  await page.goto(pathOf(link))
  await expect(page).toHaveTitle('The merchant')
  const ids = [...new URL(page.url()).searchParams.values()].filter((value) =>
    /^[\da-z]{32}$/.test(value),
  )
  await visitor.close()
  expect(ids).toHaveLength(1)
  return ids[0] ?? ''
}

/** Uses the DevTools protocol, because Playwright's routes do not intercept redirects. */
async function standInForMerchants(page: Page): Promise<void> {
  const protocol = await page.context().newCDPSession(page)
  protocol.on('Fetch.requestPaused', ({ requestId }) => {
    void protocol.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'content-type', value: 'text/html' }],
      body: Buffer.from('<title>The merchant</title>').toString('base64'),
    })
  })
  await protocol.send('Fetch.enable', { patterns: [{ urlPattern: 'https://*.example/*' }] })
}

/** The overall total. Empty if the period has no statistics. */
async function overallOf(statistics: StatisticsPage): Promise<Line> {
  await statistics.loaded()
  const isEmpty = await statistics.table.getByText('No statistics for selected period').isVisible()
  return isEmpty ? {} : (await statistics.read()).overall
}

/** The growth of each figure, in counts, dollars or pesos. */
const growth = (before: Line, after: Line): Record<string, number> =>
  Object.fromEntries(
    Object.entries(after).map(([header, text]) => [
      header,
      (amountOf(text) - amountOf(before[header] ?? '0')) / 100,
    ]),
  )
