import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

export type LinkTypeChoice = {
  id: number
  siteId: number
  typename: string
  typealias: string
  bonus: boolean
  active: boolean
}

export type LinkTypeOrder = { sortField: keyof typeof sortColumns; ascending: boolean }

const sortColumns = {
  typename: sql`lower(typename) collate "C"`,
  typealias: sql`lower(typealias) collate "C"`,
  id: sql`id`,
}

/** The link types of a site, suspended ones too: they have a past. */
export const findTypesOfSite = (
  db: DbOrTx,
  siteId: number,
  { sortField, ascending }: LinkTypeOrder,
): Promise<LinkTypeChoice[]> =>
  db
    .selectFrom('link_types')
    .select(['id', 'site_id as siteId', 'typename', 'typealias', 'bonus', 'active'])
    .where('site_id', '=', siteId)
    .where('deleted_at', 'is', null)
    .orderBy(sortColumns[sortField], ascending ? 'asc' : 'desc')
    .orderBy('id')
    .execute()
