import type { couponsEndpoints } from '@tallyroom/contract/catalogue/coupons'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Sight } from '../../access/sight.ts'
import { agentSeen } from '../../access/sight.queries.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'

type Asked = RequestOf<typeof couponsEndpoints.coupons>['body']

export type CouponRow = {
  id: number
  code: string
  siteId: number
  sitename: string
  typeId: number | null
  typename: string | null
  agentId: number
  username: string
  startsAt: Date
  endsAt: Date | null
  /** Whether somebody ended it before its last day. */
  isEnded: boolean
  madeByAgent: boolean
}

/** One page of the codes of visible agents, for sites that are not deleted. */
export async function findCoupons(
  db: DbOrTx,
  sight: Sight,
  asked: Asked,
  now: Date,
): Promise<CouponRow[]> {
  const { sortField, sortAsc, page, pageSize } = asked
  const way = sortAsc ? sql`asc` : sql`desc`
  const { rows } = await sql<CouponRow>`
    select
      coupon.id, coupon.code, coupon.site_id as "siteId", site.sitename, coupon.type_id as "typeId",
      type.typename, coupon.agent_id as "agentId", account.username, coupon.starts_at as "startsAt",
      coupon.ends_at as "endsAt", coupon.ended_by is not null as "isEnded", coupon.made_by = account.id as "madeByAgent"
    ${couponsAsked(sight, asked, now)}
    order by ${sortColumns[sortField]} ${way}, coupon.id ${way}
    limit ${pageSize} offset ${(page - 1) * pageSize}
  `.execute(db)
  return rows
}

export async function countCoupons(
  db: DbOrTx,
  sight: Sight,
  asked: Asked,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total ${couponsAsked(sight, asked, now)}
  `.execute(db)
  return rows[0]?.total ?? 0
}

const sortColumns = {
  code: sql`coupon.code_key collate "C"`,
  sitename: sql`lower(site.sitename) collate "C"`,
  username: sql`lower(account.username) collate "C"`,
  starts: sql`coupon.starts_at`,
} satisfies Record<Asked['sortField'], RawBuilder<unknown>>

function couponsAsked(sight: Sight, { siteId, agentId, state }: Asked, now: Date) {
  const conditions = [
    agentSeen(sight),
    ...(siteId === undefined ? [] : [sql`coupon.site_id = ${siteId}`]),
    ...(agentId === undefined ? [] : [sql`coupon.agent_id = ${agentId}`]),
    ...(state === undefined ? [] : [isIn[state](now)]),
  ]
  return sql`
    from coupons as coupon
    join agents as agent on agent.id = coupon.agent_id
    join accounts as account on account.agent_id = agent.id
    join sites as site on site.id = coupon.site_id and site.deleted_at is null
    left join link_types as type on type.id = coupon.type_id
    where ${sql.join(conditions, sql` and `)}
  `
}

const hasNotEnded = (now: Date) => sql`(coupon.ends_at is null or coupon.ends_at > ${now})`

const isIn = {
  active: (now: Date) => sql`coupon.starts_at <= ${now} and ${hasNotEnded(now)}`,
  planned: (now: Date) => sql`coupon.starts_at > ${now} and ${hasNotEnded(now)}`,
  ended: (now: Date) => sql`coupon.ends_at <= ${now}`,
} satisfies Record<NonNullable<Asked['state']>, (now: Date) => RawBuilder<unknown>>

/** How many orders were reported with each of these codes. */
export async function countOrders(
  db: DbOrTx,
  couponIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ couponId: number; orders: number }>`
    select coupon_id as "couponId", count(*) as orders
    from coupon_orders
    where coupon_id = any(${couponIds}::bigint[])
    group by coupon_id
  `.execute(db)
  return new Map(rows.map(({ couponId, orders }) => [couponId, orders]))
}

/**
 * A code of a site that looks the same and counts at some time of a period; of others than the former owner, if one is given, at any
 * time. The site is locked.
 */
export async function findAlike(
  tx: Tx,
  {
    siteId,
    look,
    startsAt,
    endsAt,
    formerOwner,
  }: {
    siteId: number
    look: string
    startsAt: Date
    endsAt: Date | null
    formerOwner: number | undefined
  },
): Promise<{ codeKey: string } | undefined> {
  const { rows } = await sql<{ codeKey: string }>`
    select code_key as "codeKey"
    from coupons
    where site_id = ${siteId} and look = ${look}
      and (
        ${formerOwner === undefined ? sql`false` : sql`agent_id <> ${formerOwner}`}
        or (
          (ends_at is null or ends_at > ${startsAt})
          and ${endsAt === null ? sql`true` : sql`starts_at < ${endsAt}`}
        )
      )
    limit 1
  `.execute(tx)
  return rows[0]
}

/** Whether an agent who was deleted had a code of a site that looks the same, and this one did not have it since. */
export async function isFreed(
  tx: Tx,
  { siteId, agentId, look }: { siteId: number; agentId: number; look: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from freed_codes
    where site_id = ${siteId} and look_hash = ${hashOfLook(sql`${siteId}`, sql`${look}`)}
      and not exists (
        select from coupons where site_id = ${siteId} and look = ${look} and agent_id = ${agentId}
      )
  `.execute(tx)
  return rows.length > 0
}

/** Deletes an agent's codes, and keeps that they are no longer free. */
export async function freeCodes(tx: Tx, agentId: number): Promise<void> {
  await sql`
    insert into freed_codes (site_id, look_hash, freed_at)
    select distinct site_id, ${hashOfLook(sql`site_id`, sql`look`)}, ${tx.now}::timestamptz
    from coupons
    where agent_id = ${agentId}
    on conflict do nothing
  `.execute(tx)
  await tx.deleteFrom('coupons').where('agent_id', '=', agentId).execute()
}

/** A code may hold the name of an agent, of whom nothing is left. */
const hashOfLook = (siteId: RawBuilder<unknown>, look: RawBuilder<unknown>) =>
  sql`encode(sha256(convert_to(${siteId}::bigint || ' ' || ${look}::text, 'UTF8')), 'hex')`

/** How many codes an agent has made for a site, ended ones as well. */
export async function countMade(
  tx: Tx,
  { siteId, agentId, accountId }: { siteId: number; agentId: number; accountId: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from coupons
    where site_id = ${siteId} and agent_id = ${agentId} and made_by = ${accountId}
  `.execute(tx)
  return rows[0]?.count ?? 0
}

/** How many codes of an agent for a site have not ended. */
export async function countOpen(
  tx: Tx,
  { siteId, agentId }: { siteId: number; agentId: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from coupons as coupon
    where site_id = ${siteId} and agent_id = ${agentId} and ${hasNotEnded(tx.now)}
  `.execute(tx)
  return rows[0]?.count ?? 0
}

/** Whether a link type of the site is there and active. */
export async function isSold(db: DbOrTx, siteId: number, typeId: number): Promise<boolean> {
  const type = await db
    .selectFrom('link_types')
    .select('id')
    .where('id', '=', typeId)
    .where('site_id', '=', siteId)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return type !== undefined
}

/** With a row lock; undefined if there is none. */
export const lockCoupon = (tx: Tx, id: number) =>
  tx
    .selectFrom('coupons')
    .select(['id', 'agent_id', 'made_by', 'ends_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export async function endCouponRow(
  tx: Tx,
  id: number,
  { at, by }: { at: Date; by: number },
): Promise<void> {
  await tx.updateTable('coupons').set({ ends_at: at, ended_by: by }).where('id', '=', id).execute()
}

/** The sites with a pattern that an agent sells, by name. */
export async function findPatterns(
  db: DbOrTx,
  agentId: number,
): Promise<{ siteId: number; sitename: string; pattern: string }[]> {
  const { rows } = await sql<{ siteId: number; sitename: string; pattern: string }>`
    select site.id as "siteId", site.sitename, site.coupon_pattern as pattern
    from agents as agent
    join office_sites as sold on sold.office_id = agent.office_id
    join sites as site on site.id = sold.site_id
    left join agent_sites_off as off on off.agent_id = agent.id and off.site_id = site.id
    where agent.id = ${agentId} and off.site_id is null and site.coupon_pattern <> ''
      and site.active and not site.hidden and site.deleted_at is null
    order by lower(site.sitename) collate "C", site.id
  `.execute(db)
  return rows
}

/** A code as a postback finds it. */
export type FoundCoupon = {
  id: number
  /** As typed. */
  code: string
  codeKey: string
  agentId: number
  /** Null: all link types of the site. */
  typeId: number | null
  /** The site's link type, if it has exactly one that is active. */
  onlyTypeId: number | null
  startsAt: Date
  endsAt: Date | null
  /** Whether the agent's links for it would work. */
  works: boolean
}

/** A query of all that ever had one of these codes for a site. */
export const couponsOfCodes = (siteId: number, codeKeys: readonly string[]) =>
  sql<FoundCoupon>`
    select
      coupon.id, coupon.code, coupon.code_key as "codeKey", coupon.agent_id as "agentId", coupon.type_id as "typeId",
      (
        select case when count(*) = 1 then min(id) end
        from link_types
        where site_id = ${siteId} and active and deleted_at is null
      ) as "onlyTypeId",
      coupon.starts_at as "startsAt", coupon.ends_at as "endsAt",
      coalesce(agent.active and agent.approved_at is not null and office.active and site.active, false)
        and sold.site_id is not null and off.site_id is null
        and (coupon.type_id is null or coalesce(type.active and type.deleted_at is null, false)) as works
    from coupons as coupon
    join sites as site on site.id = coupon.site_id
    left join agents as agent on agent.id = coupon.agent_id
    left join offices as office on office.id = agent.office_id
    left join office_sites as sold on sold.office_id = agent.office_id and sold.site_id = coupon.site_id
    left join agent_sites_off as off on off.agent_id = agent.id and off.site_id = coupon.site_id
    left join link_types as type on type.id = coupon.type_id
    where coupon.site_id = ${siteId} and coupon.code_key = any(${codeKeys}::text[])`
