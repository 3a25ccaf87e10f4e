import { agentsSearchSchema } from '@tallyroom/contract/agents'
import { type Found, MOST_FOUND } from '@tallyroom/contract/find'
import { officesSearchSchema } from '@tallyroom/contract/offices'
import { can } from '@tallyroom/domain/abilities'
import { decodeClickId } from '@tallyroom/domain/click-id'
import { eventTypeLabel } from '@tallyroom/domain/event-types'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { findAgentRows } from '../agents/index.ts'
import type { ClickIds } from '../clicks/index.ts'
import { findOfficeRows } from '../offices/index.ts'
import { findSales, type SaleWanted } from '../sale-logs/index.ts'
import { findSiteChoices } from '../sites/index.ts'

type FindServices = { db: Db; clickIds: ClickIds }

/** A match, and how good it is. */
type Ranked = { found: Omit<Found, 'isExact'>; rank: number }

/** Best first. An order number that only starts with the text ranks below any name. */
const RANK = { exact: 0, beginning: 1, part: 2, beginningOfOrder: 3 }

/** The shortest prefix of an order number that is searched. */
const SHORTEST_ORDER = 3

/** What the viewer's lists would find for a text, best match first, in one call. */
export async function find(
  { db, clickIds }: FindServices,
  viewer: Viewer,
  text: string,
): Promise<Found[]> {
  const ranked = await Promise.all([
    salesFound(db, clickIds, viewer, text),
    agentsFound(db, viewer, text),
    officesFound(db, viewer, text),
    sitesFound(db, viewer, text),
  ])
  return ranked
    .flat()
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ found, rank }) => ({ ...found, isExact: rank === RANK.exact }))
}

async function salesFound(
  db: Db,
  clickIds: ClickIds,
  viewer: Viewer,
  text: string,
): Promise<Ranked[]> {
  if (!can(viewer, 'logs.sales')) return []
  const scope = scopeOf(viewer)
  const click = decodeClickId(text.toLowerCase())
  const search = (wanted: SaleWanted, rank: number) =>
    findSales(db, scope, wanted, MOST_FOUND).then((sales) =>
      sales.map((sale) => ({ found: presentSale(sale), rank })),
    )
  if (click) {
    const ids = clickIds.spellings(text.toLowerCase())
    const sales = await search({ agentId: click.agentId, clickIds: ids }, RANK.exact)
    if (sales.length > 0 || !clickIds.read(text.toLowerCase())) return sales
    return can(viewer, 'postbacks.view') ? [unsold(text.toLowerCase())] : []
  }
  const exact = await search({ order: text }, RANK.exact)
  if (exact.length > 0 || text.length < SHORTEST_ORDER) return exact
  return search({ orderBeginning: text }, RANK.beginningOfOrder)
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

const unsold = (clickId: string): Ranked => ({
  found: {
    kind: 'click',
    id: clickId,
    label: clickId,
    detail: 'A click without a sale. Show its postbacks',
    active: true,
  },
  rank: RANK.exact,
})

async function agentsFound(db: Db, viewer: Viewer, text: string): Promise<Ranked[]> {
  if (!can(viewer, 'agents.view')) return []
  const rows = await findAgentRows(db, sightOf(viewer), agentsSearchSchema.parse(searchFor(text)))
  return rows.map(({ id, username, firstName, lastName, email, officeName, active }) => {
    const fullName = `${firstName} ${lastName}`.trim()
    const detail = [fullName, can(viewer, 'offices.choose') && officeName].filter(Boolean)
    return {
      found: {
        kind: 'agent',
        id: String(id),
        label: username,
        detail: detail.join(' · '),
        active,
      },
      rank: rankOf(text, [username, fullName, email]),
    }
  })
}

async function officesFound(db: Db, viewer: Viewer, text: string): Promise<Ranked[]> {
  if (!can(viewer, 'offices.view')) return []
  const rows = await findOfficeRows(db, sightOf(viewer), officesSearchSchema.parse(searchFor(text)))
  return rows.map(({ companyId, officeName, username, active }) => ({
    found: { kind: 'office', id: String(companyId), label: officeName, detail: username, active },
    rank: rankOf(text, [officeName, username]),
  }))
}

async function sitesFound(db: Db, viewer: Viewer, text: string): Promise<Ranked[]> {
  const withSuspended = can(viewer, 'sites.view')
  const sites = await findSiteChoices(db, scopeOf(viewer), { withSuspended })
  return sites
    .filter(({ sitename }) => sitename.toLowerCase().includes(text.toLowerCase()))
    .slice(0, MOST_FOUND)
    .map(({ id, sitename, active }) => ({
      found: { kind: 'site', id: String(id), label: sitename, detail: '', active },
      rank: rankOf(text, [sitename]),
    }))
}

const searchFor = (text: string) => ({
  criteria: [{ field: 'text', operator: 'LIKE', value: `%${text.slice(0, 90)}%` }],
  pageSize: MOST_FOUND,
})

function rankOf(text: string, names: readonly (string | null)[]): number {
  const wanted = text.toLowerCase()
  const ranks = names.map((name) => {
    const lower = (name ?? '').toLowerCase()
    if (lower === wanted) return RANK.exact
    return lower.startsWith(wanted) ? RANK.beginning : RANK.part
  })
  return Math.min(...ranks)
}
