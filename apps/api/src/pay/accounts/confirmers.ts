import type { DbOrTx } from '../../db/database.ts'
import { type DoneDeed, findPersons, findPersonsEver, whyMayNot } from '../../people/index.ts'
import type { AsOf } from '../../seals/index.ts'
import { findPayHolders } from '../terms/pay-holders.queries.ts'
import { payeeText } from '../terms/payees.queries.ts'
import {
  type AccountRow,
  findAccounts,
  findPayeeSignIns,
  findWaiting,
} from './payee-accounts.queries.ts'
import { payeeOf } from './standings.ts'

/** Somebody who may pay, and why they can't decide on an account, as a predicate: `entered this account`. */
export type Confirmer = { id: number; name: string; whyNot: string | null }

/**
 * Everybody who may decide on these accounts, with the reason if they can't. Confirmers are people, not accounts: two
 * accounts of one person confirm once.
 */
export async function findConfirmers(
  db: DbOrTx,
  now: Date,
  accounts: readonly AccountRow[],
): Promise<(account: AccountRow) => Confirmer[]> {
  const holders = await findPayHolders(db)
  const signIns = await findPayeeSignIns(db, accounts.map(payeeOf))
  const deeds = new Map(
    accounts.map((account) => [
      account.id,
      deedsOf(account, signIns.get(payeeText(payeeOf(account))) ?? []),
    ]),
  )
  const doers = [...deeds.values()].flat().map(({ by }) => by)
  const persons = await findPersons(db, now, [...holders.map(({ id }) => id), ...doers])
  return (account) =>
    holders.map(({ id, name }) => {
      const barred = whyMayNot('confirm account', id, deeds.get(account.id) ?? [], persons)
      return { id, name, whyNot: barred?.why ?? null }
    })
}

/** The accounts that await confirmation and that this person may decide on, and when the oldest was entered. */
export async function countAccountsToConfirm(
  db: DbOrTx,
  now: Date,
  accountId: number,
): Promise<{ count: number; since: Date | null }> {
  const waiting = await findWaiting(db)
  if (waiting.length === 0) return { count: 0, since: null }
  const confirmersOf = await findConfirmers(db, now, waiting)
  const open = waiting.filter((account) =>
    confirmersOf(account).some(({ id, whyNot }) => id === accountId && whyNot === null),
  )
  return { count: open.length, since: open[0]?.entered_at ?? null }
}

/** A confirmation: by whom, when, and who had confirmed the account before. */
export type Confirmation = {
  accountId: number
  by: number
  at: Date
  earlier: readonly number[]
} & AsOf

/** For each confirmation, why they should not have made it, as a predicate; undefined if they could. */
export async function whyNotConfirmed(
  db: DbOrTx,
  confirmations: readonly Confirmation[],
): Promise<(string | undefined)[]> {
  const ids = [...new Set(confirmations.map(({ accountId }) => accountId))]
  const accounts = new Map((await findAccounts(db, { ids })).map((one) => [one.id, one]))
  const signIns = await findPayeeSignIns(db, [...accounts.values()].map(payeeOf))
  const made = confirmations.map(({ accountId, earlier, ...confirmation }) => {
    const account = accounts.get(accountId)
    if (!account) return { ...confirmation, deeds: [] }
    const decisions = account.decisions.filter((one) => earlier.includes(one.by))
    const deeds = deedsOf({ ...account, decisions }, signIns.get(payeeText(payeeOf(account))) ?? [])
    return { ...confirmation, deeds }
  })
  const personsAt = await findPersonsEver(
    db,
    made.flatMap(({ by, deeds }) => [by, ...deeds.map((deed) => deed.by)]),
  )
  return made.map(
    ({ by, at, deeds, ...asOf }) =>
      whyMayNot('confirm account', by, deeds, personsAt(at, asOf))?.why,
  )
}

const deedsOf = ({ entered_by, decisions }: AccountRow, signIns: readonly number[]): DoneDeed[] => [
  { deed: 'entered account', by: entered_by },
  ...decisions.map(({ by }) => ({ deed: 'confirmed account', by }) as const),
  ...signIns.map((by) => ({ deed: 'is payee', by }) as const),
]
