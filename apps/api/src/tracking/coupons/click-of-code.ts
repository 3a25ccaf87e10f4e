import { randomInt } from 'node:crypto'
import type { FieldMessages } from '@tallyroom/contract/errors'
import { CLICK_ID_BOUNDS, FIRST_UNSTORED_NONCE, TEST_AGENT_ID } from '@tallyroom/domain/click-id'
import { dayOf } from '@tallyroom/domain/new-york'
import type { FoundCoupon } from '../../catalogue/index.ts'
import type { DbOrTx } from '../../db/database.ts'
import type { ClickIds } from '../clicks/click-id-signer.ts'
import type { ReportedClick } from '../sales/report.ts'
import { findFirstType, findTypeByAlias } from '../sales/sales.queries.ts'
import {
  type CouponOrder,
  findClaims,
  type NewClaim,
  type OrderSaid,
} from './coupon-orders.queries.ts'

/** What a postback about an order says of whose it is. */
export type Named = {
  order: CouponOrder
  /** The click that it names, if its id is authentic. */
  click: ReportedClick | undefined
  /** Its codes, as codes are compared. */
  codes: readonly string[]
  typeAlias: string | undefined
  occurredAt: Date
  /** Of both, the code counts. */
  couponWins: boolean
}

/**
 * The click that a postback is about, which may be one that stands for a code. `claim` is there if it is a new one, to be kept
 * with it, and `problems` if the postback names nobody whose order it could be.
 */
export type Attributed = {
  click: ReportedClick | undefined
  /** The code that the click stands for, as it was typed when it was made. */
  code?: string
  claim?: NewClaim
  problems?: FieldMessages
  /** The postback's click id is none of ours, and its number is enough. */
  isPassedOver?: boolean
}

type Needs = {
  clickIds: ClickIds
  /** The order, with who had its codes. */
  findOrder: () => Promise<OrderKnown>
}

/** All that says whose an order is. */
export type OrderKnown = Pick<OrderSaid, 'claims' | 'coupons'> & {
  /** The only click that is known of it, counted, rejected or pending. */
  click: ReportedClick | undefined
}

/**
 * Whose an order is by its click, its code or what was reported of it before (TRACKING-57). The order is locked, so that its first
 * report decides for those that come with it.
 */
export async function attribute(db: DbOrTx, needs: Needs, named: Named): Promise<Attributed> {
  const { order, click, codes, couponWins } = named
  // A test counts for nobody, whatever code it names.
  if (click?.agentId === TEST_AGENT_ID) return { click }
  const isOfClick = click && (codes.length === 0 || !couponWins)
  if (isOfClick && (await findClaims(db, order)).length === 0) return { click }

  const { claims, coupons, ...about } = await needs.findOrder()
  const known = knownBy(about.click, claims)
  if (click && !couponWins) {
    // The same agent's order is not counted for both.
    const isSame = known?.code !== undefined && known.click.agentId === click.agentId
    return isSame ? known : { click }
  }
  const claimed = claims.find(({ codeKey }) => codes.includes(codeKey))
  const again = claimed && clickOf(needs.clickIds, claimed.clickId)
  if (claimed && again) return { click: again, code: claimed.code }
  if (known && known.code === undefined && !click && !couponWins) return known
  return byCode(db, needs.clickIds, named, { known, coupons })
}

type Known = { click: ReportedClick; code?: string }

/** The click that an order is known by, and the code if it stands for one. */
function knownBy(click: ReportedClick | undefined, claims: OrderSaid['claims']): Known | undefined {
  // An order that was only tried out is nobody's yet.
  if (!click || click.agentId === TEST_AGENT_ID) return undefined
  const claim = claims.find(({ clickId }) => clickId === click.id)
  return { click, ...(claim && { code: claim.code }) }
}

/** By the first of its codes that counts; without one, by what else says whose it is. */
async function byCode(
  db: DbOrTx,
  clickIds: ClickIds,
  named: Named,
  { known, coupons }: { known: Known | undefined; coupons: readonly FoundCoupon[] },
): Promise<Attributed> {
  const { click } = named
  const found = findInForce(coupons, named)
  const made: Attributed = found.coupon
    ? await makeClick(db, clickIds, named, found.coupon)
    : { click: undefined, problems: found.problems }
  if (known && (!made.claim || known.click.agentId === made.claim.agentId))
    return known.code === undefined && click ? { click } : known
  return made.claim || !click ? made : { click }
}

function clickOf(clickIds: ClickIds, id: string): ReportedClick | undefined {
  const fields = clickIds.read(id)
  return fields && { id: clickIds.name(fields), ...fields }
}

type InForce =
  | { coupon: FoundCoupon; problems?: undefined }
  | { coupon?: undefined; problems: FieldMessages }

/** The first of the codes that somebody had when the order was made. */
function findInForce(
  all: readonly FoundCoupon[],
  { codes, occurredAt }: Pick<Named, 'codes' | 'occurredAt'>,
): InForce {
  const known = codes.flatMap((code) => all.filter(({ codeKey }) => codeKey === code))
  const coupon = known.find((one) => one.works && isInForce(one, occurredAt))
  return coupon ? { coupon } : { problems: { coupon: [whyNot(known, occurredAt)] } }
}

const isInForce = ({ startsAt, endsAt }: FoundCoupon, at: Date): boolean =>
  startsAt <= at && (endsAt === null || at < endsAt)

/** Why none of these counts for an order. They are the newest first. */
function whyNot(coupons: readonly FoundCoupon[], at: Date): string {
  const [newest] = coupons
  if (!newest) return 'is not a code of one of our agents for this site'
  if (coupons.some((one) => isInForce(one, at)))
    return 'is of an agent whose links for this site do not work now'
  const ended = coupons.find(({ endsAt }) => endsAt !== null && endsAt <= at)
  return ended?.endsAt
    ? `ended on ${dayOf(ended.endsAt.getTime() - 1)}`
    : `counts from ${dayOf(newest.startsAt)} on`
}

/**
 * A click id in the place of a click that was never made: like that of a crawler's visit, it has no row and is in no figure of clicks.
 * It has the time of the order.
 */
async function makeClick(
  db: DbOrTx,
  clickIds: ClickIds,
  named: Named,
  coupon: FoundCoupon,
): Promise<Attributed> {
  const { id: couponId, agentId, code } = coupon
  const sold = await findTypeOf(db, named, coupon)
  if (typeof sold !== 'number') return { click: undefined, problems: sold }
  const fields = {
    clickedAtMs: named.occurredAt.getTime(),
    agentId,
    typeId: sold,
    nonce: randomInt(FIRST_UNSTORED_NONCE, CLICK_ID_BOUNDS.nonce),
  }
  const click = { id: clickIds.name(fields), ...fields }
  return { click, code, claim: { ...named.order, couponId, agentId, clickId: click.id } }
}

/** The link type that an order with a code is of. */
async function findTypeOf(
  db: DbOrTx,
  { order: { siteId }, typeAlias }: Named,
  { typeId: ofCoupon, onlyTypeId }: FoundCoupon,
): Promise<number | FieldMessages> {
  // A wrong alias is refused with the right ones once the order has a click.
  const said = typeAlias === undefined ? undefined : await findTypeByAlias(db, siteId, typeAlias)
  if (ofCoupon !== null)
    return said === undefined || said === ofCoupon
      ? ofCoupon
      : { type: ['is not the one that the coupon code is for'] }
  const type = said ?? (typeAlias === undefined ? onlyTypeId : await findFirstType(db, siteId))
  return type ?? { type: ['is required: the coupon code is for all link types of the site'] }
}
