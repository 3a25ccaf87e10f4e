import { randomBytes } from 'node:crypto'
import { trackedLinkPath } from '@tallyroom/domain/tracked-link'
import type { Link } from '../apps/api/test/faults/fault-world.ts'
import { nothingSent, type Sent } from '../apps/api/test/faults/load.ts'
import { runOpenLoop } from './open-loop.ts'
import { BROWSER, clickIdIn, visitorIp } from './tracked-visits.ts'

export type SteadyLoad = {
  port: number
  links: readonly Link[]
  redirectsPerSecond: number
  postbacksPerSecond: number
  seconds: number
}

/** A merchant without an answer, or with 503, retries after this long. */
const retryAfterMs = 2_000
/** How long merchants continue after the last visitor. */
const patienceSeconds = 120

/**
 * Visitors at a fixed rate, and merchants who report a sale for some of the clicks, one in five of
 * them twice, and again whenever they got no answer. Resolves once every sale was answered; returns
 * what was sent and what was acknowledged.
 */
export async function runSteadyLoad({ port, links, seconds, ...rates }: SteadyLoad): Promise<Sent> {
  const run = randomBytes(4).toString('hex')
  const sent = nothingSent(run)
  const toReport: { transaction: string; notBefore: number }[] = []
  const clicksPerSale = Math.max(1, Math.ceil(rates.redirectsPerSecond / rates.postbacksPerSecond))
  let underWay = 0

  const visitors = runOpenLoop({
    port,
    seconds,
    perSecond: rates.redirectsPerSecond,
    goodStatus: 302,
    next() {
      const link = links[sent.clicks.size % links.length]
      if (!link) return undefined
      const marker = `${run}-${sent.clicks.size}`
      const request = { link, marker, sentAt: performance.now() }
      sent.clicks.set(marker, { clickId: undefined })
      const path = `${trackedLinkPath(link)}?sub1=${marker}`
      const text = `GET ${path} HTTP/1.1\r\nhost: go.example\r\nx-forwarded-for: ${visitorIp()}\r\n${BROWSER}\r\n\r\n`
      return { text, request }
    },
    onGood(answer, { link, marker, sentAt }, ms) {
      const clickId = clickIdIn(answer) ?? ''
      sent.clicks.set(marker, { clickId })
      sent.visits.push({ at: sentAt, ms, status: 302 })
      if (sent.clicks.size % clicksPerSale === 0) report(link, clickId)
    },
    onOther(answer, { sentAt }, ms) {
      const status = statusOf(answer)
      sent.visits.push({ at: sentAt, ms, status })
      if (status !== 503 && answer) sent.unexpected.push(`a visit was answered: ${answer}`)
    },
  })
  const reports = (forSeconds: number) =>
    runOpenLoop({
      port,
      seconds: forSeconds,
      // Retries must not hold up new ones.
      perSecond: rates.postbacksPerSecond * 3,
      goodStatus: 201,
      next() {
        const now = performance.now()
        const place = toReport.findIndex(({ notBefore }) => notBefore <= now)
        const [due] = place < 0 ? [] : toReport.splice(place, 1)
        if (!due) return undefined
        const { transaction } = due
        const { link, clickId } = saleOf(transaction)
        underWay++
        const query = `click_id=${clickId}&transaction_id=${transaction}`
        const text = `GET /api/postback/${link.siteId}?${query} HTTP/1.1\r\nhost: back.example\r\nx-postback-key: ${link.key}\r\n\r\n`
        return { text, request: transaction }
      },
      onGood: (_, transaction) => answered(transaction, 201),
      onOther: (answer, transaction) => answered(transaction, statusOf(answer), answer),
    })

  function report(link: Link, clickId: string): void {
    const transaction = `${run}-${sent.sales.size}`
    sent.sales.set(transaction, { link, clickId, promised: false, recorded: 0 })
    toReport.push({ transaction, notBefore: 0 })
    if (sent.sales.size % 5 === 0)
      toReport.push({ transaction, notBefore: performance.now() + retryAfterMs })
  }

  function answered(transaction: string, status: number, answer?: string): void {
    underWay--
    const sale = saleOf(transaction)
    if (status === 201) sale.recorded++
    if ([200, 201, 202].includes(status)) sale.promised = true
    else if (status === 0 || status === 503) {
      sent.failedReports++
      toReport.push({ transaction, notBefore: performance.now() + retryAfterMs })
    } else sent.unexpected.push(`a postback was answered: ${answer}`)
  }

  function saleOf(transaction: string) {
    const sale = sent.sales.get(transaction)
    if (!sale) throw new RangeError(`there is no sale ${transaction}`)
    return sale
  }

  await Promise.all([visitors, reports(seconds)])
  const deadline = performance.now() + patienceSeconds * 1_000
  while (toReport.length + underWay > 0 && performance.now() < deadline) await reports(1)
  return sent
}

/** 0 without an answer. */
const statusOf = (answer: string | undefined): number => Number(answer?.split(' ', 2)[1] ?? 0)
