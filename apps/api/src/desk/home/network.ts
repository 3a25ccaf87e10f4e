import type { Home } from '@tallyroom/contract/desk/home'
import { can } from '@tallyroom/domain/abilities'
import { addDays, startOfDay } from '@tallyroom/domain/new-york'
import { sightOf } from '../../access/sight.ts'
import { findApprovalQueue } from '../../people/index.ts'
import {
  findPeriodsToClose,
  countAccountsToConfirm,
  findDisowned,
  countProposalsToApprove,
  countRunsToApprove,
  findOpenRefusals,
} from '../../pay/index.ts'
import {
  ASK_AFTER_DAYS,
  findOpenPostbacks,
  findOverdue,
  findWaitingWords,
  UNMATCHED_AFTER_MS,
} from '../../tracking/index.ts'
import { type HomeReader, needOf, NOTHING, presentSums } from './home-reader.ts'
import { findSiteNames, findSitesOfDay, type PartSums } from './home.queries.ts'
import { listOpenAlarms } from '../alarms/alarms.ts'

type Network = NonNullable<Home['network']>

/** How far back postbacks are read. */
const daysRead = 14
const alarmsShown = 20
export const WORDS_SHOWN = 50

/** The network today compared with the same hours a week before, and what needs attention. */
export async function readNetwork(
  reader: HomeReader,
  weekAgo: readonly PartSums[],
): Promise<Network> {
  const postbacksFrom = addDays(reader.today, 1 - daysRead)
  return {
    sites: await readSites(reader, weekAgo),
    needs: await readNeeds(reader, postbacksFrom),
    postbacksFrom,
    alarms: await listOpenAlarms(reader, alarmsShown),
  }
}

async function readSites(
  { tx, scope, today, visible }: HomeReader,
  before: readonly PartSums[],
): Promise<Network['sites']> {
  const now = await findSitesOfDay(tx, scope, today)
  const ids = new Set([...now, ...before].map(({ site_id }) => site_id))
  const names = await findSiteNames(tx, [...ids])
  const rows = [...ids].map((siteId) => {
    const soldBefore = before.find(({ site_id }) => site_id === siteId)
    const { uniques: _byWholeDays, ...sumsBefore } = presentSums(
      { ...NOTHING, ...soldBefore },
      visible,
    )
    return {
      siteId,
      sitename: names.get(siteId) ?? '',
      sums: presentSums(now.find(({ site_id }) => site_id === siteId) ?? NOTHING, visible),
      before: sumsBefore,
    }
  })
  return rows.toSorted(
    (a, b) =>
      b.sums.sales - a.sums.sales ||
      b.before.sales - a.before.sales ||
      (b.sums.uniques ?? 0) - (a.sums.uniques ?? 0) ||
      a.siteId - b.siteId,
  )
}

/** What waits for a decision of the viewer's. */
export async function readNeeds(
  { tx, viewer, now, today }: Pick<HomeReader, 'tx' | 'viewer' | 'now' | 'today'>,
  postbacksFrom: string,
): Promise<Network['needs']> {
  const seesPostbacks = can(viewer, 'postbacks.view')
  const open =
    seesPostbacks &&
    (await findOpenPostbacks(tx, {
      from: startOfDay(postbacksFrom),
      today,
      unmatchedBefore: new Date(now.getTime() - UNMATCHED_AFTER_MS),
    }))
  return {
    held: open
      ? open.held
          .filter(({ kind }) => kind !== 'new-word')
          .map(({ since, ...kind }) => ({ ...kind, since: since.toISOString() }))
      : [],
    words: seesPostbacks ? await readWords(tx, today) : [],
    unmatched: open ? needOf(open.unmatched) : null,
    waiting: open ? needOf(open.waiting) : null,
    pending: seesPostbacks
      ? needOf(await findOverdue(tx, startOfDay(addDays(today, 1 - ASK_AFTER_DAYS))))
      : null,
    unapproved: can(viewer, 'agents.approve')
      ? needOf(await findApprovalQueue(tx, sightOf(viewer)))
      : null,
    ...(can(viewer, 'pay.manage') && { pay: await readPayNeeds({ tx, viewer, now, today }) }),
  }
}

/** What sites have sent for the first time, without what was put off or decided a moment ago. */
async function readWords(
  tx: HomeReader['tx'],
  today: HomeReader['today'],
): Promise<Network['needs']['words']> {
  const words = await findWaitingWords(tx, { isNew: true, dueOn: today, limit: WORDS_SHOWN })
  return words.map(({ siteId, sitename, name, word, event, count, since }) => ({
    siteId,
    sitename,
    parameter: name,
    value: word,
    event,
    count,
    since: since.toISOString(),
  }))
}

async function readPayNeeds({
  tx,
  viewer,
  now,
  today,
}: Pick<HomeReader, 'tx' | 'viewer' | 'now' | 'today'>): Promise<Network['needs']['pay']> {
  const periods = await findPeriodsToClose(tx, today)
  if (!periods) return undefined
  const disowned = await findDisowned(tx)
  const { runId, ...refusals } = await findOpenRefusals(tx)
  const open = needOf(refusals)
  return {
    periods: needOf(periods),
    accounts: needOf(await countAccountsToConfirm(tx, now, viewer.accountId)),
    disowned: needOf({ count: disowned.length, since: disowned[0]?.saidAt ?? null }),
    runs: needOf(await countRunsToApprove(tx, now, viewer.accountId)),
    proposals: needOf(await countProposalsToApprove(tx, now, viewer.accountId)),
    contradicted: open && runId !== null ? { ...open, runId } : null,
  }
}
