import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { insertRows } from '../../db/rows.queries.ts'
import type { DB } from '../../db/types.ts'
import { changeSealed, sealRows } from '../../seals/index.ts'
import type { SiteRow } from './site-form.queries.ts'

/*
 * What sites and link types decide about pay has dates, as rates have: `sites` and `link_types` have what is in force, and
 * `former_site_flags` and `former_link_type_flags` what was before each change. A sale takes the flags of when it was made; a
 * postback is read, and its order counted, by what was set when it arrived.
 */

/** A flag that was changed: its value until then, exclusive. */
export type FormerFlag = { until: Date; value: boolean }

/** A flag's value at a time. @param former oldest first */
export const flagAt = (present: boolean, former: readonly FormerFlag[], at: Date): boolean =>
  former.find(({ until }) => until > at)?.value ?? present

type SiteColumn = 'avp' | 'use_approve_sale' | 'several_products' | 'counts_for_days' | 'part_rule'

/** What a row of `sites` had in a column at a time. Only for queries on one machine. */
export const siteValueAt = <Column extends SiteColumn>(
  column: Column,
  site: string,
  at: RawBuilder<unknown>,
): RawBuilder<Selectable<DB['sites']>[Column]> => sql`coalesce(
  (
    select former.${sql.ref(column)} from former_site_flags as former
    where former.site_id = ${sql.ref(`${site}.id`)} and former.until > ${at}
      and former.${sql.ref(column)} is not null -- before it was kept
    order by former.until, former.id
    limit 1
  ),
  ${sql.ref(`${site}.${column}`)}
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

/** What a site's new words were decided to mean, as stored: before each change, and now. */
export async function findWordReadings(
  db: DbOrTx,
  siteId: number,
): Promise<{ former: unknown[]; present: unknown }> {
  const former = await db
    .selectFrom('former_site_flags')
    .select('word_readings as stored')
    .where('site_id', '=', siteId)
    .where('word_readings', 'is not', null)
    .execute()
  const present = await db
    .selectFrom('sites')
    .select('word_readings as stored')
    .where('id', '=', siteId)
    .executeTakeFirst()
  return { former: former.map(({ stored }) => stored), present: present?.stored }
}

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

/** What these sites decided before each change, oldest first, and what they decide now (`former_id` null), by site. */
export async function findSiteTerms(db: DbOrTx, formerIds: readonly number[]) {
  const { rows } = await sql<Terms & { site_id: number; former_id: number | null }>`
    with site as (
      select sites.* from sites
      where id in (
        select site_id from former_site_flags where id = any(${[...formerIds]}::bigint[])
      )
    )
    select former.site_id, former.id as former_id, ${termsOf('former')}
    from former_site_flags as former
    join site on site.id = former.site_id
    union all
    select site.id, null, ${termsOf('site')} from site
    order by 1, 2 nulls last
  `.execute(db)
  return rows
}

const terms = [
  'use_approve_sale',
  'avp',
  'click_param',
  'transaction_id_is_click',
  'always_ok_text',
  'event_words',
  'status_words',
  'word_readings',
  'tracker',
  'several_products',
  'counts_for_days',
  'part_rule',
] as const

type Terms = Record<(typeof terms)[number], unknown>

const termsOf = (row: string) =>
  sql.join(
    terms.map((column) =>
      column === 'always_ok_text'
        ? sql`coalesce(${sql.ref(`${row}.${column}`)}, '') as ${sql.ref(column)}`
        : sql.ref(`${row}.${column}`),
    ),
  )

type Changed = { at: Date; by: { accountId: number; username: string } }

/**
 * Runs `change`, which changes what these sites decide about pay, keeps what they decided before, and seals both.
 *
 * @param sites as they are, locked
 */
export async function changeSites(
  tx: Tx,
  sites: readonly SiteRow[],
  { at, by }: Changed,
  change: () => Promise<void>,
): Promise<void> {
  const ids = sites.map(({ id }) => id)
  await changeSealed(tx, 'sites', { id: ids }, change)
  await insertRows(
    tx,
    'former_site_flags',
    sites.map((site) => ({
      site_id: site.id,
      until: at,
      avp: site.avp,
      use_approve_sale: site.use_approve_sale,
      click_param: site.click_param,
      transaction_id_is_click: site.transaction_id_is_click,
      always_ok_text: site.always_ok_text ?? '',
      event_words: JSON.stringify(site.event_words),
      status_words: JSON.stringify(site.status_words),
      word_readings: JSON.stringify(site.word_readings),
      tracker: site.tracker,
      several_products: site.several_products,
      counts_for_days: site.counts_for_days,
      part_rule: site.part_rule,
      changed_by: by.accountId,
      changed_by_name: by.username,
    })),
  )
  await sealFormer(tx, 'former_site_flags', 'site_id', ids)
}

/** Runs `change`, which changes a link type's Bonus checkbox, keeps what it was before, and seals both. */
export async function changeBonus(
  tx: Tx,
  { typeId, bonus }: { typeId: number; bonus: boolean },
  { at, by }: Changed,
  change: () => Promise<void>,
): Promise<void> {
  await changeSealed(tx, 'link_types', { id: typeId }, change)
  await insertRows(tx, 'former_link_type_flags', {
    type_id: typeId,
    until: at,
    bonus,
    changed_by: by.accountId,
    changed_by_name: by.username,
  })
  await sealFormer(tx, 'former_link_type_flags', 'type_id', [typeId])
}

/** Seals the newest row of each of these sites or link types. */
async function sealFormer(
  tx: Tx,
  table: 'former_site_flags' | 'former_link_type_flags',
  whose: 'site_id' | 'type_id',
  ids: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select max(id) as id from ${sql.table(table)}
    where ${sql.ref(whose)} = any(${ids}::bigint[])
    group by ${sql.ref(whose)}
  `.execute(tx)
  await sealRows(tx, table, { id: rows.map(({ id }) => id) })
}
