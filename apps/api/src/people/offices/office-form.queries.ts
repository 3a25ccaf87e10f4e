import { sql } from 'kysely'
import { everything } from '../../access/scope.ts'
import type { Sight } from '../../access/sight.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { mailAddress } from '../addresses/mail-address.queries.ts'
import { officeSeen } from '../../access/sight.queries.ts'

export type OfficeDetails = NonNullable<Awaited<ReturnType<typeof findOffice>>>

/** A visible office with its account. */
export const findOffice = (db: DbOrTx, sight: Sight, officeId: number) =>
  selectOffices(db, sight).where('office.id', '=', officeId).executeTakeFirst()

/** An office that was just made. */
export const getNewOffice = (tx: Tx, officeId: number) =>
  selectOffices(tx, { scope: everything(), withHidden: true, withSuspended: true })
    .where('office.id', '=', officeId)
    .executeTakeFirstOrThrow()

/** The same with a row lock. */
export const lockOffice = (tx: Tx, sight: Sight, officeId: number) =>
  selectOffices(tx, sight)
    .where('office.id', '=', officeId)
    .forNoKeyUpdate('office')
    .executeTakeFirst()

/** The offices among these ids. */
export const findOfficesById = (db: DbOrTx, officeIds: readonly number[]) =>
  selectOffices(db, { scope: everything(), withHidden: true, withSuspended: true })
    .where(sql<boolean>`office.id = any(${officeIds}::bigint[])`)
    .execute()

const selectOffices = (db: DbOrTx, sight: Sight) =>
  db
    .selectFrom('offices as office')
    .innerJoin('accounts as account', 'account.office_id', 'office.id')
    .select([
      'office.id',
      'office.name',
      'office.man_first_name',
      'office.man_last_name',
      mailAddress.as('man_email'),
      'office.agent_notes',
      'office.preferred_domain_id',
      'office.active',
      'office.hidden',
      'office.version',
      'account.id as account_id',
      'account.username',
    ])
    .where(officeSeen(sight))

/** The sites that forms offer, by name: neither hidden nor deleted. */
export const findOfferedSites = (db: DbOrTx) =>
  db
    .selectFrom('sites')
    .select(['id', 'sitename'])
    .where('deleted_at', 'is', null)
    .where('hidden', '=', false)
    .orderBy(sql`lower(sitename) collate "C"`)
    .orderBy('id')
    .execute()

/** Which of them an office may sell. */
export const findOfferedSitesOf = (db: DbOrTx, officeId: number) =>
  db
    .selectFrom('office_sites')
    .innerJoin('sites', 'sites.id', 'office_sites.site_id')
    .select(['sites.id', 'sites.sitename'])
    .where('office_sites.office_id', '=', officeId)
    .where('sites.deleted_at', 'is', null)
    .where('sites.hidden', '=', false)
    .orderBy(sql`lower(sites.sitename) collate "C"`)
    .orderBy('sites.id')
    .execute()

/** Allows a new office to sell every site, including hidden ones. */
export async function allowEverySite(tx: Tx, officeId: number): Promise<void> {
  await sql`
    insert into office_sites (office_id, site_id)
    select ${officeId}::bigint, id
    from sites
    where deleted_at is null
  `.execute(tx)
}

/** Allows every office to sell a site. */
export async function allowEveryOffice(tx: Tx, siteId: number): Promise<void> {
  await sql`
    insert into office_sites (office_id, site_id)
    select id, ${siteId}::bigint
    from offices
    on conflict (office_id, site_id) do nothing
  `.execute(tx)
}

export async function insertOfficeSites(
  tx: Tx,
  officeId: number,
  siteIds: readonly number[],
): Promise<void> {
  await sql`
    insert into office_sites (office_id, site_id)
    select ${officeId}::bigint, site_id
    from unnest(${siteIds}::bigint[]) as chosen (site_id)
    on conflict (office_id, site_id) do nothing
  `.execute(tx)
}

export async function deleteOfficeSites(
  tx: Tx,
  officeId: number,
  siteIds: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('office_sites')
    .where('office_id', '=', officeId)
    .where(sql<boolean>`site_id = any(${siteIds}::bigint[])`)
    .execute()
}
