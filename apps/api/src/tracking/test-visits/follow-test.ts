import { TEST_AGENT_ID } from '@tallyroom/domain/click-id'
import type { TestVisit } from '@tallyroom/contract/desk/link-tests'
import { LONGEST_PAGE } from '@tallyroom/domain/merchant-page'
import { PAGE_PARAM } from '@tallyroom/domain/tracked-link'
import type { Db } from '../../db/database.ts'
import { type TestMarks, testOf } from './test-marks.ts'
import { noteVisit } from './test-visits.queries.ts'
import type { TestVisits } from '../clicks/clicks.ts'
import type { ClickIds } from '../clicks/click-id-signer.ts'
import {
  cleanText,
  type Decision,
  decideClick,
  firstOf,
  type Known,
  LONGEST_REFERRER,
  othersIn,
  type Visit,
} from '../clicks/decide-click.ts'

/** Visits that are noted at once: a flood of them waits for no click's connection. */
const MOST_AT_ONCE = 4

/** What is kept of other parameters. */
const MOST = { others: 30, text: 200 }

/** Tells the visits of links that somebody tries out from others, and leads them on. */
export const makeTestVisits = (services: {
  db: Db
  clickIds: ClickIds
  testMarks: TestMarks
}): TestVisits => {
  const noting = new Set<string>()
  return {
    idOf: (visit) => testOf(services.testMarks, visit),
    follow: (testId, visit, known) => followTest(testId, visit, { ...services, known, noting }),
  }
}

/**
 * Leads a visit of a link that somebody tries out where any other would get, with a click id of nobody, and notes what it was
 * instead of recording it.
 */
async function followTest(
  testId: string,
  visit: Visit,
  {
    db,
    clickIds,
    known,
    noting,
  }: { db: Db; clickIds: ClickIds; known: Known; noting: Set<string> },
): Promise<'unknown' | 'inactive' | { url: string }> {
  const decision = decideClick(visit, { ...known, limit: NO_LIMIT })
  const url = decision.outcome === 'sent on' ? urlOf(decision, clickIds) : undefined
  // However often one is opened at once, one connection to the database notes it.
  if (visit.method !== 'HEAD' && !noting.has(testId) && noting.size < MOST_AT_ONCE) {
    noting.add(testId)
    try {
      await noteVisit(db, testId, visitOf(visit, decision, url))
    } finally {
      noting.delete(testId)
    }
  }
  return decision.outcome === 'sent on' ? { url: url?.url ?? '' } : decision.outcome
}

/** A test counts for no limit either. */
const NO_LIMIT: Known['limit'] = { takes: () => true }

type SentOn = Extract<Decision, { outcome: 'sent on' }>

function urlOf({ click, target, brought, subs }: SentOn, clickIds: ClickIds) {
  const { siteId, typeId, agentId, officeId } = click
  const clickId = clickIds.sign({ ...click, agentId: TEST_AGENT_ID })
  return {
    clickId,
    url: target.urlOf({ clickId, siteId, typeId, agentId, officeId, subs }, brought),
  }
}

function visitOf(
  visit: Visit,
  decision: Decision,
  handed: { clickId: string; url: string } | undefined,
): TestVisit {
  const to = cleanText(firstOf(visit.query[PAGE_PARAM]), LONGEST_PAGE)
  const seen = {
    at: visit.at.toISOString(),
    ...(to && { to }),
    others: othersIn(visit.query)
      .slice(0, MOST.others)
      .map(([name, value]) => ({ name: cut(name), value: cut(value) })),
    userAgent: cut(visit.userAgent ?? ''),
    fromIp: visit.ip,
    referer: (visit.referrer && cleanText(visit.referrer, LONGEST_REFERRER)) || null,
  }
  if (decision.outcome !== 'sent on')
    return {
      ...seen,
      outcome: decision.outcome,
      uncounted: null,
      note: null,
      forwards: false,
      url: null,
      clickId: null,
    }
  const { click, target, keep } = decision
  return {
    ...seen,
    ...click.subs,
    outcome: 'sent on',
    uncounted: keep === 'crawler visit' ? 'crawler' : (click.uncounted ?? null),
    note:
      click.note === undefined
        ? null
        : click.note === 'page elsewhere'
          ? click.note
          : 'offer ended',
    forwards: target.forwards,
    url: handed?.url ?? null,
    clickId: handed?.clickId ?? null,
  }
}

const cut = (text: string): string => cleanText(text, MOST.text)
