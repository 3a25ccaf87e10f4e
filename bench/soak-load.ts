import { setTimeout as sleep } from 'node:timers/promises'
import { type Times, runOpenLoop } from './open-loop.ts'
import { BROWSER, clickIdIn, linkOf, randomLink, visitorIp } from './tracked-visits.ts'

/** Visitors, merchants and readers at once, in a separate process that sends its result as a message. */
export type SoakLoad = {
  port: number
  seconds: number
  redirectsPerSecond: number
  postbacksPerSecond: number
  /** What reports of everybody already show. */
  stored: { clicks: number; sales: number }
  /** Sessions of the readers; `seesAll`: the overall figures are the whole network's. */
  readers: { token: string; seesAll: boolean; views: string[] }[]
  /** The key of each site, beginning with site 1. */
  siteKeys: string[]
  /** New York days: today, the first day of this month, and a month that has ended. */
  days: { today: string; monthStart: string; lastMonth: { start: string; end: string } }
  agents: number
  sites: number
  typesPerSite: number
}

export type SoakResult = {
  redirect: Times
  postback: Times
  dashboard: Times
  statistics: Times
  /**
   * Reports of the whole network that lacked a click or sale acknowledged before they were
   * requested.
   */
  stale: number
}

const load = JSON.parse(process.argv[2] ?? '') as SoakLoad // written by soak.ts
const { port, seconds } = load
const betweenPagesMs = 1_000

let { clicks, sales } = load.stored
let transactions = 0
let stale = 0
/** Clicks that merchants may report. */
const reportable: { site: number; clickId: string }[] = []
const mostReportable = 1_000

const redirects = runOpenLoop({
  port,
  seconds,
  perSecond: load.redirectsPerSecond,
  goodStatus: 302,
  next() {
    const link = randomLink(load)
    const text = `GET ${linkOf(link)} HTTP/1.1\r\nhost: go.example\r\nx-forwarded-for: ${visitorIp()}\r\n${BROWSER}\r\n\r\n`
    return { text, request: link }
  },
  onGood(answer, { site }) {
    clicks++
    if (reportable.length < mostReportable)
      reportable.push({ site, clickId: clickIdIn(answer) ?? '' })
  },
})

const postbacks = runOpenLoop({
  port,
  seconds,
  perSecond: load.postbacksPerSecond,
  goodStatus: 201,
  next() {
    const click = reportable.shift()
    if (!click) return undefined
    const { site, clickId } = click
    const key = load.siteKeys[site - 1] ?? ''
    const text = `GET /api/postback/${site}?click_id=${clickId}&transaction_id=soak-${process.pid}-${++transactions} HTTP/1.1\r\nhost: back.example\r\nx-postback-key: ${key}\r\n\r\n`
    return { text, request: click }
  },
  onGood: () => void sales++,
})

const dashboard: Times = { ms: [], failed: 0 }
const statistics: Times = { ms: [], failed: 0 }
const endsAt = performance.now() + seconds * 1_000
const reading = load.readers.map(async (reader, place) => {
  await sleep((place * betweenPagesMs) / load.readers.length)
  for (let turn = place; performance.now() < endsAt; turn++) {
    if (turn % 2 === 0) {
      const path = turn % 4 === 0 ? '/api/home' : '/api/dashboard'
      await ask(dashboard, reader.token, path)
    } else await readStatistics(reader, turn)
    await sleep(betweenPagesMs)
  }
})

await Promise.all([...reading, postbacks, redirects])
process.send?.({
  redirect: await redirects,
  postback: await postbacks,
  dashboard,
  statistics,
  stale,
} satisfies SoakResult)

/** One question in four is about a month that has ended. */
async function readStatistics(
  { token, seesAll, views }: SoakLoad['readers'][number],
  turn: number,
): Promise<void> {
  const { today, monthStart, lastMonth } = load.days
  const isOver = turn % 8 === 1
  const range = isOver ? lastMonth : { start: monthStart, end: today }
  const groupBy = views[(turn >> 1) % views.length]
  const before = { clicks, sales }
  const report = await ask(statistics, token, '/api/stats/sites', { ...range, groupBy })
  if (!seesAll || isOver || !report) return
  const { overall } = report as { overall: { raws: number; sales: number } } // the contract's
  if (overall.raws < before.clicks || overall.sales < before.sales) stale++
}

async function ask(times: Times, token: string, path: string, body?: object): Promise<unknown> {
  const askedAt = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => error)
  if (!(answer instanceof Response && answer.ok)) {
    times.failed++
    console.error(path, body, answer instanceof Response ? await answer.text() : answer)
    return undefined
  }
  const text = await answer.text()
  times.ms.push(performance.now() - askedAt)
  return JSON.parse(text)
}
