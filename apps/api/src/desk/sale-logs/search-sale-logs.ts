import type { SaleLogItem, SaleLogsSearch } from '@tallyroom/contract/desk/sale-logs'
import { MOST_SALES_BY_SUB } from '@tallyroom/contract/sub-ids'
import { can } from '@tallyroom/domain/abilities'
import { decodeClickId } from '@tallyroom/domain/click-id'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { readOn } from '../../db/logs/read-on.ts'
import { withinTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import { type ClickIds, percentOfPart } from '../../tracking/index.ts'
import { findVisibleAmounts } from '../../catalogue/index.ts'
import { findTierPay } from '../../pay/index.ts'
import { planForSubs } from '../../totals/index.ts'
import {
  countSaleEvents,
  findSaleEvents,
  type SaleFilter,
  type SaleRow,
} from './sale-logs.queries.ts'
import { findSubsOf } from './sale-subs.queries.ts'

type Sees = { earning: boolean; payout: boolean; referer: boolean }

type Answer = {
  items: { items: SaleLogItem[]; total: number }
  earningVisible: boolean
  payoutVisible: boolean
  leftOut?: number
  next?: string
}

/**
 * A page of the sale events in the viewer's scope, with the amounts they may see.
 *
 * @throws VALIDATION_ERROR for a sub id, if the rest of the search finds more than {@link MOST_SALES_BY_SUB}.
 */
export function searchSaleLogs(
  { db, clickIds }: { db: DbOrTx; clickIds: ClickIds },
  viewer: Viewer,
  search: SaleLogsSearch,
): Promise<Answer> {
  if (search.sub === undefined) return findSaleLogs(db, clickIds, viewer, search)
  return withinTransaction(db, async (tx) => {
    await planForSubs(tx)
    return findSaleLogs(tx, clickIds, viewer, search)
  })
}

async function findSaleLogs(
  db: DbOrTx,
  clickIds: ClickIds,
  viewer: Viewer,
  search: SaleLogsSearch,
): Promise<Answer> {
  const { earning, payout } = await findVisibleAmounts(db, viewer)
  const sees = { earning, payout, referer: can(viewer, 'logs.sales.referer') }
  const scope = scopeOf(viewer)
  const asked = filterOf(search, clickIds, sees)
  const leavesOut = asked !== undefined && payout && search.withoutUnpaid
  const filter: SaleFilter | undefined = leavesOut ? { ...asked, unpaid: 'left out' } : asked
  if (asked?.sub) await refuseTooMany(db, scope, { ...asked, sub: undefined })
  if (search.after !== undefined) {
    const { after, pageSize: limit } = search
    const { rows, next } = await readOn(
      db,
      { after, limit },
      async (recorded) =>
        filter
          ? findSaleEvents(db, scope, { ...filter, recorded }, { sortAsc: true, limit, offset: 0 })
          : [],
      ({ recordedAt, id }) => ({ at: recordedAt, id }),
    )
    const items = { items: await presentSales(db, rows, sees), total: rows.length }
    return { items, earningVisible: earning, payoutVisible: payout, next }
  }
  const total = filter ? await countSaleEvents(db, scope, filter) : 0
  const { page, pageSize: limit, sortAsc } = search
  const rows = filter
    ? await findSaleEvents(db, scope, filter, { sortAsc, limit, offset: (page - 1) * limit, total })
    : []
  return {
    items: { items: await presentSales(db, rows, sees), total },
    earningVisible: earning,
    payoutVisible: payout,
    ...(leavesOut && { leftOut: await countSaleEvents(db, scope, { ...asked, unpaid: 'alone' }) }),
  }
}

/** Each entry is compared with its click. */
async function refuseTooMany(db: DbOrTx, scope: Scope, filter: SaleFilter): Promise<void> {
  const count = await countSaleEvents(db, scope, filter)
  if (count <= MOST_SALES_BY_SUB) return
  const [most, all] = [MOST_SALES_BY_SUB, count].map((number) => number.toLocaleString('en-US'))
  throw invalid({
    sub: [
      `Sub ids are compared in up to ${most} entries at once, and these are ${all}. Choose fewer days or an agent.`,
    ],
  })
}

/** The newest sales and bonuses in scope, and their reversals, as the sale log has them. */
export async function latestSales(
  db: DbOrTx,
  scope: Scope,
  { sees, limit }: { sees: Pick<Sees, 'earning' | 'payout'>; limit: number },
): Promise<SaleLogItem[]> {
  const rows = await findSaleEvents(db, scope, ANY_SALE, { sortAsc: false, limit, offset: 0 })
  return presentSales(db, rows, { ...sees, referer: false })
}

async function presentSales(
  db: DbOrTx,
  rows: readonly SaleRow[],
  sees: Sees,
): Promise<SaleLogItem[]> {
  const tierPay = sees.payout
    ? await findTierPay(
        db,
        rows.map((row) => ({ ...row, officeId: row.companyId })),
      )
    : () => undefined
  const subsOf = await findSubsOf(db, rows)
  return rows.map((row) => {
    const pay = tierPay({ ...row, officeId: row.companyId })
    return { ...presentSale(row, sees), ...subsOf(row), ...(pay && { tierPay: pay }) }
  })
}

/** Undefined if nothing can match, because the text is not a click id. */
function filterOf(
  search: SaleLogsSearch,
  clickIds: ClickIds,
  sees: SaleFilter['sees'],
): SaleFilter | undefined {
  const { siteId, companyId: officeId, agentId, recordType, email, sub, subId, start, end } = search
  const click = search.clickId && clickOf(search.clickId.toLowerCase(), clickIds)
  if (click === null) return undefined
  return {
    siteId,
    officeId,
    agentId,
    click: click || undefined,
    order: search.transactionId,
    eventType: recordType === 'reversal' ? undefined : recordType,
    onlyReversals: recordType === 'reversal',
    sees,
    email: email === undefined ? undefined : { text: email, isWhole: WHOLE_ADDRESS.test(email) },
    sub: sub && { name: sub, value: subId ?? null },
    from: start === undefined ? undefined : startOfDay(start),
    before: end === undefined ? undefined : endOfDayExclusive(end),
  }
}

const ANY_SALE: SaleFilter = {
  onlySales: true,
  sees: { earning: true, payout: true },
  siteId: undefined,
  officeId: undefined,
  agentId: undefined,
  click: undefined,
  order: undefined,
  eventType: undefined,
  onlyReversals: false,
  email: undefined,
  from: undefined,
  before: undefined,
}

/** The id contains the agent, with which the index of click ids begins. */
function clickOf(id: string, clickIds: ClickIds): SaleFilter['click'] | null {
  const click = decodeClickId(id)
  return click ? { ids: clickIds.spellings(id), agentId: click.agentId } : null
}

/** A mail address that is complete, rather than the beginning of one. */
export const WHOLE_ADDRESS = /^[^\s@]+@[^\s@.]+\.[^\s@]{2,}$/

const presentSale = (
  {
    occurredAt,
    earningCents,
    payoutCentavos,
    referer,
    isDifference,
    partPpm,
    isRestored,
    amountE4,
    currency,
    agentSuspended,
    isAvp: _isAvp,
    quantity: _quantity,
    recordedAt: _recordedAt,
    soldAt: _soldAt,
    saleRecordedAt: _saleRecordedAt,
    ...row
  }: SaleRow,
  sees: Sees,
): SaleLogItem => ({
  ...row,
  date: occurredAt.toISOString(),
  officeName: row.officeName ?? '',
  agent: row.agent ?? '',
  sitename: row.sitename ?? '',
  useApproveSale: row.useApproveSale ?? false,
  typename: row.typename ?? '',
  ...(isDifference && { isDifference }),
  ...(partPpm !== null && { partPercent: percentOfPart(partPpm) }),
  ...(isRestored && { isRestored }),
  ...(agentSuspended && { agentSuspended }),
  ...(sees.earning && amountE4 !== null && { reported: { amount: amountE4 / 10_000, currency } }),
  ...(sees.earning && { earning: fromMinorUnits(earningCents) }),
  ...(sees.payout && { payout: fromMinorUnits(payoutCentavos) }),
  ...(sees.referer && { referer }),
})
