import type { Alarm } from '@tallyroom/contract/desk/alarms'
import { type AlarmKind, type AlarmLimits, PROOF_ALARMS } from '@tallyroom/domain/alarms'
import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { RowOf } from '../../db/row-of.ts'
import type { Subject } from './hourly-figures.queries.ts'

/** What an alarm is about. Domains are not watched by the hour. */
export type AlarmSubject = Subject | { watched: 'domain'; id: number }

export type WatchedSubject = Subject & { site_id: number | null }

/** What is active, sites before their link types. Whoever is switched off may be silent. */
export async function findWatched(tx: Tx): Promise<WatchedSubject[]> {
  const { rows } = await sql<WatchedSubject>`
    select 'site' as watched, id, id as site_id, 1 as place
    from sites where active and deleted_at is null
    union all
    select 'type', type.id, type.site_id, 2
    from link_types as type
    join sites as site on site.id = type.site_id and site.active and site.deleted_at is null
    where type.active and type.deleted_at is null
    union all
    select 'office', id, null, 3 from offices where active
    order by place, id
  `.execute(tx)
  return rows.map(({ watched, id, site_id }) => ({ watched, id, site_id }))
}

export type OpenAlarm = {
  id: number
  kind: AlarmKind
  watched: AlarmSubject['watched']
  watchedId: number
}

export const findOpen = (db: DbOrTx): Promise<OpenAlarm[]> =>
  db
    .selectFrom('alarms')
    .select(['id', 'kind', 'watched', 'watched_id as watchedId'])
    .where('ended_at', 'is', null)
    .orderBy('id')
    .$castTo<OpenAlarm>()
    .execute()

/** The open alarms of one subject. */
export const findOpenOf = (tx: Tx, { watched, id }: AlarmSubject) =>
  tx
    .selectFrom('alarms')
    .select(['id', 'kind', 'raised_at as raisedAt', 'detail'])
    .where('watched', '=', watched)
    .where('watched_id', '=', id)
    .where('ended_at', 'is', null)
    .$castTo<{ id: number; kind: AlarmKind; raisedAt: Date; detail: string }>()
    .execute()

/** The sites that have a break now. */
export async function findQuietSites(tx: Tx, now: Date): Promise<Set<number>> {
  const rows = await tx
    .selectFrom('quiet_sites')
    .select('site_id')
    .where('until', '>', now)
    .execute()
  return new Set(rows.map(({ site_id }) => site_id))
}

type NewAlarm = AlarmSubject & {
  kind: AlarmKind
  site_id: number | null
  raised_at: Date
  since: Date
  /** Of alarms about figures. */
  expected?: number
  came?: number
  detail?: string
}

/** The alarm's id; undefined if the same one is open. */
export async function insertAlarm(
  tx: Tx,
  { id, expected, came, ...alarm }: NewAlarm,
): Promise<number | undefined> {
  const row = await tx
    .insertInto('alarms')
    .values({
      ...alarm,
      watched_id: id,
      expected: expected ?? null,
      came: came ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function endAlarms(tx: Tx, ids: readonly number[], at: Date): Promise<void> {
  await tx
    .updateTable('alarms')
    .set({ ended_at: at })
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

export async function isSite(tx: Tx, id: number): Promise<boolean> {
  const site = await tx
    .selectFrom('sites')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return site !== undefined
}

/** False if there is no such open alarm. */
export async function setAlarmQuiet(tx: Tx, id: number, until: Date | null): Promise<boolean> {
  const row = await tx
    .updateTable('alarms')
    .set({ quiet_until: until })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function setSiteQuiet(tx: Tx, siteId: number, until: Date | null): Promise<void> {
  if (until === null) {
    await tx.deleteFrom('quiet_sites').where('site_id', '=', siteId).execute()
    return
  }
  await tx
    .insertInto('quiet_sites')
    .values({ site_id: siteId, until })
    .onConflict((conflict) => conflict.column('site_id').doUpdateSet({ until }))
    .execute()
}

export const findSiteQuiet = async (db: DbOrTx, siteId: number): Promise<Date | null> =>
  (
    await db
      .selectFrom('quiet_sites')
      .select('until')
      .where('site_id', '=', siteId)
      .executeTakeFirst()
  )?.until ?? null

export type AlarmRow = RowOf<Alarm, 'raisedAt' | 'since' | 'endedAt' | 'quietUntil'>

export type AlarmFilter = {
  /** Only alarms that are open, and not quiet at this instant. */
  openAt?: Date
  /** Only alarms that are open or were raised since. */
  raisedSince?: Date
  siteId?: number | undefined
  officeId?: number | undefined
  ids?: readonly number[]
  /** Whether those about what proves that the database is unchanged are among them. */
  proof: boolean
  limit: number
}

/** Alarms, the open ones first, then the newest. They are about the whole network, so only staff see any. */
export async function findAlarms(
  db: DbOrTx,
  scope: Scope,
  { openAt, raisedSince, siteId, officeId, ids, proof, limit }: AlarmFilter,
): Promise<AlarmRow[]> {
  if (scope.sees !== 'everything') return []
  const { rows } = await sql<AlarmRow>`
    select
      alarm.id, alarm.kind, alarm.watched, alarm.watched_id as "watchedId", alarm.site_id as "siteId",
      coalesce(
        site.sitename || ' · ' || type.typename, site.sitename, office.name, domain.domain, ''
      ) as name,
      alarm.raised_at as "raisedAt", alarm.since, alarm.ended_at as "endedAt", alarm.expected,
      alarm.came, alarm.detail, greatest(alarm.quiet_until, quiet.until) as "quietUntil"
    from alarms as alarm
    left join sites as site on site.id = alarm.site_id
    left join link_types as type on alarm.watched = 'type' and type.id = alarm.watched_id
    left join offices as office on alarm.watched = 'office' and office.id = alarm.watched_id
    left join preferred_domains as domain
      on alarm.watched = 'domain' and domain.id = alarm.watched_id
    left join quiet_sites as quiet on quiet.site_id = alarm.site_id
    where ${
      openAt
        ? sql`alarm.ended_at is null
            and (greatest(alarm.quiet_until, quiet.until) is null or greatest(alarm.quiet_until, quiet.until) <= ${openAt})`
        : sql`true`
    }
      and ${raisedSince ? sql`(alarm.ended_at is null or alarm.raised_at >= ${raisedSince})` : sql`true`}
      and ${siteId === undefined ? sql`true` : sql`alarm.site_id = ${siteId}`}
      and ${officeId === undefined ? sql`true` : sql`alarm.watched = 'office' and alarm.watched_id = ${officeId}`}
      and ${proof ? sql`true` : sql`alarm.kind <> all(${[...PROOF_ALARMS]}::text[])`}
      and ${ids ? sql`alarm.id = any(${ids}::bigint[])` : sql`true`}
    order by alarm.ended_at is not null, alarm.raised_at desc, alarm.id desc
    limit ${limit}
  `.execute(db)
  return rows
}

export type AlarmSettings = AlarmLimits & { version: number }

export async function findSettings(
  db: DbOrTx,
): Promise<AlarmSettings & { countedTo: Date | null; lookedAt: Date | null }> {
  return db
    .selectFrom('alarm_settings')
    .select([
      'one_in_days as oneInDays',
      'least_clicks as leastClicks',
      'least_sales as leastSales',
      'flood_times as floodTimes',
      'version',
      'counted_to as countedTo',
      'looked_at as lookedAt',
    ])
    .executeTakeFirstOrThrow()
}

export async function lockSettings(tx: Tx): Promise<AlarmSettings> {
  await sql`select 1 from alarm_settings for update`.execute(tx)
  return findSettings(tx)
}

export async function updateSettings(tx: Tx, limits: AlarmLimits): Promise<void> {
  await tx
    .updateTable('alarm_settings')
    .set({
      one_in_days: limits.oneInDays,
      least_clicks: limits.leastClicks,
      least_sales: limits.leastSales,
      flood_times: limits.floodTimes,
      version: sql`version + 1`,
    })
    .execute()
}

export async function setLookedAt(tx: Tx, at: Date): Promise<void> {
  await tx.updateTable('alarm_settings').set({ looked_at: at }).execute()
}

export async function setCountedTo(tx: Tx, countedTo: Date): Promise<void> {
  await tx.updateTable('alarm_settings').set({ counted_to: countedTo }).execute()
}
