import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { direction } from '../../db/list-query.ts'

export type DomainChoice = { id: number; domain: string }

/** The active domains. The first one is the default for new offices, and for offices that prefer none. */
export const findActiveDomains = (db: DbOrTx): Promise<DomainChoice[]> =>
  db
    .selectFrom('preferred_domains')
    .select(['id', 'domain'])
    .where('hidden', '=', false)
    .orderBy('id')
    .execute()

export type DomainOrder = { sortField: keyof typeof sortColumns; ascending: boolean }

const sortColumns = {
  domain: sql`domain.domain collate "C"`,
  status: sql`domain.hidden`,
  description: sql`lower(domain.description) collate "C"`,
} satisfies Record<string, RawBuilder<unknown>>

export type DomainWithOffices = {
  id: number
  domain: string
  description: string
  hidden: boolean
  companies: string[]
}

/** All domains with the names of the offices that prefer them, by name. */
export async function findDomainsWithOffices(
  db: DbOrTx,
  { sortField, ascending }: DomainOrder,
): Promise<DomainWithOffices[]> {
  const { rows } = await sql<DomainWithOffices>`
    select
      domain.id,
      domain.domain,
      domain.description,
      domain.hidden,
      coalesce(
        array_agg(office.name order by lower(office.name) collate "C") filter (where office.id is not null),
        '{}'
      ) as companies
    from preferred_domains as domain
    left join offices as office on office.preferred_domain_id = domain.id
    group by domain.id
    order by ${sortColumns[sortField]} ${direction(ascending)}, domain.id
  `.execute(db)
  return rows
}

const FORM_COLUMNS = [
  'id',
  'domain',
  'description',
  'hidden',
  'root_url as rootUrl',
  'version',
] as const

/** Also of hidden domains, whose links keep working. */
export const findDomainRoots = (db: DbOrTx) =>
  db
    .selectFrom('preferred_domains')
    .select(['domain', 'root_url as rootUrl'])
    .where('root_url', 'is not', null)
    .orderBy('id', 'desc')
    .execute()

export const findDomain = (db: DbOrTx, id: number) =>
  db.selectFrom('preferred_domains').select(FORM_COLUMNS).where('id', '=', id).executeTakeFirst()

export const findDomainsById = (db: DbOrTx, ids: readonly number[]) =>
  db
    .selectFrom('preferred_domains')
    .select(FORM_COLUMNS)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute()

/**
 * Locks all domains, so that if two requests each hide one of the last two active domains, the second one sees
 * the first.
 */
export const lockDomains = (tx: Tx) =>
  tx.selectFrom('preferred_domains').select(FORM_COLUMNS).orderBy('id').forUpdate().execute()

/** Rows that already have the status are not touched. */
export async function setHidden(tx: Tx, ids: readonly number[], hidden: boolean): Promise<void> {
  await tx
    .updateTable('preferred_domains')
    .set({ hidden, version: sql`version + 1` })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('hidden', '<>', hidden)
    .execute()
}
