import type { Currency } from '@tallyroom/domain/pay'
import type { DbOrTx } from '../../db/database.ts'
import { type DoneDeed, findPersons, whyMayNot } from '../../people/index.ts'
import { findAdjustments } from '../ledger/adjustments.queries.ts'
import { findPayHolders } from '../terms/pay-holders.queries.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'
import { doersOf, findDeedsOfLines } from './approvers.ts'

/** What could be a payee's next run, so far: what is owed to the payee in this currency. */
export type NextRun = {
  payee: PayeeKey & { name: string }
  currency: Currency
  /** Into which it is paid; null without one. */
  accountId: number | null
}

/**
 * For each run: the names of those who could still approve it after somebody has done something alone that bars them: a
 * confirmation, an adjustment, a hold. Null if that bars nobody who could now.
 *
 * It knows what was done until now, adjustments that no statement has yet included; not what will be, as who prepares the run.
 */
export async function findApproversAfter(
  db: DbOrTx,
  now: Date,
  runs: readonly NextRun[],
  by: number,
): Promise<(string[] | null)[]> {
  if (runs.length === 0) return []
  const done: DoneDeed[][] = []
  for (const run of runs)
    done.push([
      ...(await findDeedsOfLines(db, { ...run, at: now })),
      ...(await findOpenDeeds(db, run.payee)),
    ])
  const holders = await findPayHolders(db)
  const ids = holders.map(({ id }) => id)
  const persons = await findPersons(db, now, [...ids, by, ...doersOf(done.flat())])
  // Somebody else has to prepare it.
  const withPreparer = holders.filter(({ id }) =>
    ids.some((other) => other !== id && !persons.onePerson(id, other)),
  )
  const ableAfter = (deeds: readonly DoneDeed[]) =>
    withPreparer.filter(({ id }) => whyMayNot('approve run', id, deeds, persons) === undefined)
  return runs.map(({ payee }, index) => {
    const before = done[index] ?? []
    const after = ableAfter([...before, { deed: 'adjusted', by, of: payee.name }])
    return after.length === ableAfter(before).length ? null : after.map(({ name }) => name)
  })
}

/** The adjustments of a payee that one person made and no statement has yet. */
const findOpenDeeds = async (db: DbOrTx, payee: PayeeKey & { name: string }): Promise<DoneDeed[]> =>
  (await findAdjustments(db, payee))
    .filter(({ statementId, approvedBy }) => statementId === null && approvedBy === null)
    .map(({ madeById: by }): DoneDeed => ({ deed: 'adjusted', by, of: payee.name }))
