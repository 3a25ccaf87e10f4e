import type { Page } from '@playwright/test'
import { addDays } from '../packages/domain/src/new-york.ts'
import { today } from './support/day.ts'
import { addressOf, pages, type ProductPage, readyOnPhone } from './support/pages.ts'
import { expect, test } from './support/test.ts'

/*
 * The table gets the screen: how many whole rows of each report, list and log stand on the first screen, below what
 * stands above it (the unread alert too) and above the line of totals; and which of its columns lie within the window.
 */

/** Without a list as the page's subject: forms, boards, and pages of one thing. Their tables are parts of the page. */
const OTHERS = [
  /\/(create|edit)\b/,
  /^\/app\/(home|news|unapprove|profile|migration|spike|how-to-sell|admins\/edit)/,
  /^\/app\/(offices|agents|sites)\/\d+$/,
  /^\/app\/offices\/domains\/\d/,
  /^\/app\/(offices|agents)\/\d+\/statements/,
  /^\/app\/sites\/(what-if|\d+\/rates)/,
  /^\/app\/stats\/(avp-week\?agentId|top-agents|how-figures-work|office-performance-chart)/,
  /^\/app\/settings\/(black-list-ip\/(create|delete)|options|contact|avp-schedule|pay)/,
  /^\/app\/pay\/(periods\/.|statements\/.|balances\/.|balance$|profit|journal|how-pay-works|runs\/.|account|proposals|estimates)/,
  /^\/app\/sales\//,
  /^\/app\/chat-logs\/create/,
  /^\/app\/links\/links-translate/,
  /print=true|explain=/,
]

/** Ten filters, or two weeks beside the schedules: at 1280 their line shortens what has a tooltip. */
const CROWDED = /^\/app\/(logs\/common-logs|stats\/sites(-payout)?-avp)/

interface Behind {
  path: RegExp
  /** The headings that may lie outside a window of 1280 pixels: they are not the page's question. */
  laptop: RegExp
  /** The same at 1440: the specification doesn't name them. By default none. */
  desktop?: RegExp
}

/** What may lie outside of the window. Of all other lists, and of all others of these, every column is whole. */
const BEHIND: Behind[] = [
  {
    path: /\/(sales|sale-logs)\b/,
    laptop: /^(Click id|Record type|Referer|Order number)$/,
    desktop: /^Order number$/,
  },
  { path: /\/(clicks|click-outs)\b/, laptop: /^(Sales|Uniques)$/ },
  {
    path: /^\/app\/logs\/common-logs\?reads/,
    laptop: /^(Response Code|(Post|Get) Params|What happened)$/,
    desktop: /^What happened$/,
  },
  {
    path: /^\/app\/sites\/postbacks/,
    laptop: /^(Click id|Office|Type)$/,
    desktop: /^Type$/,
  },
  { path: /^\/app\/sites\/3\/types/, laptop: /^(Day#2 Sale LPP|Channel)$/ },
  { path: /^\/app\/stats\/sites(-payout)?\?/, laptop: /^Lpp( prev)?$/ },
  {
    path: /^\/app\/stats\/sites-avp/,
    laptop: /^(Lpp|Lpp prev|AVP Sales|Week’s AVP Sales)$/,
    desktop: /^(AVP Sales|Week’s AVP Sales)$/,
  },
]

const lists = pages.filter(
  ({ path, account }) =>
    account !== undefined && path.startsWith('/app/') && !OTHERS.some((other) => other.test(path)),
)

for (const shown of lists)
  test.describe(() => {
    test.use({ account: shown.account, viewport: { width: 1280, height: 800 } })

    test(`${shown.path} as ${shown.account}: whole rows on the first screen`, async ({ page }) => {
      const { laptop, desktop, zoomed, phone } = await rowsOf(page, shown)
      const behind = BEHIND.find((one) => one.path.test(shown.path))
      const without = (columns: string[], may: RegExp | undefined) =>
        columns.filter((column) => !may?.test(column))
      expect.soft(without(laptop.outside, behind?.laptop), 'columns at 1280').toEqual([])
      expect.soft(without(desktop.outside, behind?.desktop), 'columns at 1440').toEqual([])
      expect.soft(laptop.whole, '1280 × 800').toBeGreaterThanOrEqual(Math.min(12, laptop.of))
      expect.soft(desktop.whole, '1440 × 900').toBeGreaterThanOrEqual(Math.min(15, desktop.of))
      expect.soft(laptop.inner, 'a scroller within the page').toEqual([])
      if (!CROWDED.test(shown.path)) expect.soft(laptop.cut, 'shortened chips').toEqual([])
      expect.soft(zoomed.inner, 'a scroller within the page at 200 %').toEqual([])
      if (zoomed.of > 0) expect.soft(zoomed.whole, '640 × 400').toBeGreaterThanOrEqual(1)
      expect.soft(phone.first, '390 × 844').toBeLessThan(300)
    })
  })

const yesterday = addDays(today, -1)

/** Of the logs to which other tests add, what the demo has. */
const ofYesterday = (address: string): string =>
  /\/logs\/(click-outs|sale-logs)\?/.test(address)
    ? `${address}&start=${yesterday}&end=${yesterday}`
    : address

interface Found {
  whole: number
  of: number
  /** From the top of the window to that of the first row, in pixels. */
  first: number
  /** The headings of its columns that are not whole within the window. */
  outside: string[]
  /** What scrolls vertically within the page. */
  inner: string[]
  /** The texts of filters for which their chips are too narrow. */
  cut: string[]
}

async function rowsOf(page: Page, shown: ProductPage) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(ofYesterday(await addressOf(page, shown)))
  const settled = async (ready: string) => {
    await page.locator(ready).first().waitFor()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  }
  await settled(shown.ready)
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('region', { name: 'Alert' }).first()).toBeVisible()
  const at = async (width: number, height: number, ready: string): Promise<Found> => {
    await page.setViewportSize({ width, height })
    await settled(ready)
    // After a change of size, filters fold a moment later.
    let found = await page.evaluate(measure)
    await expect
      .poll(async () => {
        const before = found
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 150)))
        found = await page.evaluate(measure)
        return found.first - before.first
      })
      .toBe(0)
    return found
  }
  return {
    laptop: await at(1280, 800, shown.ready),
    desktop: await at(1440, 900, shown.ready),
    zoomed: await at(640, 400, shown.ready),
    phone: await at(390, 844, readyOnPhone(shown)),
  }
}

/** In the page: the rows of its largest list, as far as nothing covers them. */
function measure(): Found {
  const main = document.querySelector('main')!
  const bodies = [...main.querySelectorAll('tbody, [role="region"] > ul')]
  const rowsIn = (body: Element) =>
    [...body.children].filter((row) => row.getBoundingClientRect().height > 0)
  const body = bodies.toSorted((a, b) => rowsIn(b).length - rowsIn(a).length)[0]
  const rows = body ? rowsIn(body).filter((row) => !row.querySelector('[class*="message"]')) : []
  const isWhole = (row: Element) => {
    const { left, top, bottom, width } = row.getBoundingClientRect()
    const x = Math.max(left, main.getBoundingClientRect().left) + Math.min(60, width / 2)
    return [top + 2, bottom - 2].every((y) => {
      const seen = document.elementFromPoint(x, y)
      return seen !== null && (row.contains(seen) || seen.contains(row))
    })
  }
  const textOf = (element: Element) =>
    element instanceof HTMLInputElement
      ? element.value || element.placeholder
      : (element.textContent ?? '')
  const scrolls = (element: Element) =>
    ['auto', 'scroll'].includes(getComputedStyle(element).overflowY) &&
    element.scrollHeight > element.clientHeight + 1
  // A row of several lines takes the place of as many.
  const heights = rows.map((row) => row.getBoundingClientRect().height)
  const taken = rows.reduce((sum, row, at) => sum + (isWhole(row) ? (heights[at] ?? 0) : 0), 0)
  const pen = document.createElement('canvas').getContext('2d')!
  const edge = main.getBoundingClientRect().left + main.clientWidth
  const headings = [...(body?.closest('table')?.querySelectorAll('thead th') ?? [])]
  const actions = headings.find((heading) => heading.hasAttribute('data-actions'))
  const rightMost = (heading: Element) =>
    heading === actions ? edge : Math.min(edge, actions?.getBoundingClientRect().left ?? edge)
  const chipTexts = [...main.querySelectorAll('form[role="search"] :is(label, input, button span)')]
  const isCut = (element: Element) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(element)
    pen.font = font
    const room = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    const frame = element.closest('button')
    return element.clientWidth > 1
      ? pen.measureText(textOf(element)).width > room + 1
      : frame !== null && frame.scrollWidth > frame.clientWidth + 1
  }
  return {
    whole: rows.length > 0 ? Math.floor(taken / Math.min(...heights) + 0.1) : 0,
    of: rows.length,
    first: Math.round(rows[0]?.getBoundingClientRect().top ?? 0),
    outside: headings
      .filter((heading) => heading.getBoundingClientRect().right > rightMost(heading) + 1)
      .map((heading) => heading.textContent ?? ''),
    inner: [...main.querySelectorAll('*')]
      .filter(scrolls)
      .map((element) => element.getAttribute('aria-label') ?? element.className),
    cut: chipTexts
      .filter((element) => getComputedStyle(element).clipPath === 'none' && isCut(element))
      .map(textOf),
  }
}
