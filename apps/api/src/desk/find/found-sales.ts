import { MOST_FOUND } from '@tallyroom/contract/desk/find'
import type { PostbackItem } from '@tallyroom/contract/tracking/postbacks'
import { can } from '@tallyroom/domain/abilities'
import { eventTypeLabel } from '@tallyroom/domain/event-types'
import { decodeClickId, saysUnstored } from '@tallyroom/domain/click-id'
import { inSentence } from '@tallyroom/domain/invisible'
import { formatCount } from '@tallyroom/domain/money'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import { findClickById } from '../click-logs/click-logs.queries.ts'
import { type ClickIds, findPostbacksNaming } from '../../tracking/index.ts'
import { findSales, type SaleWanted } from '../sale-logs/find-sales.queries.ts'
import { WHOLE_ADDRESS } from '../sale-logs/search-sale-logs.ts'
import { meaningOf, postbackWords } from './meaning.ts'
import { type Ranked, RANK } from './rank.ts'

export type SaleServices = { db: Db; clock: Clock; clickIds: ClickIds }

/** What is found of one sale, and what it means if that is not the sale itself. */
export type SalesFound = { ranked: Ranked[]; meaning: string | null }

/** The shortest prefix of an order number that is searched. */
const SHORTEST_ORDER = 3

/** Finds sales by order number, address or click id, and without one, the click and the postbacks that name it. */
export async function salesFound(
  services: SaleServices,
  viewer: Viewer,
  text: string,
): Promise<SalesFound> {
  if (!can(viewer, 'logs.sales')) return NOTHING
  const id = text.toLowerCase()
  const click = decodeClickId(id)
  if (click) return byClickId(services, viewer, { id, agentId: click.agentId })

  const { db } = services
  const scope = scopeOf(viewer)
  const kind = kindOf(text)
  const wanted = kind === 'address' ? { email: text } : { order: text }
  const exact = await findRanked(db, scope, wanted, RANK.exact)
  if (exact.length > 0) return { ranked: exact, meaning: null }
  const beginnings =
    text.length < SHORTEST_ORDER || kind === 'address'
      ? []
      : await findRanked(db, scope, { orderBeginning: text }, RANK.beginningOfOrder)
  if (kind === 'name') return { ranked: beginnings, meaning: null }
  const postbacks = await postbacksSeen(services, viewer, { text })
  const isUnderway = beginnings.length > 0 && postbacks.total === 0
  return {
    ranked: [...presentPostbacks(viewer, { text }, postbacks), ...beginnings],
    // Somebody who is still typing an order number has found it already.
    meaning: isUnderway
      ? null
      : meaningOf({ viewer, named: { kind, text }, postbacks, click: undefined }),
  }
}

const NOTHING: SalesFound = { ranked: [], meaning: null }

async function byClickId(
  services: SaleServices,
  viewer: Viewer,
  { id, agentId }: { id: string; agentId: number },
): Promise<SalesFound> {
  const { db, clickIds } = services
  const scope = scopeOf(viewer)
  const ids = clickIds.spellings(id)
  const sales = await findRanked(db, scope, { agentId, clickIds: ids }, RANK.exact)
  if (sales.length > 0) return { ranked: sales, meaning: null }
  const fields = clickIds.read(id)
  const [click, postbacks] = await Promise.all([
    fields && findClickById(db, scope, fields),
    postbacksSeen(services, viewer, { clickIds: ids }),
  ])
  return {
    ranked: [
      ...(click ? [presentClick(id, click)] : []),
      ...presentPostbacks(viewer, { clickId: id }, postbacks),
    ],
    meaning: meaningOf({
      viewer,
      named: { kind: 'click', nonce: fields?.nonce },
      postbacks,
      click,
    }),
  }
}

function kindOf(text: string): 'number' | 'address' | 'name' {
  if (WHOLE_ADDRESS.test(text)) return 'address'
  // Whatever a merchant calls an order, it has a digit and no spaces.
  return /\d/.test(text) && !/\s/.test(text) && text.length >= SHORTEST_ORDER ? 'number' : 'name'
}

const findRanked = async (
  db: Db,
  scope: Scope,
  wanted: SaleWanted,
  rank: number,
): Promise<Ranked[]> => {
  const sales = await findSales(db, scope, wanted, MOST_FOUND)
  return sales.map((sale) => ({ found: presentSale(sale), rank }))
}

const presentSale = (sale: Awaited<ReturnType<typeof findSales>>[number]): Ranked['found'] => ({
  kind: 'sale',
  id: sale.eventId,
  label: sale.transactionId ?? sale.clickId,
  detail: [
    eventTypeLabel(sale.eventType, { useApproveSale: sale.useApproveSale ?? false }),
    sale.agent,
    sale.sitename,
    formatDateTime(sale.occurredAt),
  ]
    .filter(Boolean)
    .join(' · '),
  active: true,
})

type FoundClick = NonNullable<Awaited<ReturnType<typeof findClickById>>>

const presentClick = (id: string, click: FoundClick): Ranked => ({
  found: {
    kind: 'click',
    id,
    label: id,
    detail: [
      'Click without a sale',
      click.agentUsername,
      click.sitename,
      formatDateTime(click.clickedAt),
    ]
      .filter(Boolean)
      .join(' · '),
    active: true,
  },
  rank: RANK.exact,
})

type Postbacks = { items: PostbackItem[]; total: number }

/**
 * Staff see every postback. Others only learn of those that name a click or a coupon code of theirs, and nothing of those about
 * which somebody else's sale decides.
 */
async function postbacksSeen(
  { db, clock, clickIds }: SaleServices,
  viewer: Viewer,
  named: { text: string } | { clickIds: readonly string[] },
): Promise<Postbacks> {
  const search = (limit: number) => findPostbacksNaming({ db, now: clock.now() }, named, limit)
  if (can(viewer, 'postbacks.view')) return search(1)
  const found = await search(MOST_OF_OTHERS)
  const scope = scopeOf(viewer)
  const theirs: PostbackItem[] = []
  for (const postback of found.items) {
    const fields = postback.clickId === null ? undefined : clickIds.read(postback.clickId)
    if (!fields || postback.test) continue
    // A coupon's order, whose agent was decided when it came, has no click row. Its sale, if any, is of the office of then.
    const isTheirs = saysUnstored(fields)
      ? postback.eventId === null && isOfScope(scope, postback)
      : // oxlint-disable-next-line no-await-in-loop -- few, by primary key
        (await findClickById(db, scope, fields)) !== undefined
    if (isTheirs) theirs.push(postback)
  }
  return { items: theirs, total: theirs.length }
}

function isOfScope(scope: Scope, { agentId, companyId }: PostbackItem): boolean {
  if (scope.sees === 'everything') return true
  return companyId === scope.officeId && (scope.sees === 'office' || agentId === scope.agentId)
}

/** How many are looked through for those that name a click of the viewer's. */
const MOST_OF_OTHERS = 20

/** One line for staff. It leads to the list of them. */
function presentPostbacks(
  viewer: Viewer,
  named: { text: string } | { clickId: string },
  { items, total }: Postbacks,
): Ranked[] {
  const [newest] = items
  if (!newest || !can(viewer, 'postbacks.view')) return []
  const words = [
    newest.sitename,
    formatDateTime(new Date(newest.receivedAt)),
    postbackWords(newest),
  ]
  const id = 'text' in named ? named.text : named.clickId
  return [
    {
      found: {
        kind: 'postback',
        id,
        label:
          total === 1
            ? `Postback of ${inSentence(id)}`
            : `${formatCount(total)} postbacks of ${inSentence(id)}`,
        detail: words.filter(Boolean).join(' · '),
        active: true,
      },
      rank: RANK.exact,
    },
  ]
}
