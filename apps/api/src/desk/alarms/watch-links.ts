import { HOUR_MS, type LinkAlarm, LINK_ALARMS } from '@tallyroom/domain/alarms'
import { brandOf, headerNameOf } from '@tallyroom/domain/brands/index'
import { compileDestination } from '@tallyroom/domain/destination'
import type { Tx } from '../../db/database.ts'
import { locks } from '../../db/locks.ts'
import { onlyOne } from '../../db/only-one.ts'
import { inTransaction } from '../../db/transaction.ts'
import { MOST_SKEW_MS } from '../../lib/clock.ts'
import { type SafeAnswer, type SafeFetch, SafeFetchError } from '../../lib/net/safe-fetch.ts'
import type { Services } from '../../services.ts'
import { isOurPage, makeClickIds, makeTestClick } from '../../tracking/index.ts'
import { findOpenOf, findQuietSites, insertAlarm } from './alarms.queries.ts'
import {
  claimDueLinks,
  type DueLink,
  findLinkAlarmsWithout,
  keepAnswer,
} from './link-checks.queries.ts'
import { endAndTell, tellOf } from './tell-of-alarms.ts'

type LinkServices = Pick<
  Services,
  'config' | 'db' | 'clock' | 'log' | 'secret' | 'formerSecrets'
> & { fetch: SafeFetch }

const DAY_MS = 24 * HOUR_MS
/** A run asks so many, a few at once: the others are due in the next one. */
const MOST_ASKED = 60
const AT_ONCE = 4
const AGAIN_MS = 4 * 60_000
/** A single failure is no news. */
const FAILURES = 2
const CERTIFICATE_DAYS = 14
/** A target that has moved for so long is where it belongs. */
const MOVED_MS = 7 * DAY_MS
const REDIRECTS = 5

/**
 * Asks what links lead to: the target of each link type with clicks in the last day, as a visitor would, and each preferred
 * domain, once an hour. Raises alarms and ends them.
 */
export async function watchLinks(services: LinkServices, stopping?: AbortSignal): Promise<void> {
  const due = await onlyOne(services.db, locks.alarms, async (tx) => {
    const { now } = tx
    await endAndTell(tx, await findLinkAlarmsWithout(tx), now)
    return claimDueLinks(tx, {
      now,
      clickedSince: new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10),
      askedBefore: new Date(now.getTime() - HOUR_MS + AGAIN_MS),
      failedBefore: new Date(now.getTime() - AGAIN_MS),
      latest: new Date(now.getTime() + MOST_SKEW_MS),
      limit: MOST_ASKED,
    })
  })
  if (due === 'busy') return
  const waiting = due.filter(({ url }) => !isReserved(url))
  const ask = async () => {
    for (let link = waiting.pop(); link && !stopping?.aborted; link = waiting.pop()) {
      await askOne(services, link, stopping)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
}

/** Names that lead nowhere by design (RFC 2606): those of demos and tests. */
function isReserved(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return /(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org))$/.test(host)
}

async function askOne(
  services: LinkServices,
  link: DueLink,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const answer = await answerOf(services, link, stopping)
  if (stopping?.aborted) return
  await inTransaction(services.db, async (tx) => {
    const { now } = tx
    const quiet = link.siteId !== null && (await findQuietSites(tx, now)).has(link.siteId)
    const open = new Map((await findOpenOf(tx, link)).map((alarm) => [alarm.kind, alarm]))
    const moved = open.get('target-moved')
    const hasSettled = moved && now.getTime() - moved.raisedAt.getTime() >= MOVED_MS
    const { failures, host, found } = judge(
      hasSettled ? { ...link, host: null } : link,
      answer,
      now,
    )
    await keepAnswer(tx, link, { failures, host })
    for (const kind of LINK_ALARMS) {
      const alarm = open.get(kind)
      const detail = found[kind]
      if (detail === undefined && alarm) await endAndTell(tx, [alarm.id], now)
      if (typeof detail === 'string' && !alarm && !quiet) await raise(tx, link, kind, detail, now)
    }
  })
}

async function raise(
  tx: Tx,
  link: DueLink,
  kind: LinkAlarm,
  detail: string,
  now: Date,
): Promise<void> {
  const id = await insertAlarm(tx, {
    watched: link.watched,
    id: link.id,
    kind,
    site_id: link.siteId,
    raised_at: now,
    since: now,
    detail,
  })
  if (id !== undefined) await tellOf(tx, 'alarm.raised', [id], now)
}

type Answer = SafeAnswer | { refusal: string }

async function answerOf(
  { config, fetch, secret, formerSecrets, clock }: LinkServices,
  { watched, id, siteId, url, clickParam }: DueLink,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  try {
    const asked =
      watched === 'domain'
        ? `${url}/api/links/go/0/0/0`
        : compileDestination(
            url,
            clickParam,
          )({
            clickId: makeTestClick(makeClickIds(secret, formerSecrets), id, clock.now()),
            siteId: siteId ?? 0,
            typeId: id,
            agentId: 0,
            officeId: 0,
            subs: {},
          })
    return await fetch(asked, {
      headers: { 'user-agent': userAgentOf(config), accept: 'text/html,*/*;q=0.8' },
      redirects: watched === 'domain' ? 0 : REDIRECTS,
      ...(signal && { signal }),
    })
  } catch (error) {
    if (!(error instanceof SafeFetchError) && !(error instanceof RangeError)) throw error
    return { refusal: error.message }
  }
}

const userAgentOf = ({ brand }: Services['config']): string =>
  `Mozilla/5.0 (compatible; ${headerNameOf(brandOf(brand))} link check)`

type Judged = {
  failures: number
  host: string | null
  /** What is wrong, in words; null: nobody can say, so that an alarm stays as it is; undefined: nothing. */
  found: Partial<Record<LinkAlarm, string | null>>
}

function judge({ watched, host, failures, url }: DueLink, answer: Answer, now: Date): Judged {
  const kind = watched === 'domain' ? 'domain-fails' : 'target-fails'
  const failed = (words: string): Judged => ({
    failures: failures + 1,
    host,
    found: {
      [kind]: failures + 1 >= FAILURES ? words : null,
      'target-moved': null,
      certificate: null,
    },
  })
  if ('refusal' in answer) return failed(answer.refusal)
  const { status, certificateEnds } = answer
  const certificate =
    certificateEnds && certificateEnds.getTime() - now.getTime() < CERTIFICATE_DAYS * DAY_MS
      ? `${new URL(answer.url).hostname}, until ${certificateEnds.toISOString().slice(0, 10)}`
      : undefined
  if (watched === 'domain') {
    const isOurs = isOurPage(status, answer.body.toString('utf8'))
    const words = `${url} answered with status ${status}, and not with our page.`
    return isOurs ? { failures: 0, host, found: found({ certificate }) } : failed(words)
  }
  // A merchant may keep programs out, or slow them down: its visitors may come in.
  const isClosed = [401, 403, 405, 406, 429].includes(status)
  const isRedirect = status >= 300 && status < 400
  if ((status >= 400 && !isClosed) || isRedirect)
    return failed(`It answered with status ${status}.`)
  const ended = new URL(answer.url).host
  const hasMoved = host !== null && host !== ended
  return {
    failures: 0,
    host: host ?? ended,
    found: found({
      certificate,
      'target-moved': hasMoved
        ? `It ends at ${ended} now, and ended at ${host} before.`
        : undefined,
    }),
  }
}

/** Without what is not wrong. */
const found = (all: { [Kind in LinkAlarm]?: string | undefined }): Judged['found'] =>
  Object.fromEntries(Object.entries(all).filter(([, words]) => words !== undefined))
