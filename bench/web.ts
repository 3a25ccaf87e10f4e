import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { type Browser, chromium, type Page } from 'playwright-core'
import { openDatabase } from '../apps/api/src/db/database.ts'
import { startEngine } from '../apps/api/src/db/engine/start-engine.ts'
import { rebuildTotals } from '../apps/api/src/totals/index.ts'
import { silentLog } from '../apps/api/src/lib/log/log.ts'
import { median } from './measure.ts'
import { startServer } from './start-server.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const port = 4212
const barePort = 4213
const address = `http://127.0.0.1:${port}`
const charts = 60

/**
 * Measures user-visible latency in the browser next to a plain page with the same fifty rows: the first list
 * from a cold cache, the rows of another page after its response, and sixty charts; then Home, Payroll and the sign-in over a slow line. Medians of
 * ROUNDS (5), with the real server, the demo world and headless Chromium (CHROMIUM_PATH). Needs the built web app, which
 * `npm start` builds.
 */
async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallyroom-bench-'))
  await chmod(dataDir, 0o711)
  const bare = await startBare()
  const server = await startServer(port, { DATA_DIR: dataDir, CAPTCHA: 'off' })
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    await buildOffices(dataDir)
    const session = await signIn()
    const bareMs: number[] = []
    const listMs: number[] = []
    const pageMs: number[] = []
    const chartMs: number[] = []
    for (let round = 0; round < rounds; round++) {
      bareMs.push(await timeBare(browser))
      const list = await timeList(browser, session)
      listMs.push(list.firstMs)
      pageMs.push(list.nextMs)
      chartMs.push(await timeCharts(browser, session))
    }
    const reference = median(bareMs)
    const row = (what: string, times: number[], aimMs: number) => ({
      '': what,
      ms: Math.round(median(times)),
      'aim ms': aimMs,
      'to a bare page': (median(times) / reference).toFixed(1),
    })
    console.table([
      {
        '': 'a plain page of 50 rows',
        ms: Math.round(reference),
        'aim ms': '',
        'to a bare page': '1.0',
      },
      row('the first list of 50 rows, cold cache', listMs, 1_000),
      row('the next page, after its response', pageMs, 100),
      row(`${charts} charts, after their responses`, chartMs, 1_500),
    ])
    await measureSlowLine(browser, session)
  } finally {
    await browser.close()
    await server.stop()
    await bare.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A poor mobile connection, in bytes per second each way, with the time until an answer begins. */
const slowLine = { latency: 400, downloadThroughput: 125_000, uploadThroughput: 125_000 }

/** The first visits of pages over a slow line, with nothing in the browser's cache, beside the plain page. */
async function measureSlowLine(browser: Browser, session: string): Promise<void> {
  const plain: SlowVisit[] = []
  const home: SlowVisit[] = []
  const payroll: SlowVisit[] = []
  const door: SlowVisit[] = []
  for (let round = 0; round < rounds; round++) {
    plain.push(await visitSlowly(browser, `http://127.0.0.1:${barePort}/`, hasRows))
    home.push(await visitSlowly(browser, `${address}/app/home`, hasFigure, session))
    payroll.push(await visitSlowly(browser, `${address}/app/stats/sites-payout`, hasRow, session))
    door.push(await visitSlowly(browser, `${address}/login`, hasPassword))
  }
  const reference = median(plain.map(({ shownMs }) => shownMs))
  const row = (what: string, visits: SlowVisit[], aims: [number, number] | undefined) => ({
    'at 400 ms and 1 Mbit/s': what,
    'first paint ms': Math.round(median(visits.map(({ paintMs }) => paintMs))),
    'first figure ms': Math.round(median(visits.map(({ shownMs }) => shownMs))),
    'aims ms': aims?.join(', ') ?? '',
    'to a plain page': (median(visits.map(({ shownMs }) => shownMs)) / reference).toFixed(1),
    answers: median(visits.map(({ answers }) => answers)),
    shift: median(visits.map(({ shift }) => shift)).toFixed(4),
    kB: Math.round(median(visits.map(({ bytes }) => bytes)) / 1000),
  })
  console.table([
    row('a plain page of 50 rows', plain, undefined),
    row('Home', home, [900, 4_000]),
    row('Payroll', payroll, [900, 4_000]),
    row('Sign-in, its field', door, [900, 2_500]),
  ])
}

interface SlowVisit {
  paintMs: number
  shownMs: number
  /** Over the line, until the network is idle. */
  bytes: number
  answers: number
  /** How far the page moved by itself: the sum of its layout shifts. */
  shift: number
}

async function visitSlowly(
  browser: Browser,
  url: string,
  isShown: () => boolean,
  session?: string,
): Promise<SlowVisit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  if (session)
    await page.addInitScript((text) => localStorage.setItem('tallyroom.session', text), session)
  const line = await context.newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', { offline: false, ...slowLine })
  let bytes = 0
  let answers = 0
  line.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    answers++
  })
  await page.goto(url, { waitUntil: 'commit' })
  const shownMs = await untilPainted(page, isShown)
  const paintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
  )
  await page.waitForLoadState('networkidle')
  const shift = await page.evaluate(shiftOf)
  await context.close()
  return { paintMs, shownMs, bytes, answers, shift }
}

/** A skeleton has no figures. */
const hasFigure = () =>
  /\d/.test(document.querySelector('section[aria-label="Figures"]')?.textContent ?? '')

/** A row of figures; a skeleton's rows have no text. */
const hasRow = () => /\d/.test(document.querySelector('tbody')?.textContent ?? '')

const hasPassword = () => document.querySelector('input[type=password]') !== null

/** The layout shifts so far that nobody's press caused. */
const shiftOf = () =>
  new Promise<number>((resolve) => {
    const sum = (entries: PerformanceEntryList) =>
      entries.reduce((total, entry) => {
        const { value, hadRecentInput } = entry as PerformanceEntry & {
          value: number
          hadRecentInput: boolean
        }
        return hadRecentInput ? total : total + value
      }, 0)
    const seen = new PerformanceObserver((list) => resolve(sum(list.getEntries())))
    seen.observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(0), 200)
  })

/** The minimum that a browser can do for a list. */
async function startBare() {
  const row =
    '<tr><td>Manila</td><td>tessa</td><td>Velvet Stage</td><td>2026-11-21 (04:16)</td></tr>'
  const app = Fastify({ logger: false })
  app.get('/', (_request, reply) =>
    reply
      .type('text/html')
      .send(`<!doctype html><title>50 rows</title><table><tbody>${row.repeat(50)}</tbody></table>`),
  )
  await app.listen({ host: '127.0.0.1', port: barePort })
  return app
}

/** Sixty offices with one sale per day in this month and the last. */
async function buildOffices(dataDir: string): Promise<void> {
  const engine = await startEngine({ dataDir, log: silentLog })
  const owner = openDatabase(engine.connection, { max: 1, applicationName: 'bench', asOwner: true })
  try {
    await sql`
      with made as (
        insert into offices (name, created_at)
        select 'Bench ' || i, now() from generate_series(1, ${charts}) i
        returning id
      )
      insert into sale_events (
        id, agent_id, occurred_at, recorded_at, event_type, quantity, office_id, site_id, type_id,
        earning_cents, payout_centavos, lpp, avp, rate_source, fraud, click_id
      )
      select
        gen_random_uuid(), 1, day, day, 0, 1, made.id, 1, 1, 100, 100, 1, false, 'default', false, ''
      from made, generate_series(now() - interval '60 days', now(), interval '1 day') as day
    `.execute(owner.db)
    await rebuildTotals(owner.db)
  } finally {
    await owner.close()
    await engine.stop()
  }
}

/** The browser storage of a signed-in user. */
async function signIn(): Promise<string> {
  const login = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username: 'superadmin',
      password: 'demo-2026',
      captchaString: '',
      captchaCheck: '',
    }),
  })
  const { token } = (await login.json()) as { token: string } // the contract's
  const me = await fetch(`${address}/api/accounts/me`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return JSON.stringify({ token, me: await me.json() })
}

async function timeBare(browser: Browser): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${barePort}/`)
  const ms = await untilPainted(page, hasRows)
  await context.close()
  return ms
}

async function timeList(browser: Browser, session: string) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript((text) => localStorage.setItem('tallyroom.session', text), session)
  const page = await context.newPage()
  await page.goto(`${address}/app/logs/click-outs`, { waitUntil: 'commit' })
  const firstMs = await untilPainted(page, hasRows)

  const first = await page.locator('tbody tr').first().textContent()
  await page.getByRole('button', { name: 'Next' }).click()
  const shownAt = await untilPainted(
    page,
    (before) => document.querySelector('tbody tr')?.textContent !== before,
    first,
  )
  const nextMs = shownAt - (await answeredAt(page, 'click-outs/search'))
  await context.close()
  return { firstMs, nextMs }
}

async function timeCharts(browser: Browser, session: string): Promise<number> {
  // High enough to show every chart.
  const context = await browser.newContext({ viewport: { width: 1440, height: 20_000 } })
  await context.addInitScript((text) => localStorage.setItem('tallyroom.session', text), session)
  const page = await context.newPage()
  await page.goto(`${address}/app/stats/office-performance-chart`, { waitUntil: 'commit' })
  const shownAt = await untilPainted(
    page,
    (count) => document.querySelectorAll('[role=img] svg').length >= count,
    charts,
  )
  const ms = shownAt - (await answeredAt(page, 'stats/office-charts'))
  await context.close()
  return ms
}

/** Skeletons have no text. */
const hasRows = () =>
  [...document.querySelectorAll('tbody tr')].filter((row) => row.textContent.trim() !== '')
    .length >= 50

/** Milliseconds from the start of the navigation until the frame that shows it was painted. */
async function untilPainted<Given>(
  page: Page,
  isShown: (given: Given) => boolean,
  given?: Given,
): Promise<number> {
  await page.waitForFunction(isShown as never, given, { polling: 'raf', timeout: 30_000 })
  return page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))),
      ),
  )
}

/** When a call's last response had arrived, in milliseconds from the start of the navigation. */
const answeredAt = (page: Page, call: string): Promise<number> =>
  page.evaluate(
    (part) =>
      Math.max(
        ...performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.includes(part))
          .map((entry) => (entry as PerformanceResourceTiming).responseEnd),
      ),
    call,
  )

await main()
