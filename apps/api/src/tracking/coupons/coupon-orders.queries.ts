import type { DbOrTx, Tx } from '../../db/database.ts'

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

/** The order is locked. */
export async function insertClaim(tx: Tx, claim: NewClaim & { madeAt: Date }): Promise<void> {
  await tx
    .insertInto('coupon_orders')
    .values({
      site_id: claim.siteId,
      transaction_id: claim.transactionId,
      coupon_id: claim.couponId,
      agent_id: claim.agentId,
      click_id: claim.clickId,
      made_at: claim.madeAt,
    })
    .execute()
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
