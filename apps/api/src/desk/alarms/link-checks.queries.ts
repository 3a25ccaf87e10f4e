import { LINK_ALARMS } from '@tallyroom/domain/alarms'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** A link type's target, or a preferred domain, that is due to be asked. */
export type DueLink = {
  watched: 'type' | 'domain'
  id: number
  siteId: number | null
  /** A template, or the domain. */
  url: string
  clickParam: string
  /** Where it ended before; null if it was not asked yet. */
  host: string | null
  failures: number
}

/**
 * Claims what is due, for this process: domains in use, and link types with clicks since `clickedSince`. What failed once is
 * asked again soon, and what a clock that was ahead has asked after `latest`, now.
 */
export async function claimDueLinks(
  tx: Tx,
  {
    now,
    clickedSince,
    askedBefore,
    failedBefore,
    latest,
    limit,
  }: {
    now: Date
    clickedSince: string
    askedBefore: Date
    failedBefore: Date
    latest: Date
    limit: number
  },
): Promise<DueLink[]> {
  const { rows } = await sql<DueLink & { asked_url: string | null }>`
    select link.watched, link.id, link.site_id as "siteId", link.url, link.click_param as "clickParam",
      known.url as asked_url, known.host, coalesce(known.failures, 0) as failures
    from (
      select 'type' as watched, type.id, type.site_id, type.url, site.click_param
      from link_types as type
      join sites as site on site.id = type.site_id and site.active and site.deleted_at is null
      where type.active and type.deleted_at is null and exists (
        select 1 from hourly_figures as figures
        where figures.watched = 'type' and figures.id = type.id and figures.day >= ${clickedSince}
          and 0 < any(figures.clicks)
      )
      union all
      select 'domain', id, null, domain, '' from preferred_domains where not hidden
    ) as link
    left join link_checks as known on known.watched = link.watched and known.id = link.id
    where known.asked_at is null or known.url <> link.url or known.asked_at > ${latest}
      or known.asked_at <= case when known.failures > 0 then ${failedBefore}::timestamptz else ${askedBefore}::timestamptz end
    order by known.asked_at nulls first, link.watched, link.id
    limit ${limit}
  `.execute(tx)
  const due = rows.map(({ asked_url, ...link }) =>
    // Another address is not compared with the one before.
    asked_url === null || asked_url === link.url ? link : { ...link, host: null, failures: 0 },
  )
  for (const { watched, id, url, host, failures } of due) {
    await tx
      .insertInto('link_checks')
      .values({ watched, id, url, host, failures, asked_at: now })
      .onConflict((conflict) =>
        conflict.columns(['watched', 'id']).doUpdateSet({ url, host, failures, asked_at: now }),
      )
      .execute()
  }
  return due
}

export async function keepAnswer(
  tx: Tx,
  { watched, id }: Pick<DueLink, 'watched' | 'id'>,
  answer: { host: string | null; failures: number },
): Promise<void> {
  await tx
    .updateTable('link_checks')
    .set(answer)
    .where('watched', '=', watched)
    .where('id', '=', id)
    .execute()
}

/** The alarms about links whose link type or domain is not asked any more. */
export async function findLinkAlarmsWithout(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select alarm.id from alarms as alarm
    where alarm.ended_at is null
      and alarm.kind in (${sql.join(LINK_ALARMS)})
      and not exists (
        select 1 from link_types as type
        join sites as site on site.id = type.site_id and site.active and site.deleted_at is null
        where alarm.watched = 'type' and type.id = alarm.watched_id and type.active
          and type.deleted_at is null
      )
      and not exists (
        select 1 from preferred_domains as domain
        where alarm.watched = 'domain' and domain.id = alarm.watched_id and not domain.hidden
      )
  `.execute(tx)
  return rows.map(({ id }) => id)
}
