import type { Coupon, couponsEndpoints } from '@tallyroom/contract/catalogue/coupons'
import { passOnLabel } from '@tallyroom/contract/catalogue/labels'
import type { RequestOf, ResultOf } from '@tallyroom/contract/endpoint'
import { codeOfPattern, couponKey, couponLook } from '@tallyroom/domain/coupons'
import { type Day, dayOf, endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { insertRow } from '../../db/rows.queries.ts'
import { inTransaction, nowOf } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { agentOf, getSeller, ownSightOf, refuseDeadLinks } from '../links/generate-links.ts'
import { lockSite } from '../sites/site-form.queries.ts'
import { isSiteInScope } from '../sites/sites.queries.ts'
import {
  countCoupons,
  countMade,
  countOpen,
  countOrders,
  type CouponRow,
  endCouponRow,
  findAlike,
  findCoupons,
  isFreed,
  isSold,
  lockCoupon,
} from './coupons.queries.ts'
import type { TakenLimit } from './taken-limit.ts'

type Calls = typeof couponsEndpoints
type Made = ResultOf<Calls['createCoupon']>

/** One page of the codes that the viewer may see: an agent their own, an office those of its agents. */
export async function listCoupons(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  asked: RequestOf<Calls['coupons']>['body'],
): Promise<ResultOf<Calls['coupons']>> {
  const now = clock.now()
  const sight = ownSightOf(viewer)
  const rows = await findCoupons(db, sight, asked, now)
  const total = await countCoupons(db, sight, asked, now)
  const orders = await countOrders(
    db,
    rows.map(({ id }) => id),
  )
  return { items: rows.map((row) => presentCoupon(row, now, orders.get(row.id) ?? 0)), total }
}

function presentCoupon(
  { startsAt, endsAt, isEnded, ...row }: CouponRow,
  now: Date,
  orders: number,
): Coupon {
  const hasEnded = endsAt !== null && endsAt <= now
  return {
    ...row,
    fromDay: dayOf(startsAt),
    untilDay: endsAt && !isEnded ? lastDayOf(endsAt) : null,
    endedAt: endsAt && isEnded ? endsAt.toISOString() : null,
    state: hasEnded ? 'ended' : startsAt > now ? 'planned' : 'active',
    orders,
  }
}

const lastDayOf = (end: Date): Day => dayOf(end.getTime() - 1)

/**
 * Gives a code to an agent. A code has one agent at a time: it passes to another once it has ended.
 *
 * @throws VALIDATION_ERROR; NOT_FOUND for an agent that the viewer cannot see; CONFLICT if an agent had it who was deleted, and the
 * form does not say that it is passed on.
 */
export const createCoupon = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  form: RequestOf<Calls['createCoupon']>['body'],
): Promise<Made> =>
  inTransaction(db, async (tx) => {
    if (!(await lockSite(tx, form.siteId))) throw invalid({ siteId: ['does not exist'] })
    const taken = (isSame: boolean) =>
      invalid({
        code: [
          isSame
            ? 'is a code of this site already. It can pass to another agent once it has ended'
            : 'looks too similar to another code of this site',
        ],
      })
    const freed = () =>
      form.passOn
        ? undefined
        : conflict(
            `${form.code}, or a code that looks like it, was that of an agent who has been deleted. Customers may still use it: orders with it would be sales of its new agent. Tick “${passOnLabel}” to give it nevertheless.`,
          )
    return insertCoupon(tx, viewer, form, { taken, freed })
  })

/** Codes of an agent for one site that have not ended; more are made by staff. */
const MOST_OWN = 5

/** Codes that an agent makes for one site in all, so that nobody takes the names of others one after the other. */
const MOST_MADE = 50

/**
 * Makes an agent's own code, within the pattern of the site. Customers still use what another agent had: only staff pass that on.
 *
 * @throws VALIDATION_ERROR; CONFLICT if they have enough; TOO_MANY_REQUESTS if they try which codes are taken.
 */
export async function makeCoupon(
  { db, limit }: Pick<Services, 'db'> & { limit: TakenLimit },
  viewer: Viewer,
  { siteId, typeId, name }: RequestOf<Calls['makeCoupon']>['body'],
): Promise<Made> {
  limit.check(viewer.accountId, nowOf(db))
  const agentId = agentOf(viewer, undefined)
  return inTransaction(db, async (tx) => {
    const site = await lockSite(tx, siteId)
    // Those that came at once wait for the site one after the other.
    limit.check(viewer.accountId, tx.now)
    const isSeen = await isSiteInScope(tx, scopeOf(viewer), siteId)
    if (!site || !isSeen || site.coupon_pattern === '')
      throw invalid({ siteId: ['does not let agents make codes'] })
    if ((await countOpen(tx, { siteId, agentId })) >= MOST_OWN)
      throw conflict(
        `You have ${MOST_OWN} codes for this site. End one that you made, or ask the network for another.`,
      )
    const { accountId } = viewer
    if ((await countMade(tx, { siteId, agentId, accountId })) >= MOST_MADE)
      throw conflict(
        `You have made ${MOST_MADE} codes for this site, with those that have ended. Ask the network for another.`,
      )
    const code = codeOfPattern(site.coupon_pattern, name)
    const form = { code, siteId, typeId, agentId, fromDay: null, untilDay: null, passOn: false }
    const taken = () => {
      limit.count(viewer.accountId, tx.now)
      return invalid({ name: [`makes ${code}, which is taken or looks too similar to another`] })
    }
    return insertCoupon(tx, viewer, form, { taken, freed: taken, formerOwner: agentId })
  })
}

type Refusals = {
  /** Of a code that somebody has in its period, or of one that only looks like it. */
  taken: (isSame: boolean) => Error
  /** Of a code of an agent who was deleted; undefined to give it nevertheless. */
  freed: () => Error | undefined
  /** The only agent who gets again what has ended. Default: anybody. */
  formerOwner?: number
}

async function insertCoupon(
  tx: Tx,
  viewer: Viewer,
  form: RequestOf<Calls['createCoupon']>['body'],
  { taken, freed, formerOwner }: Refusals,
): Promise<Made> {
  const { code, siteId, typeId, agentId, untilDay } = form
  refuseDeadLinks(await getSeller(tx, viewer, { siteId, agentId }))
  if (typeId !== null && !(await isSold(tx, siteId, typeId)))
    throw invalid({ typeId: ['is not an active link type of this site'] })
  const today = dayOf(tx.now)
  const fromDay = form.fromDay ?? today
  if (fromDay < today)
    throw invalid({ fromDay: ['must not be in the past: what came then is decided'] })
  if (untilDay !== null && untilDay < fromDay)
    throw invalid({ untilDay: ['must not be before the first day'] })
  const startsAt = fromDay === today ? tx.now : startOfDay(fromDay)
  const endsAt = untilDay === null ? null : endOfDayExclusive(untilDay)
  const look = couponLook(code)
  const alike = await findAlike(tx, { siteId, look, startsAt, endsAt, formerOwner })
  if (alike) throw taken(alike.codeKey === couponKey(code))
  const refusal = (await isFreed(tx, { siteId, agentId, look })) ? freed() : undefined
  if (refusal) throw refusal
  const id = await insertRow(tx, 'coupons', {
    site_id: siteId,
    type_id: typeId,
    agent_id: agentId,
    code,
    code_key: couponKey(code),
    look,
    starts_at: startsAt,
    ends_at: endsAt,
    made_at: tx.now,
    made_by: viewer.accountId,
  })
  // Postbacks to a site are read for codes from its first one on.
  await announceChange(tx, 'destinations')
  return { id }
}

/** Ends a code at once. @throws NOT_FOUND; CONFLICT if it has ended already. */
export const endCoupon = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  id: number,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const coupon = await lockCoupon(tx, id)
    if (!coupon) throw notFound('coupon code')
    await endNow(tx, viewer, coupon)
  })

/** Ends a code that the agent made. @throws NOT_FOUND for others' codes; CONFLICT if the network gave it, or if it has ended already. */
export const endOwnCoupon = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  id: number,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const coupon = await lockCoupon(tx, id)
    if (coupon?.agent_id !== viewer.agentId || !coupon) throw notFound('coupon code')
    if (coupon.made_by !== viewer.accountId)
      throw conflict('The network gave you this code. Ask it to end the code.')
    await endNow(tx, viewer, coupon)
  })

async function endNow(
  tx: Tx,
  viewer: Viewer,
  { id, ends_at }: { id: number; ends_at: Date | null },
): Promise<void> {
  if (ends_at && ends_at <= tx.now) throw conflict('This code has ended already.')
  await endCouponRow(tx, id, { at: tx.now, by: viewer.accountId })
}
