import type { Day } from '@tallyroom/domain/new-york'
import type { TaxCountry } from '@tallyroom/domain/tax-number'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { sealRows } from '../../seals/index.ts'
import type { PayeeKey } from './payees.queries.ts'

export type StoredTaxDetails = {
  id: number
  fromDay: Day
  registeredName: string
  country: TaxCountry
  taxNumber: string
  address: string
  setAt: Date
  setBy: string
}

/** The latest first: by the day from which they are in force, then by when they were entered. */
export async function findTaxDetails(db: DbOrTx, payee: PayeeKey): Promise<StoredTaxDetails[]> {
  const { rows } = await sql<StoredTaxDetails>`
    select
      id, from_day as "fromDay", registered_name as "registeredName", country,
      tax_number as "taxNumber", address, set_at as "setAt", set_by_name as "setBy"
    from payee_tax_details
    where payee_kind = ${payee.kind} and payee_id = ${payee.id}
    order by from_day desc, id desc
  `.execute(db)
  return rows
}

export async function insertTaxDetails(
  tx: Tx,
  payee: PayeeKey,
  {
    setBy,
    ...details
  }: Omit<StoredTaxDetails, 'id' | 'setBy'> & { setBy: { id: number; name: string } },
): Promise<void> {
  const { id } = await tx
    .insertInto('payee_tax_details')
    .values({
      payee_kind: payee.kind,
      payee_id: payee.id,
      from_day: details.fromDay,
      registered_name: details.registeredName,
      country: details.country,
      tax_number: details.taxNumber,
      address: details.address,
      set_at: details.setAt,
      set_by: setBy.id,
      set_by_name: setBy.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sealRows(tx, 'payee_tax_details', { id })
}
