import type { sortFields } from '@tallyroom/contract/list-choices'
import type { siteListSchema } from '@tallyroom/contract/people/site-list'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { DbOrTx } from '../../db/database.ts'
import { inOrder } from '../../db/list-query.ts'

export type SiteListItem = z.output<(typeof siteListSchema)['response']>[number]

export type SiteListQuery = {
  sortField: (typeof sortFields.siteList)[number]
  ascending: boolean
  withHidden: boolean
}

/** The sites that an office may sell; for an agent, without those switched off for them. */
export async function findSiteList(
  db: DbOrTx,
  { officeId, agentId }: { officeId: number; agentId?: number },
  { sortField, ascending, withHidden }: SiteListQuery,
): Promise<SiteListItem[]> {
  const { rows } = await sql<SiteListItem>`
    select site.id, site.sitename, site.abbr, site.active, site.hidden
    from office_sites as office_site
    join sites as site on site.id = office_site.site_id
    left join agent_sites_off as off on off.site_id = site.id and off.agent_id = ${agentId ?? null}::bigint
    where office_site.office_id = ${officeId}
      and site.deleted_at is null
      and off.site_id is null
      and (${withHidden} or not site.hidden)
    order by ${inOrder([...sortColumns[sortField], sql`site.id`], ascending)}
  `.execute(db)
  return rows
}

const sitename = sql`lower(site.sitename) collate "C"`

const sortColumns: Record<SiteListQuery['sortField'], RawBuilder<unknown>[]> = {
  hostname: [
    sql`lower(substring(site.url from '^(?:https?://)?(?:www[.])?([^/:?#]*)')) collate "C"`,
  ],
  sitename: [sitename],
  abbr: [sql`lower(site.abbr) collate "C"`, sitename],
  status: [sql`not site.active`, sql`site.hidden`, sitename],
}
