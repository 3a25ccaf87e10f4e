import type { Carried } from '@tallyroom/domain/short-link'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** What a name of a short link leads to. */
export type ShortLinkFact = {
  /** See `lookOf`. */
  look: string
  site_id: number
  type_id: number
  agent_id: number
  carries: Carried
}

/** A change of a name. Of one that leads nowhere any more, the rest is null. */
export type ShortLinkChange = { changed_in: number } & (
  | ShortLinkFact
  | { look: string; site_id: null }
)

/** The names that have changed since, the earliest first. */
export async function findShortLinkChanges(db: Db, since: number): Promise<ShortLinkChange[]> {
  const { rows } = await sql<ShortLinkChange>`
    select name.changed_in, name.look, type.site_id, link.type_id, link.agent_id, link.carries
    from short_names as name
    left join short_links as link on link.id = name.link_id and link.deleted_at is null
    left join link_types as type on type.id = link.type_id
    where name.changed_in > ${since}
    order by name.changed_in
  `.execute(db)
  return rows
}
