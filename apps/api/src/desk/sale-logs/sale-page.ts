import { EVENT_TYPE } from '@tallyroom/domain/event-types'
import type { Sale, SalePostback } from '@tallyroom/contract/desk/sales'
import type { PostbackItem } from '@tallyroom/contract/tracking/postbacks'
import { can } from '@tallyroom/domain/abilities'
import { tierOf } from '@tallyroom/domain/avp'
import { brandOf } from '@tallyroom/domain/brands/index'
import { type ClickIdFields, decodeClickId } from '@tallyroom/domain/click-id'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { buildTrackedLink } from '@tallyroom/domain/tracked-link'
import { type ClickSight, clickSightOf } from '../../access/click-sight.ts'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { readTotals } from '../../totals/index.ts'
import {
  findSchedulesOf,
  findVisibleAmounts,
  type VisibleAmounts,
  presentOrigin,
} from '../../catalogue/index.ts'
import {
  findCodeOfSale,
  findSealedClick,
  type ClickIds,
  openedLink,
  findPostbacksOfSale,
  percentOfPart,
} from '../../tracking/index.ts'
import {
  type BookedRow,
  findBookedOn,
  findSettledBy,
  findTierPay,
  type Settled,
} from '../../pay/index.ts'
import {
  type CountedRow,
  findDifferences,
  findOthers,
  findLife,
  findSale,
  findSaleClick,
  findWeekAvpSales,
  type LifeRow,
  type SaleClickRow,
  type SaleRow,
} from './sale-page.queries.ts'

export type SalePageServices = Pick<Services, 'db' | 'reportDb' | 'clock' | 'config'> & {
  clickIds: ClickIds
}

/** What the viewer may see, as in the logs of sales and clicks, and on the Postbacks page. */
type Sees = VisibleAmounts & {
  click: ClickSight
  destination: boolean
  postbacks: boolean
  wholeWeek: boolean
  statements: boolean
}

/**
 * A sale, with everything that led to it and resulted from it, in one snapshot.
 * @param eventId of the sale, or of its reversal.
 * @throws NOT_FOUND for an unknown id, and for a sale outside the viewer's scope.
 */
export async function salePage(
  services: SalePageServices,
  viewer: Viewer,
  eventId: string,
): Promise<Sale> {
  const { clickIds, config } = services
  const scope = scopeOf(viewer)
  return readTotals(services, async (tx) => {
    const sale = await findSale(tx, scope, eventId)
    if (!sale) throw notFound('sale')
    const sees = { ...(await findVisibleAmounts(tx, viewer)), ...seenBy(viewer, config.brand) }
    const clickId = decodeClickId(sale.clickId)
    const click = clickId && (await findSaleClick(tx, clickId))
    const life = await findLife(tx, sale)
    const last = life.findLast(({ quantity }) => quantity !== 0)
    const reversal = last?.reversal ? { ...last, kind: last.reversal } : undefined
    const tierPay = sees.payout && !reversal ? await findTierPayOf(tx, sale) : undefined
    const others = await findOthers(tx, scope, sale)
    const differences = (await findDifferences(tx, sale)).filter((one) => isSeen(one, sees))
    const eventIds = [sale, ...life, ...differences].map((one) => one.eventId)
    const booked = sees.payout
      ? await findBookedOn(tx, scope, { agentId: sale.agentId, eventIds })
      : []
    const paidBy = sees.payout ? await findPaidByOf(tx, sale) : undefined
    const present = (row: CountedRow) => presentCounted(row, sees, { booked, paidBy })
    const postbacks = await findPostbacksOfSale(tx, tx.now, {
      siteId: sale.siteId,
      transactionId: sale.transactionId,
      clickIds: clickIds.spellings(sale.clickId),
    })
    return {
      ...present(sale),
      eventType: sale.eventType,
      useApproveSale: sale.useApproveSale ?? false,
      transactionId: sale.transactionId,
      customerEmail: sale.customerEmail,
      // 0: the agent had no office.
      companyId: sale.officeId || null,
      officeName: sale.officeName ?? '',
      agentId: sale.agentId,
      agent: sale.agent ?? '',
      siteId: sale.siteId,
      sitename: sale.sitename ?? '',
      typeId: sale.typeId,
      typename: sale.typename ?? '',
      clickId: sale.clickId,
      fraud: sale.fraud,
      rateSource: sale.rateSource,
      ...(sale.rateFrom && { rate: presentOrigin(viewer, sale.rateFrom, sale.rateBy) }),
      tier: await findTier(tx, sale, sees),
      ...(tierPay && { tierPay }),
      coupon: await findCodeOfSale(tx, sale),
      click: click ? presentClick(click, sale, sees.click, click.domain ?? config.publicUrl) : null,
      clickIsArchived: !click && clickId !== undefined && (await isSealed(tx, clickId)),
      ...(sees.destination && { destination: sale.destination }),
      hasPostback: sale.postbackId !== null,
      postbacks: postbacks
        .filter((postback) => isAbout(postback, sale, { life, others, clickIds }, sees))
        .map((postback) => presentPostback(postback, sees)),
      reversal: reversal ? { ...present(reversal), kind: reversal.kind } : null,
      life: life.map((event) => ({
        ...present(event),
        kind: event.partPpm !== null ? 'part' : event.quantity === 1 ? 'restored' : 'reversed',
        reversal: event.reversal,
        ...(event.partPpm !== null && { partPercent: percentOfPart(event.partPpm) }),
      })),
      ...(sees.earning &&
        sale.amountE4 !== null && {
          reported: { amount: sale.amountE4 / 10_000, currency: sale.currency },
        }),
      agentSuspended: sale.agentSuspended,
      differences: differences.map((difference) => ({
        ...present(difference),
        isUndoing: difference.isUndoing,
        ...(sees.destination && { by: difference.by }),
        ...((sees.destination || difference.payeesRead) && { reason: difference.reason }),
      })),
      others: others.map(({ occurredAt, ...other }) => ({
        ...other,
        occurredAt: occurredAt.toISOString(),
      })),
    }
  })
}

/** Leaves out a difference whose only changed amount is hidden from the viewer, as it would show ₱0.00. */
const isSeen = ({ earningCents, payoutCentavos, lpp }: CountedRow, sees: Sees): boolean =>
  (sees.payout && payoutCentavos !== 0) ||
  (sees.earning && earningCents !== 0) ||
  (sees.lpp && lpp !== 0)

const isSealed = async (tx: Tx, clickId: ClickIdFields): Promise<boolean> =>
  (await findSealedClick(tx, clickId)) !== undefined

function seenBy(viewer: Viewer, brand: Parameters<typeof brandOf>[0]) {
  const click = clickSightOf(viewer, brandOf(brand).flags)
  return {
    click: { ...click, referrer: click.referrer || can(viewer, 'logs.sales.referer') },
    destination: can(viewer, 'link-types.view'),
    postbacks: can(viewer, 'postbacks.view'),
    // An agent may have sold for another office in the same week.
    wholeWeek: viewer.role !== 'company',
    statements: can(viewer, 'pay.view'),
  }
}

type PaidByOf = (event: Pick<CountedRow, 'recordedAt'>) => Settled

function presentCounted(
  row: CountedRow,
  sees: Sees,
  { booked, paidBy }: { booked: readonly BookedRow[]; paidBy: PaidByOf | undefined },
) {
  const on = booked.find(({ eventId }) => eventId === row.eventId)
  const day = dayOf(row.occurredAt)
  const { start, end } = periodOf(day, 'beWeek')
  return {
    eventId: row.eventId,
    occurredAt: row.occurredAt.toISOString(),
    recordedAt: row.recordedAt.toISOString(),
    day,
    halfMonth: { start, end },
    ...(sees.earning && { earning: fromMinorUnits(row.earningCents) }),
    ...(sees.payout && { payout: fromMinorUnits(row.payoutCentavos) }),
    ...(paidBy && { paidBy: paidBy(row) }),
    ...(sees.lpp && { lpp: row.lpp }),
    ...(on && {
      booked: {
        number: on.number,
        closedAt: on.closedAt.toISOString(),
        paidBy: on.paidBy,
        ...(sees.statements && { statementId: on.statementId }),
      },
    }),
  }
}

async function findTier(tx: Tx, sale: SaleRow, sees: Sees): Promise<Sale['tier']> {
  if (!sale.avp || sale.eventType !== EVENT_TYPE.sale) return null
  const { start, end } = periodOf(dayOf(sale.occurredAt), 'week')
  const [schedule] = await findSchedulesOf(tx, { start, end: start })
  const agentAvpSales = await findWeekAvpSales(tx, sale.agentId, start)
  const tier = schedule && tierOf(agentAvpSales, schedule.tiers)
  return {
    week: { start, end },
    ...(sees.wholeWeek && { agentAvpSales }),
    reached: tier ? { index: tier.index, from: tier.from, to: tier.to } : null,
    ...(sees.payout && tier && { payoutPhp: fromMinorUnits(tier.payoutCentavos) }),
  }
}

/** What pays for the events of a sale. */
async function findPaidByOf(tx: Tx, sale: SaleRow): Promise<PaidByOf> {
  const settledBy = await findSettledBy(tx)
  return ({ recordedAt }) =>
    settledBy({
      isAvp: sale.avp && sale.eventType === EVENT_TYPE.sale,
      recordedAt,
      soldAt: sale.occurredAt,
      saleRecordedAt: sale.recordedAt,
    })
}

async function findTierPayOf(tx: Tx, sale: SaleRow) {
  const { agentId, officeId, recordedAt, occurredAt } = sale
  const event = {
    agentId,
    officeId,
    isAvp: sale.avp && sale.eventType === EVENT_TYPE.sale,
    quantity: 1,
    recordedAt,
    soldAt: occurredAt,
    saleRecordedAt: recordedAt,
  }
  const tierPayOf = await findTierPay(tx, [event])
  return tierPayOf(event)
}

const presentClick = (
  click: SaleClickRow,
  { agentId }: SaleRow,
  sees: ClickSight,
  domain: string,
): Sale['click'] => {
  const { link, subs, note } = openedLink({ ...click, agentId })
  return {
    clickedAt: click.clickedAt.toISOString(),
    url: buildTrackedLink(domain, link, subs),
    note,
    uncounted: click.uncounted,
    isCut: click.isCut,
    ...(sees.ip && { ip: click.ip, isUnique: click.isUnique }),
    ...(sees.referrer && { referrer: click.referrer }),
    ...(sees.browser && { userAgent: click.userAgent }),
  }
}

/**
 * Whether a postback with the sale's click id or order number is about this very event. Postbacks
 * about another event of the click are not. Agents and offices do not see postbacks that name
 * another click, because these may be about somebody else's sale.
 */
function isAbout(
  { eventId, clickId, transactionId }: PostbackItem,
  sale: SaleRow,
  around: {
    life: readonly LifeRow[]
    others: Sale['others'] | readonly { transactionId: string | null }[]
    clickIds: ClickIds
  },
  sees: Sees,
): boolean {
  const own = [sale.eventId, ...around.life.map(({ eventId: of }) => of)]
  if (eventId !== null) return own.includes(eventId)
  const isOfClick = clickId !== null && around.clickIds.spellings(sale.clickId).includes(clickId)
  if (!isOfClick && !sees.postbacks) return false
  if (transactionId === null || transactionId === sale.transactionId) return true
  return !around.others.some((other) => other.transactionId === transactionId)
}

const presentPostback = (postback: PostbackItem, sees: Sees): SalePostback => ({
  receivedAt: postback.receivedAt,
  event: postback.event,
  outcome: postback.outcome,
  eventId: postback.eventId,
  ...(sees.postbacks && {
    detail: {
      id: postback.id,
      reason: postback.reason,
      settledAt: postback.settledAt,
      hold: postback.hold,
      clickId: postback.clickId,
      transactionId: postback.transactionId,
      method: postback.method,
      ip: postback.ip,
      params: postback.params,
      ...(postback.doubles && { doubles: postback.doubles }),
    },
  }),
})
