import type { PaySettings } from '@tallyroom/contract/pay/terms/settings'
import type { DbOrTx } from '../../db/database.ts'
import { findPersons } from '../../people/index.ts'
import { findPayHolders } from './pay-holders.queries.ts'

/** Who may pay, and which two of them count as one person now. */
export async function findPayers(
  db: DbOrTx,
  now: Date,
): Promise<Pick<PaySettings, 'payers' | 'onePerson'>> {
  const holders = await findPayHolders(db)
  const persons = await findPersons(
    db,
    now,
    holders.map(({ id }) => id),
  )
  const pairs = holders.flatMap((one, index) =>
    holders.slice(index + 1).map((other) => ({ one, other })),
  )
  return {
    payers: holders.map(({ name }) => name),
    onePerson: pairs.flatMap(({ one, other }) => {
      const found = persons.onePerson(one.id, other.id)
      if (!found) return []
      const until = found.until?.toISOString() ?? null
      return [{ name: one.name, other: other.name, why: found.why, until }]
    }),
  }
}
