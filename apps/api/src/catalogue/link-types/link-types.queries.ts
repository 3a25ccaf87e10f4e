import type { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { defaultRateId } from '../rates/rates.queries.ts'

type SortField = RequestOf<typeof linkTypesEndpoints.typesBySite>['query']['sortField']

export type LinkTypeRow = NonNullable<Awaited<ReturnType<typeof findType>>>

/** The link types of a site, including suspended ones, which have a past. */
export const findTypesOfSite = (
  db: DbOrTx,
  siteId: number,
  now: Date,
  { sortField, ascending }: { sortField: SortField; ascending: boolean },
): Promise<LinkTypeRow[]> =>
  selectTypes(db, now)
    .where('type.site_id', '=', siteId)
    .orderBy(sortColumns[sortField], ascending ? 'asc' : 'desc')
    .orderBy(sortColumns.typename)
    .orderBy('type.id')
    .execute()

const sortColumns = {
  typename: sql`lower(typename) collate "C"`,
  typealias: sql`lower(typealias) collate "C"`,
  id: sql`type.id`,
  url: sql`url collate "C"`,
  payout: sql`payout_centavos`,
  earning: sql`earning_cents`,
  lpp: sql`lpp`,
  status: sql`not active`,
  bbrCh: sql`lower(bbr_ch) collate "C"`,
} satisfies Record<SortField, unknown>

/** A link type that is not deleted, with its default rates at a point in time. */
export const findType = (db: DbOrTx, typeId: number, now: Date) =>
  selectTypes(db, now).where('type.id', '=', typeId).executeTakeFirst()

/** Those that are not deleted, with their default rates at a point in time. */
export const findTypesById = (db: DbOrTx, typeIds: readonly number[], now: Date) =>
  selectTypes(db, now)
    .where(sql<boolean>`type.id = any(${typeIds}::bigint[])`)
    .execute()

const selectTypes = (db: DbOrTx, now: Date) =>
  db
    .selectFrom('link_types as type')
    .innerJoin('rates as rate', (join) =>
      join.on(
        'rate.id',
        '=',
        defaultRateId({ typeId: sql`type.id`, at: sql`${now}::timestamptz` }),
      ),
    )
    .selectAll('type')
    .select([
      'rate.payout_centavos',
      'rate.earning_cents',
      'rate.lpp',
      'rate.bonus_payout_centavos',
      'rate.bonus_earning_cents',
      'rate.bonus_lpp',
    ])
    .where('type.deleted_at', 'is', null)
