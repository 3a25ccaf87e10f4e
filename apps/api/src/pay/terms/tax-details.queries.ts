import type { TaxDetails } from '@tallyroom/contract/pay/tax-details'
import type { Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import type { RowOf } from '../../db/row-of.ts'
import type { TaxParty } from './payees.queries.ts'

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
