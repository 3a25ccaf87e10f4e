import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'

/*
 * The flags that decide what a sale pays have dates, as rates have: sites and link types have the present ones, and
 * `former_site_flags` and `former_link_type_flags` those before each change.
 */

/** A flag that was changed: its value until then, exclusive. */
export type FormerFlag = { until: Date; value: boolean }

/** A flag's value at a time. @param former oldest first */
export const flagAt = (present: boolean, former: readonly FormerFlag[], at: Date): boolean =>
  former.find(({ until }) => until > at)?.value ?? present

/** The same of a row of `sites`, in SQL. Only for queries on one machine. */
export const siteFlagAt = (
  flag: 'avp' | 'use_approve_sale',
  site: string,
  at: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`coalesce(
  (
    select former.${sql.ref(flag)} from former_site_flags as former
    where former.site_id = ${sql.ref(`${site}.id`)} and former.until > ${at}
    order by former.until, former.id
    limit 1
  ),
  ${sql.ref(`${site}.${flag}`)}
)`

/** Whether a row of `link_types` had a bonus. Only for queries on one machine. */
export const bonusAt = (type: string, at: RawBuilder<unknown>): RawBuilder<boolean> => sql`coalesce(
  (
    select former.bonus from former_link_type_flags as former
    where former.type_id = ${sql.ref(`${type}.id`)} and former.until > ${at}
    order by former.until, former.id
    limit 1
  ),
  ${sql.ref(`${type}.bonus`)}
)`

/** Whether sites used approve-sale, before each change, by site. */
export async function findFormerApproveSale(
  db: DbOrTx,
): Promise<ReadonlyMap<number, readonly FormerFlag[]>> {
  const rows = await db
    .selectFrom('former_site_flags')
    .select(['site_id as siteId', 'until', 'use_approve_sale as value'])
    .orderBy('until')
    .orderBy('id')
    .execute()
  return Map.groupBy(rows, ({ siteId }) => siteId)
}

/** Whether a site used approve-sale at a time, so that its events are named as they were reported. */
export async function approveSaleThen(
  db: DbOrTx,
): Promise<(siteId: number, present: boolean | null, at: Date) => boolean> {
  const former = await findFormerApproveSale(db)
  return (siteId, present, at) => flagAt(present ?? false, former.get(siteId) ?? [], at)
}

/** Whether a link type had a bonus, before each change. */
export const findFormerBonus = (db: DbOrTx, typeId: number): Promise<FormerFlag[]> =>
  db
    .selectFrom('former_link_type_flags')
    .select(['until', 'bonus as value'])
    .where('type_id', '=', typeId)
    .orderBy('until')
    .orderBy('id')
    .execute()

type Changed = { at: Date; by: { accountId: number; username: string } }

/** Keeps the flags of these sites if they are about to be others. An omitted flag stays. */
export async function keepSiteFlags(
  tx: Tx,
  siteIds: readonly number[],
  { avp, useApproveSale }: { avp?: boolean; useApproveSale?: boolean },
  { at, by }: Changed,
): Promise<void> {
  await sql`
    insert into former_site_flags (site_id, until, avp, use_approve_sale, changed_by, changed_by_name)
    select id, ${at}::timestamptz, avp, use_approve_sale, ${by.accountId}::bigint, ${by.username}::text
    from sites
    where id = any(${siteIds}::bigint[])
      and (avp <> ${avp ?? null}::boolean or use_approve_sale <> ${useApproveSale ?? null}::boolean)
  `.execute(tx)
}

/** Keeps a link type's Bonus checkbox if it is about to be another. */
export async function keepBonus(
  tx: Tx,
  typeId: number,
  bonus: boolean,
  { at, by }: Changed,
): Promise<void> {
  await sql`
    insert into former_link_type_flags (type_id, until, bonus, changed_by, changed_by_name)
    select id, ${at}::timestamptz, bonus, ${by.accountId}::bigint, ${by.username}::text
    from link_types
    where id = ${typeId} and bonus <> ${bonus}
  `.execute(tx)
}
