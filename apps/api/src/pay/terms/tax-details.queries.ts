import type { TaxDetails } from '@tallyroom/contract/pay/acts/tax-details'
import type { Day } from '@tallyroom/domain/new-york'
import { taxpayerOf } from '@tallyroom/domain/tax-number'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import type { RowOf } from '../../db/row-of.ts'
import { type PayeeKey, payeeText, type TaxParty } from './payees.queries.ts'

export type StoredTaxDetails = RowOf<Omit<TaxDetails, 'setBy'>, 'setAt'> & { setBy: string }

const columns = sql`
  id, from_day as "fromDay", registered_name as "registeredName", country, tax_number as "taxNumber", address,
  set_at as "setAt", set_by_name as "setBy"
`

/** The latest first: by the day from which they are in force, then by when they were entered. */
export async function findTaxDetails(db: DbOrTx, payee: TaxParty): Promise<StoredTaxDetails[]> {
  const { rows } = await sql<StoredTaxDetails>`
    select ${columns}
    from payee_tax_details
    where payee_kind = ${payee.kind} and payee_id = ${payee.id}
    order by from_day desc, id desc
  `.execute(db)
  return rows
}

/** Those in force on a New York day, by `payeeText`: of the latest day until then, the newest. */
export async function findTaxDetailsOn(
  db: DbOrTx,
  day: Day,
): Promise<ReadonlyMap<string, StoredTaxDetails>> {
  const { rows } = await sql<StoredTaxDetails & { party: string }>`
    select distinct on (payee_kind, payee_id)
      concat(payee_kind, ' ', payee_id) as party, ${columns}
    from payee_tax_details
    where from_day <= ${day}
    order by payee_kind, payee_id, from_day desc, id desc
  `.execute(db)
  return new Map(rows.map(({ party, ...details }) => [party, details]))
}

/** By their ids. */
export async function findTaxDetailsById(
  db: DbOrTx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredTaxDetails>> {
  const { rows } = await sql<StoredTaxDetails>`
    select ${columns} from payee_tax_details where id = any(${[...new Set(ids)]}::bigint[])
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** A payee who has a tax number, or had it. */
export type SameTaxpayer = PayeeKey & {
  /** Whether their latest details have it. */
  isLatest: boolean
}

/** Whoever has, or had, a tax number of one of these taxpayers, each once. */
export async function findSameTaxpayers(
  db: DbOrTx,
  parties: readonly Pick<TaxDetails, 'country' | 'taxNumber'>[],
): Promise<SameTaxpayer[]> {
  const { rows } = await sql<SameTaxpayer & Pick<TaxDetails, 'country' | 'taxNumber'>>`
    select
      payee_kind as kind, payee_id as id, country, tax_number as "taxNumber",
      row_number() over (partition by payee_kind, payee_id order by from_day desc, id desc) = 1 as "isLatest"
    from payee_tax_details
    where payee_kind <> 'network'
    order by payee_kind, payee_id, from_day desc, id desc
  `.execute(db)
  const taxpayers = new Set(parties.map(({ country, taxNumber }) => taxpayerOf(country, taxNumber)))
  const same = rows.filter((row) => taxpayers.has(taxpayerOf(row.country, row.taxNumber)))
  // The latest of each comes first.
  return [...Map.groupBy(same, payeeText).values()].flatMap(([first]) =>
    first ? { kind: first.kind, id: first.id, isLatest: first.isLatest } : [],
  )
}
