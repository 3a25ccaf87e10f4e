import { saysUnstored } from '@tallyroom/domain/click-id'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { ReversalReport, SaleReport } from './report.ts'
import { everySaleKey, orderHashOf, orderLock } from './sale-keys.ts'
import { findTypeByAlias } from './sales.queries.ts'

/**
 * Remembers that the merchant rejected an order, or a part of it, and that this took nothing back: what it is about may
 * still come, delayed.
 */
export async function insertRejection(tx: Tx, report: ReversalReport): Promise<void> {
  const { postbackId, siteId, click, target, typeAlias, occurredAt } = report
  await tx
    .insertInto('rejected_orders')
    .values({
      postback_id: postbackId,
      order_key: orderLock({ ...report, clickId: click?.id }),
      click_id: click?.id ?? null,
      event: target ?? null,
      type_id:
        typeAlias === undefined
          ? null
          : ((await findTypeByAlias(tx, siteId, typeAlias, 'or deleted')) ?? null),
      occurred_at: occurredAt,
    })
    // A held one may be delivered again.
    .onConflict((conflict) => conflict.column('postback_id').doNothing())
    .execute()
}

/** Staff say that the merchant did not mean it. */
export async function deleteRejection(tx: Tx, postbackId: string): Promise<void> {
  await tx.deleteFrom('rejected_orders').where('postback_id', '=', postbackId).execute()
}

/**
 * Whether a reversal without a time repeats a rejection of all that it is about: nothing was counted then, and nothing of the order
 * has come since that waits for somebody's decision. It is a retry, and must not take back what comes later.
 */
export async function wasRejectedBefore(tx: Tx, report: ReversalReport): Promise<boolean> {
  const { siteId, transactionId, click, target, typeAlias, isDated } = report
  if (isDated) return false
  const typeId =
    typeAlias === undefined ? null : await findTypeByAlias(tx, siteId, typeAlias, 'or deleted')
  const clickId = click?.id ?? null
  const { rows: rejections } = await sql`
    select from rejected_orders
    where order_key = ${orderLock({ ...report, clickId: click?.id })}
      and ${isOfClick(report)}
      and (event is null or event = ${target ?? null})
      and (type_id is null or type_id = ${typeId ?? null})
    limit 1
  `.execute(tx)
  if (rejections.length === 0) return false
  const isSame =
    transactionId === undefined
      ? sql`postback.transaction_id is null and postback.click_id = ${clickId}`
      : sql`postback.transaction_id = ${transactionId}`
  const { rows: held } = await sql`
    select from held_postbacks as held
    join postbacks as postback on postback.id = held.postback_id
    where postback.site_id = ${siteId} and ${isSame}
    limit 1
  `.execute(tx)
  return held.length === 0
}

/**
 * Whether a rejection is of the click of a report. One without a click is of whichever the order has; one with a click id that is
 * none of ours, only of one that stands for a code (TRACKING-62).
 */
const isOfClick = (report: SaleReport | ReversalReport): RawBuilder<boolean> => {
  const { siteId, transactionId, click } = report
  const clickId = click?.id ?? null
  const isOfAny =
    report.kind === 'reversal' && report.onlyByCode
      ? sql`true`
      : sql`
        not exists (
          select from postbacks as postback
          where postback.id = rejected_orders.postback_id and postback.click_id is not null
        )
        or exists (
          select from coupon_orders as claim
          where claim.site_id = ${siteId} and claim.transaction_id = ${transactionId ?? null}
            and (${clickId}::text is null or claim.click_id = ${clickId})
        )`
  return sql<boolean>`(click_id = ${clickId} or click_id is null and (${isOfAny}))`
}

/** When the merchant last rejected what is reported now; undefined if it never did. */
export async function findRejection(
  db: DbOrTx,
  report: SaleReport,
  typeId: number,
): Promise<Date | undefined> {
  const clickId = report.click.id
  const rejection = await db
    .selectFrom('rejected_orders')
    .select('occurred_at as at')
    .where('order_key', '=', orderLock({ ...report, clickId }))
    .where(isOfClick(report))
    .where((eb) => eb.or([eb('event', 'is', null), eb('event', '=', report.event)]))
    .where((eb) => eb.or([eb('type_id', 'is', null), eb('type_id', '=', typeId)]))
    .orderBy('occurred_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return rejection?.at
}

/** The ids of the clicks that an order was reported for: counted, or rejected first. */
export async function findClicksOfOrder(
  db: DbOrTx,
  { siteId, transactionId }: { siteId: number; transactionId: string },
): Promise<string[]> {
  const name = { siteId, transactionId, clickId: undefined }
  const counted = await findCountedClicks(db, { siteId, transactionId })
  const rejections = await db
    .selectFrom('rejected_orders')
    .select('click_id as clickId')
    .where('order_key', '=', orderLock(name))
    .where('click_id', 'is not', null)
    .execute()
  return [...counted, ...rejections.flatMap(({ clickId }) => clickId ?? [])]
}

/** The ids of the clicks that an order was counted for. */
export async function findCountedClicks(
  db: DbOrTx,
  { siteId, transactionId }: { siteId: number; transactionId: string },
): Promise<string[]> {
  const keys = everySaleKey({ siteId, transactionId, clickId: undefined })
  const [first = ''] = keys
  const { rows } = await sql<{ clickId: string }>`
    ${prepared}
    select click_id as "clickId"
    from sale_keys
    where order_hash = ${orderHashOf(first)} and sale_key = any(${keys}::text[])
  `.execute(db)
  return rows.map(({ clickId }) => clickId)
}

/** Since when the code counts that a click id of an order stands for; undefined if it is that of a click. */
export async function findStartOfCode(
  db: DbOrTx,
  { siteId, transactionId, click }: SaleReport,
): Promise<Date | undefined> {
  if (transactionId === undefined || !saysUnstored(click)) return undefined
  const coupon = await db
    .selectFrom('coupon_orders as claim')
    .innerJoin('coupons as coupon', 'coupon.id', 'claim.coupon_id')
    .select('coupon.starts_at as startsAt')
    .where('claim.site_id', '=', siteId)
    .where('claim.transaction_id', '=', transactionId)
    .where('claim.click_id', '=', click.id)
    .executeTakeFirst()
  return coupon?.startsAt
}

/** Whether one of these clicks stands for a code by which an order was reported. */
export async function isOfCode(
  db: DbOrTx,
  { siteId, transactionId }: { siteId: number; transactionId: string | undefined },
  clickIds: readonly string[],
): Promise<boolean> {
  if (transactionId === undefined || clickIds.length === 0) return false
  const claim = await db
    .selectFrom('coupon_orders')
    .select('click_id')
    .where('site_id', '=', siteId)
    .where('transaction_id', '=', transactionId)
    .where('click_id', 'in', clickIds)
    .limit(1)
    .executeTakeFirst()
  return claim !== undefined
}
