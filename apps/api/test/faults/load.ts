import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { postbackAnswerSchema } from '@tallyroom/contract/tracking/postbacks'
import { DEFAULT_CLICK_PARAM, trackedLinkPath } from '@tallyroom/domain/tracked-link'
import { makeClerk, type Write } from './clerk.ts'
import { makeClient } from './client.ts'
import type { FaultWorld, Link } from './fault-world.ts'

/** Everything that was sent, and everything that was acknowledged. */
export type Sent = {
  /** The prefix of the `sub1` and the transaction id of everything that this load sends. */
  run: string
  /** By `sub1`. `clickId`: the visitor was redirected with it. */
  clicks: Map<string, { clickId: string | undefined }>
  /**
   * By transaction id. `promised`: an answer said that it is recorded, known, or waiting for its
   * click.
   */
  sales: Map<string, { link: Link; clickId: string; promised: boolean; recorded: number }>
  /** By the address that is added to the black list. */
  writes: Map<string, Write>
  /** The result of each request for a tracked link: its status, or 0 without an answer. */
  visits: { at: number; ms: number; status: number }[]
  /** How many postbacks got no answer, or were told to retry. */
  failedReports: number
  /** How many back-office writes got no answer, or were told to retry. */
  failedWrites: number
  /** Answers that nobody should get, whatever fails. */
  unexpected: string[]
}

export type Load = {
  sent: Sent
  /**
   * Resolves when {@link enough} has been answered, which takes longer on a slow machine; after a
   * minute at the latest.
   */
  untilEnough(): Promise<void>
  /**
   * Continues until that much was answered, then lets the last requests end and reports what is
   * still unanswered.
   */
  finish(): Promise<Sent>
}

/** The minimum that must be answered: less would prove nothing. */
export const enough = { clicks: 51, sales: 6, writes: 3 }

/** Node's own user agent counts as a crawler's. */
export const browser = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'

/** One client sends at most a hundred requests per second, because speed is not what is tested. */
const pauseMs = 10
const afterFailureMs = 100
/** Each write makes every process reload the black list. */
const betweenWritesMs = 50

/**
 * Visitors who follow tracked links, merchants who report a sale for some of the clicks, some of
 * them twice, and again whenever they got no answer, and one member of staff at work. Continues
 * whatever happens, until `finish`.
 */
export function startLoad(
  { url, links, session }: Pick<FaultWorld, 'url' | 'links' | 'session'>,
  { clients = 12 } = {},
): Load {
  const client = makeClient(url, clients)
  const run = randomBytes(4).toString('hex')
  const sent = nothingSent(run)
  const toReport: string[] = []
  let isFinishing = false
  // A merchant who waits for an answer does not hold up visitors.
  const clerk = makeClerk(sent, client, session)
  const working = Array.from({ length: clients }, (_, number) =>
    work(number === 0 ? administer : number % 3 ? follow : merchant),
  )

  async function work(once: () => Promise<unknown>): Promise<void> {
    while (!isFinishing) await Promise.all([once(), sleep(pauseMs)])
  }

  async function follow(): Promise<void> {
    const link = pick(links)
    const clickId = await visit(link)
    if (clickId === undefined) await sleep(afterFailureMs)
    else if (Math.random() < 0.2) begin(link, clickId)
  }

  async function merchant(): Promise<void> {
    const transaction = toReport.shift()
    if (transaction === undefined) return
    const isAnswered = await report(transaction)
    if (!isAnswered) await sleep(afterFailureMs)
    if (!isAnswered || Math.random() < 0.1) toReport.push(transaction)
  }

  async function administer(): Promise<void> {
    await sleep((await clerk()) ? betweenWritesMs : afterFailureMs)
  }

  /** The click id with which a visitor was redirected. */
  async function visit(link: Link): Promise<string | undefined> {
    const marker = `${run}-${sent.clicks.size}`
    const click = { clickId: undefined as string | undefined }
    sent.clicks.set(marker, click)
    const startedAt = performance.now()
    // Some programs treat U+2028 as a line end.
    const other = Math.random() < 0.2 ? '&sub2=a%E2%80%A8b' : ''
    const answer = await client.ask('GET', `${trackedLinkPath(link)}?sub1=${marker}${other}`, {
      'x-forwarded-for': `198.18.${Math.floor(Math.random() * 8)}.${Math.floor(Math.random() * 256)}`,
      'user-agent': browser,
      referer: `https://blog.example/${Math.floor(Math.random() * 50)}`,
    })
    const status = answer?.status ?? 0
    sent.visits.push({ at: startedAt, ms: performance.now() - startedAt, status })
    if (status === 302) {
      click.clickId = new URL(answer?.location ?? '').searchParams.get(DEFAULT_CLICK_PARAM) ?? ''
    } else if (![0, 503].includes(status)) {
      sent.unexpected.push(`a visit was answered ${status}: ${answer?.body}`)
    }
    return click.clickId
  }

  function begin(link: Link, clickId: string): void {
    const transaction = `${run}-${sent.sales.size}`
    sent.sales.set(transaction, { link, clickId, promised: false, recorded: 0 })
    toReport.push(transaction)
  }

  /** Whether an answer made a promise. */
  async function report(transaction: string): Promise<boolean> {
    const sale = sent.sales.get(transaction)
    if (!sale) throw new RangeError(`there is no sale ${transaction}`)
    const query = new URLSearchParams({
      key: sale.link.key,
      click_id: sale.clickId,
      transaction_id: transaction,
    })
    const answer = await client.ask(
      'GET',
      `/api/postback/${sale.link.siteId}?${query.toString()}`,
      {},
    )
    if (!answer || answer.status === 503) {
      sent.failedReports++
      return false
    }
    const outcome = outcomes[answer.status]
    if (outcome && postbackAnswerSchema.parse(JSON.parse(answer.body)).outcome === outcome) {
      sale.promised = true
      if (outcome === 'recorded') sale.recorded++
    } else {
      sent.unexpected.push(`a postback was answered ${answer.status}: ${answer.body}`)
    }
    return true
  }

  async function untilEnough(): Promise<void> {
    const latest = performance.now() + 60_000
    while (!isEnough(sent) && performance.now() < latest) await sleep(pauseMs)
  }

  return {
    sent,
    untilEnough,
    async finish() {
      await untilEnough()
      isFinishing = true
      await Promise.all(working)
      const deadline = performance.now() + 20_000
      const last = Array.from({ length: clients }, async () => {
        while (toReport.length > 0 && performance.now() < deadline) await merchant()
      })
      await Promise.all(last)
      while (performance.now() < deadline && !(await clerk())) await sleep(afterFailureMs)
      client.close()
      return sent
    },
  }
}

const isEnough = ({ clicks, sales, writes }: Sent): boolean =>
  count(clicks, ({ clickId }) => clickId !== undefined) >= enough.clicks &&
  count(sales, ({ promised }) => promised) >= enough.sales &&
  count(writes, ({ answers }) => answers.includes(200)) >= enough.writes

const count = <T>(things: Map<string, T>, is: (thing: T) => boolean): number =>
  [...things.values()].filter(is).length

const outcomes: Record<number, string> = { 200: 'duplicate', 201: 'recorded', 202: 'waiting' }

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new RangeError('there is nothing to pick from')
  return item
}

/**
 * How visits that began within a time span ended. `p99Ms` and `longestMs` are of the answered ones.
 */
export function visitsBetween(sent: Sent, from: number, before: number) {
  const visits = sent.visits.filter(({ at }) => at >= from && at < before)
  const times = visits
    .filter(({ status }) => status > 0)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b)
  return {
    count: visits.length,
    sentOn: visits.filter(({ status }) => status === 302).length,
    p99Ms: Math.round(times[Math.floor(times.length * 0.99)] ?? 0),
    longestMs: Math.round(times.at(-1) ?? 0),
  }
}

/** The record of a load that is about to begin. */
export const nothingSent = (run: string): Sent => ({
  run,
  clicks: new Map(),
  sales: new Map(),
  writes: new Map(),
  visits: [],
  failedReports: 0,
  failedWrites: 0,
  unexpected: [],
})
