import type { Currency } from '@tallyroom/domain/pay'
import type { DbOrTx } from '../../db/database.ts'
import { type DoneDeed, findPersons, whyMayNot } from '../../people/index.ts'
import { findAdjustments } from '../ledger/adjustments.queries.ts'
import { findPayHolders } from '../terms/pay-holders.queries.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'
import { doersOf, findDeedsOfLines } from './approvers.ts'

/**
 * The names of those who could still approve a payee's next run after somebody has done something alone that bars them: a
 * confirmation, an adjustment, a hold. Null if that bars nobody who could now.
 *
 * It knows what was done until now, adjustments that no statement has yet included; not what will be, as who prepares the run.
 */
export async function findApproversAfter(
  db: DbOrTx,
  now: Date,
  next: {
    payee: PayeeKey & { name: string }
    currency: Currency
    /** Into which it is paid; null without one. */
    accountId: number | null
  },
  by: number,
): Promise<string[] | null> {
  const done: DoneDeed[] = [
    ...(await findDeedsOfLines(db, { ...next, at: now })),
    ...(await findOpenDeeds(db, next.payee)),
  ]
  const holders = await findPayHolders(db)
  const ids = holders.map(({ id }) => id)
  const persons = await findPersons(db, now, [...ids, by, ...doersOf(done)])
  const isAble = (id: number, deeds: readonly DoneDeed[]) =>
    whyMayNot('approve run', id, deeds, persons) === undefined &&
    // Somebody else has to prepare it.
    ids.some((other) => other !== id && !persons.onePerson(id, other))
  const ableAfter = (deeds: readonly DoneDeed[]) => holders.filter(({ id }) => isAble(id, deeds))
  const after = ableAfter([...done, { deed: 'adjusted', by, of: next.payee.name }])
  return after.length === ableAfter(done).length ? null : after.map(({ name }) => name)
}

/** The adjustments of a payee that one person made and no statement has yet. */
const findOpenDeeds = async (db: DbOrTx, payee: PayeeKey & { name: string }): Promise<DoneDeed[]> =>
  (await findAdjustments(db, payee))
    .filter(({ statementId, approvedBy }) => statementId === null && approvedBy === null)
    .map(({ madeById: by }): DoneDeed => ({ deed: 'adjusted', by, of: payee.name }))
