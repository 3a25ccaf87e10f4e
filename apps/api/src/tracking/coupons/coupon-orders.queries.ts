import { type Insertable, sql } from 'kysely'
import { couponsOfCodes, type FoundCoupon } from '../../catalogue/index.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { DB } from '../../db/types.ts'
import { orderLock } from '../sales/sale-keys.ts'

/** An order of a site, by the merchant's number. */
export type CouponOrder = { siteId: number; transactionId: string }

/** The click id that stands for a code since an order was reported with it. */
type Claim = { couponId: number; agentId: number; clickId: string }

/** One that is kept. */
export type OrderClaim = Claim & { code: string; codeKey: string }

/** One to be kept. */
export type NewClaim = CouponOrder & Claim

/** The codes that an order was reported with, the first one first. */
export const findClaims = (
  db: DbOrTx,
  { siteId, transactionId }: CouponOrder,
): Promise<OrderClaim[]> =>
  db
    .selectFrom('coupon_orders as claim')
    .innerJoin('coupons as coupon', 'coupon.id', 'claim.coupon_id')
    .select([
      'claim.coupon_id as couponId',
      'coupon.code',
      'coupon.code_key as codeKey',
      'claim.agent_id as agentId',
      'claim.click_id as clickId',
    ])
    .where('claim.site_id', '=', siteId)
    .where('claim.transaction_id', '=', transactionId)
    .orderBy('claim.made_at')
    .orderBy('claim.coupon_id')
    .execute()

/** What says whose an order is, but for what was counted of it. */
export type OrderSaid = {
  claims: OrderClaim[]
  /** The clicks that it was reported for as pending, or rejected. */
  clickIds: string[]
  /** All that ever had one of the codes, the newest first. */
  coupons: FoundCoupon[]
}

/** {@link findClaims}, its clicks, and who had one of these codes, in one statement. */
export async function findOrderSaid(
  db: DbOrTx,
  { siteId, transactionId }: CouponOrder,
  codeKeys: readonly string[],
): Promise<OrderSaid> {
  type Row = Omit<OrderSaid, 'coupons'> & { coupons: CouponAsJson[] }
  const rejectedKey = orderLock({ siteId, transactionId, clickId: undefined })
  const { rows } = await sql<Row>`
    ${prepared}
    select
      array(
        select click_id from postbacks
        where site_id = ${siteId} and transaction_id = ${transactionId}
          and outcome = 'pending' and click_id is not null
        union all
        select click_id from rejected_orders where order_key = ${rejectedKey} and click_id is not null
      ) as "clickIds",
      (
        select coalesce(
          json_agg(
            json_build_object(
              'couponId', claim.coupon_id, 'code', coupon.code, 'codeKey', coupon.code_key,
              'agentId', claim.agent_id, 'clickId', claim.click_id
            )
            order by claim.made_at, claim.coupon_id
          ),
          '[]'
        )
        from coupon_orders as claim
        join coupons as coupon on coupon.id = claim.coupon_id
        where claim.site_id = ${siteId} and claim.transaction_id = ${transactionId}
      ) as claims,
      (
        select coalesce(
          json_agg(row_to_json(found) order by found."startsAt" desc, found.id desc), '[]'
        )
        from (${couponsOfCodes(siteId, codeKeys)}) as found
      ) as coupons
  `.execute(db)
  const [said = { claims: [], clickIds: [], coupons: [] }] = rows
  return { ...said, coupons: said.coupons.map(withDates) }
}

type CouponAsJson = Omit<FoundCoupon, 'startsAt' | 'endsAt'> & {
  startsAt: string
  endsAt: string | null
}

const withDates = ({ startsAt, endsAt, ...coupon }: CouponAsJson): FoundCoupon => ({
  ...coupon,
  startsAt: new Date(startsAt),
  endsAt: endsAt === null ? null : new Date(endsAt),
})

export const rowOfClaim = (claim: NewClaim, madeAt: Date): Insertable<DB['coupon_orders']> => ({
  site_id: claim.siteId,
  transaction_id: claim.transactionId,
  coupon_id: claim.couponId,
  agent_id: claim.agentId,
  click_id: claim.clickId,
  made_at: madeAt,
})

/** The order is locked. */
export async function insertClaim(tx: Tx, claim: NewClaim, madeAt: Date): Promise<void> {
  await tx.insertInto('coupon_orders').values(rowOfClaim(claim, madeAt)).execute()
}

/** The code by which a sale was reported, as it was typed when it was made; null if it was a click. */
export async function findCodeOfSale(
  db: DbOrTx,
  {
    siteId,
    transactionId,
    clickId,
  }: { siteId: number; transactionId: string | null; clickId: string },
): Promise<string | null> {
  if (transactionId === null) return null
  const found = await db
    .selectFrom('coupon_orders as claim')
    .innerJoin('coupons as coupon', 'coupon.id', 'claim.coupon_id')
    .select('coupon.code')
    .where('claim.site_id', '=', siteId)
    .where('claim.transaction_id', '=', transactionId)
    .where('claim.click_id', '=', clickId)
    .executeTakeFirst()
  return found?.code ?? null
}

/** Whether a report of an order for a click waits for somebody to say for which of its clicks it counts. */
export async function isHeldForClick(
  db: DbOrTx,
  { siteId, transactionId }: CouponOrder,
  clickId: string,
): Promise<boolean> {
  const held = await db
    .selectFrom('held_postbacks as held')
    .innerJoin('postbacks as postback', 'postback.id', 'held.postback_id')
    .select('held.postback_id')
    .where('held.kind', '=', 'other-click')
    .where('postback.site_id', '=', siteId)
    .where('postback.transaction_id', '=', transactionId)
    .where('postback.click_id', '=', clickId)
    .limit(1)
    .executeTakeFirst()
  return held !== undefined
}
