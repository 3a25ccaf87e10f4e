import {
  type ClickLogItem,
  type ClickLogsSearch,
  MOST_CLICKS_OF_ADDRESS,
} from '@tallyroom/contract/desk/click-logs'
import type { ClickIdFields } from '@tallyroom/domain/click-id'
import { type BrandFlags, brandOf } from '@tallyroom/domain/brands/index'
import { addDays, addMonths, type Day, lastDayOfMonth, monthOf } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { buildTrackedLink } from '@tallyroom/domain/tracked-link'
import { type ClickSight, clickSightOf } from '../../access/click-sight.ts'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { invalid } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { canonicalIp } from '../../lib/net/ip-address.ts'
import { findDetailsSince, type ClickIds, openedLink } from '../../tracking/index.ts'
import { findVisibleAmounts } from '../../catalogue/index.ts'
import { prepareBySub, readTotals, type SubFilter } from '../../totals/index.ts'
import {
  countClicksBy,
  countClicksOfAddress,
  countClicksOfSub,
  countCrawlerVisits,
  countSalesOf,
} from './click-counts.queries.ts'
import type { ClickFilter } from './click-filter.queries.ts'
import {
  type ClickRow,
  findClick,
  findClicksOfDays,
  findClicksOfFrequentAddress,
  findClicksOfSub,
  gatherClicksOfAddress,
  planForAddress,
} from './click-logs.queries.ts'
import { type DayCount, endsOf, placeOfPage } from './place-of-page.ts'

export type ClickLogServices = Pick<Services, 'db' | 'reportDb' | 'clock' | 'config'> & {
  clickIds: ClickIds
}

type Answer = {
  items: ClickLogItem[]
  total: number
  totalIsMore: boolean
  detailsSince: Day | null
  crawlers: { visits: number } & DateRange
}
type Page = { rows: ClickRow[]; total: number; totalIsMore: boolean }

/** A page of the clicks in the viewer's scope, from one snapshot of clicks and totals. */
export async function searchClickLogs(
  services: ClickLogServices,
  viewer: Viewer,
  search: ClickLogsSearch,
): Promise<Answer> {
  const { flags } = brandOf(services.config.brand)
  const ip = addressOf(search, flags)
  const scope = scopeOf(viewer)
  const { clickId } = search
  const click =
    clickId === undefined ? undefined : (services.clickIds.read(clickId.toLowerCase()) ?? null)
  const nameOf = (row: ClickRow) =>
    services.clickIds.name({ ...row, clickedAtMs: row.clickedAt.getTime() })
  const { page, ...others } = await readTotals(
    services,
    async (tx, today) => {
      const detailsSince = await findDetailsSince(tx)
      const filter = { ...filterOf(search, today), detailsSince }
      const range = crawlerRange(filter)
      const found = await pageOf(tx, scope, { ...filter, ip, click }, search)
      const named = found.rows.map((row) => ({ agentId: row.agentId, clickId: nameOf(row) }))
      return {
        page: found,
        detailsSince,
        sales: await countSalesOf(tx, scope, named, await findVisibleAmounts(tx, viewer)),
        crawlers: { ...range, visits: await countCrawlerVisits(tx, scope, { ...filter, range }) },
      }
    },
    { scope, until: search.end },
  )
  const { rows, ...totals } = page
  const sees = clickSightOf(viewer, flags)
  const items = rows.map((row) => ({
    ...presentClick(row, { sees, ...services }),
    sales: others.sales.get(nameOf(row)) ?? 0,
  }))
  return { items, ...totals, detailsSince: others.detailsSince, crawlers: others.crawlers }
}

async function pageOf(
  tx: Tx,
  scope: Scope,
  { ip, click, ...filter }: ClickFilter & WantedClicks,
  search: ClickLogsSearch,
): Promise<Page> {
  if (filter.range.start > filter.range.end || click === null) return NO_CLICKS
  if (click) {
    const rows = await findClick(tx, scope, filter, click)
    const found = rows.filter((row) => ip === undefined || row.ip === ip)
    return { rows: search.page === 1 ? found : [], total: found.length, totalIsMore: false }
  }
  if (ip !== undefined) {
    await planForAddress(tx)
    return pageOfAddress(tx, scope, { ...filter, ip }, search)
  }
  const { sub } = filter
  return sub
    ? pageOfSub(tx, scope, { ...filter, sub }, search)
    : pageByDays(tx, scope, filter, search)
}

type WantedClicks = {
  ip: string | undefined
  /** Null if the text is not the id of a click. */
  click: ClickIdFields | null | undefined
}

const NO_CLICKS: Page = { rows: [], total: 0, totalIsMore: false }

const MOST_CRAWLER_DAYS = 92

/** The searched days, at most the last 92: crawler counts are per link and day, not in the totals. */
function crawlerRange({ range: { start, end }, today }: ClickFilter): DateRange {
  const last = end < today ? end : today
  const earliest = addDays(last, 1 - MOST_CRAWLER_DAYS)
  return { start: start > earliest ? start : earliest, end: last }
}

/**
 * Uses the clicks per month and day from the totals. Their sum is the length of the list, and they lead to the
 * days of any page, so nothing is counted from the clicks themselves.
 */
async function pageByDays(
  tx: Tx,
  scope: Scope,
  filter: ClickFilter,
  { page, pageSize, sortAsc }: ClickLogsSearch,
): Promise<Page> {
  const unit = hasWholeMonth(filter.range) ? 'month' : 'day'
  const inOrder = (counts: DayCount[]) => (sortAsc ? counts : counts.toReversed())
  const counts = await countClicksBy(unit, tx, scope, filter)
  const total = counts.reduce((sum, { clicks }) => sum + clicks, 0)
  const order = { sortAsc, limit: pageSize }
  let place = placeOfPage(inOrder(counts), { ...order, offset: (page - 1) * pageSize })
  if (place && unit === 'month') {
    const near = { ...filter, range: daysOfMonths(place.days, filter.range) }
    const days = await countClicksBy('day', tx, scope, near)
    place = placeOfPage(inOrder(days), { ...order, offset: place.offset })
  }
  const rows = place
    ? await findClicksOfDays(tx, scope, { ...filter, days: place.days }, { ...order, ...place })
    : []
  return { rows, total, totalIsMore: false }
}

/** Otherwise there is no need to count by month first. */
function hasWholeMonth({ start, end }: DateRange): boolean {
  const first = start === monthOf(start) ? start : addMonths(start, 1)
  return lastDayOfMonth(first) <= end
}

/** The part of a range in the given months, which are identified by their first days. */
function daysOfMonths(months: readonly Day[], { start, end }: DateRange): DateRange {
  const [first, last] = endsOf(months)
  return {
    start: first > start ? first : start,
    end: lastDayOfMonth(last) < end ? lastDayOfMonth(last) : end,
  }
}

/** The totals have no addresses. An address rarely has many clicks, so these are counted, up to a limit. */
async function pageOfAddress(
  tx: Tx,
  scope: Scope,
  filter: ClickFilter & { ip: string },
  { page, pageSize, sortAsc }: ClickLogsSearch,
): Promise<Page> {
  const offset = (page - 1) * pageSize
  // Counting and paging have the same limit.
  const limit = Math.max(0, Math.min(pageSize, MOST_CLICKS_OF_ADDRESS - offset))
  const order = { sortAsc, limit, offset }
  const most = MOST_CLICKS_OF_ADDRESS + 1
  const rows = await gatherClicksOfAddress(tx, scope, filter, { ...order, most })
  const found =
    rows[0]?.found ?? (offset === 0 ? 0 : await countClicksOfAddress(tx, scope, filter, most))
  if (found < most) return { rows, total: found, totalIsMore: false }
  return {
    rows: limit === 0 ? [] : await findClicksOfFrequentAddress(tx, scope, filter, order),
    total: MOST_CLICKS_OF_ADDRESS,
    totalIsMore: true,
  }
}

/**
 * The totals have no sub ids either.
 *
 * @throws VALIDATION_ERROR for too many clicks.
 */
async function pageOfSub(
  tx: Tx,
  scope: Scope,
  filter: ClickFilter & { sub: SubFilter },
  { page, pageSize, sortAsc }: ClickLogsSearch,
): Promise<Page> {
  const { range, today, officeId, agentId } = filter
  const { agentIds } = await prepareBySub(tx, scope, {
    range,
    today,
    filter: { officeId, agentIds: agentId === undefined ? undefined : [agentId] },
  })
  const order = { sortAsc, limit: pageSize, offset: (page - 1) * pageSize }
  return {
    rows: await findClicksOfSub(tx, scope, filter, agentIds, order),
    total: await countClicksOfSub(tx, scope, filter, agentIds),
    totalIsMore: false,
  }
}

function addressOf({ ipAddress }: ClickLogsSearch, { showIp }: BrandFlags): string | undefined {
  if (ipAddress === undefined) return undefined
  // Searching by a hidden field would reveal it.
  if (!showIp) throw invalid({ ipAddress: ['is not shown here'] })
  const ip = canonicalIp(ipAddress)
  if (ip === undefined) throw invalid({ ipAddress: ['is not an address'] })
  return ip
}

/** There are no clicks outside of these days. Includes tomorrow because of clock skew. */
const possibleDays = (today: Day): DateRange => ({ start: '2000-01-01', end: addDays(today, 1) })

function filterOf(search: ClickLogsSearch, today: Day): Omit<ClickFilter, 'detailsSince'> {
  const { siteId, companyId: officeId, agentId, sub, subId } = search
  const possible = possibleDays(today)
  const { start = possible.start, end = possible.end } = search
  const range = {
    start: start < possible.start ? possible.start : start,
    end: end > possible.end ? possible.end : end,
  }
  return {
    siteId,
    officeId,
    agentId,
    range,
    today,
    sub: sub && { name: sub, value: subId ?? null },
  }
}

function presentClick(
  row: ClickRow,
  { clickIds, config, sees }: Pick<ClickLogServices, 'clickIds' | 'config'> & { sees: ClickSight },
): Omit<ClickLogItem, 'sales'> {
  const { siteId, typeId, agentId, clickedAt, nonce, ip, isUnique, referrer, domain } = row
  const { link, subs, note } = openedLink(row)
  return {
    id: clickIds.sign({ clickedAtMs: clickedAt.getTime(), agentId, typeId, nonce }),
    companyId: row.companyId,
    agentId,
    siteId,
    officeName: row.officeName ?? '',
    agentUsername: row.agentUsername ?? '',
    sitename: row.sitename ?? '',
    typename: row.typename ?? '',
    url: buildTrackedLink(domain ?? config.publicUrl, link, subs),
    ...subs,
    note,
    clickTime: clickedAt.toISOString(),
    counted: row.uncounted === null,
    uncounted: row.uncounted,
    ...(sees.browser && { userAgent: row.userAgent }),
    ...(sees.ip && { fromIp: ip, uniques: isUnique }),
    ...(sees.referrer && { referer: referrer }),
  }
}
