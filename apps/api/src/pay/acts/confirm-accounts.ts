import type { AnswerOf } from '@tallyroom/contract/endpoint'
import {
  type AccountDoubt,
  accountDoubts,
  type AccountToConfirm,
  type payeeAccountsEndpoints,
} from '@tallyroom/contract/pay/accounts/payee-accounts'
import type { Currency } from '@tallyroom/domain/pay'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, forbidden, notFound } from '../../errors.ts'
import { type FactorServices, withFactor } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { writeSecondStep } from '../seconds/second-step.ts'
import { insertSealedRows, lockSealHead } from '../../seals/index.ts'
import { refuseForged } from '../evidence/evidence.ts'
import { findPayeeNames, type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { findConfirmers } from '../accounts/confirmers.ts'
import { findApproversAfter } from '../runs/next-approvers.ts'
import { listDisowned } from '../accounts/disown-account.ts'
import { detailsSchema } from '../accounts/doubts.ts'
import { type AccountRow, findAccounts, lockAccounts } from '../accounts/payee-accounts.queries.ts'
import { laterPaidFrom, shownAccount } from '../accounts/present-account.ts'
import { type AccountSeals, accountSeals } from '../accounts/sealed-account.ts'
import { byPayeeText, payeeOf, standingOf } from '../accounts/standings.ts'

type Calls = typeof payeeAccountsEndpoints
type ListServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>

export async function listToConfirm(
  services: ListServices,
  viewer: Viewer,
): Promise<AnswerOf<Calls['accountsToConfirm']>> {
  const { config, db, clock } = services
  const now = clock.now()
  const all = byPayeeText(await findAccounts(db, 'all'))
  const waiting = [...all.values()]
    .map(standingOf)
    .flatMap(({ inForce, newest }) => (newest?.state === 'waiting' ? [{ inForce, newest }] : []))
    .toSorted((a, b) => a.newest.id - b.newest.id)
  const names = await findPayeeNames(
    db,
    waiting.flatMap(({ newest }) => [payeeOf(newest), ...newest.shares]),
  )
  const nameOf = (payee: PayeeKey) => ({ ...payee, name: names.get(payeeText(payee)) ?? '' })
  const seals = accountSeals(services)
  const confirmersOf = await findConfirmers(
    db,
    now,
    waiting.map(({ newest }) => newest),
  )
  const closedTo = (account: AccountRow) =>
    confirmersOf(account).find(({ id }) => id === viewer.accountId)?.whyNot ?? null
  const open = waiting.map(({ newest }) => newest).filter((account) => closedTo(account) === null)
  const approvers = await findApproversAfter(
    db,
    now,
    open.map((account) => ({
      payee: nameOf(payeeOf(account)),
      currency: account.currency as Currency, // payee_accounts__currency
      accountId: account.id,
    })),
    viewer.accountId,
  )
  const after = new Map(open.map(({ id }, index) => [id, approvers[index] ?? null]))
  return {
    passwordsShown: config.passwordColumn === 'on',
    waiting: waiting.map(({ inForce, newest }) => {
      const confirmers = confirmersOf(newest)
      return {
        payee: nameOf(payeeOf(newest)),
        old: inForce ? shownAccount(seals, inForce) : null,
        numberChanged: inForce !== undefined && !haveSameNumber(seals, inForce, newest),
        account: {
          ...shownAccount(seals, newest),
          paidFrom: laterPaidFrom(newest, now),
          confirmations: newest.needed,
          confirmedBy: newest.decisions.map(({ name }) => name),
        },
        doubts: doubtsOf(newest),
        sharedWith: newest.shares.map((payee) => ({
          ...nameOf(payee),
          state: stateFor(all.get(payeeText(payee)) ?? [], newest),
        })),
        closedToYou: closedTo(newest),
        approversAfter: after.get(newest.id) ?? null,
        confirmers: confirmers
          .filter(({ id }) => id !== viewer.accountId)
          .map(({ name, whyNot }) => ({ name, whyNot })),
      }
    }),
    disowned: await listDisowned(services),
  }
}

/**
 * Confirms or refuses a payee's newest account.
 *
 * @throws NOT_FOUND; FORBIDDEN to whoever entered or confirmed it or had a hand in it, and to whoever is one person with
 * them; CONFLICT if it no longer waits; to confirm, FACTOR_NEEDED and what else `writeSecondStep` throws.
 */
export async function decideAccount(
  services: FactorServices,
  viewer: Viewer,
  id: number,
  { confirm, reason }: { confirm: boolean; reason: string },
): Promise<void> {
  refuseSignedInAs(viewer)
  await withFactor(services, viewer, (giver) =>
    inTransaction(services.db, async (tx) => {
      const newest = await lockWaiting(tx, id)
      await lockSealHead(tx)
      const confirmers = (await findConfirmers(tx, tx.now, [newest]))(newest)
      const confirmer = confirmers.find((one) => one.id === viewer.accountId)
      if (!confirmer) throw forbidden()
      if (confirmer.whyNot !== null)
        throw forbidden(`You ${confirmer.whyNot}. Somebody else must decide about it.`)
      await refuseForged(tx, { payees: [payeeOf(newest)] })
      if (confirm)
        return writeSecondStep(tx, giver, { kind: 'account', id, reason: reason || null })
      // Nothing is paid by it, so nothing can be gained.
      return insertSealedRows(tx, 'payee_account_decisions', {
        account_id: id,
        decided_by: viewer.accountId,
        decided_by_name: viewer.username,
        confirmed: false,
        reason: reason || null,
        decided_at: tx.now,
      })
    }),
  )
}

/** @throws NOT_FOUND; CONFLICT unless it is its payee's newest account and waits. */
async function lockWaiting(tx: Tx, id: number) {
  const [found] = await findAccounts(tx, { ids: [id] })
  if (!found) throw notFound('account')
  const payee = payeeOf(found)
  await lockAccounts(tx, payee)
  const { newest } = standingOf(await findAccounts(tx, { payee }))
  if (newest?.id !== id || newest.state !== 'waiting')
    throw conflict('This account is no longer waiting for confirmation. Reload the page.')
  return newest
}

/** Why somebody else than its payee may have entered an account. */
function doubtsOf(
  account: Pick<AccountRow, 'doubts' | 'doubt_details'>,
): { doubt: AccountDoubt; by: string | null; at: string | null }[] {
  const details = detailsSchema.parse(account.doubt_details ?? {})
  return accountDoubts
    .filter((doubt) => account.doubts.includes(doubt))
    .map((doubt) => ({
      doubt,
      by: details[doubt]?.by ?? null,
      at: details[doubt]?.at ?? null,
    }))
}

type SharedState = AccountToConfirm['sharedWith'][number]['state']

/** What an account is to another payee, whose accounts these are. */
function stateFor(others: readonly AccountRow[], account: AccountRow): SharedState {
  const isSame = (one: AccountRow | undefined) =>
    one?.number_digest != null && account.number_digest?.equals(one.number_digest)
  const { inForce, newest } = standingOf(others)
  if (isSame(inForce)) return 'in force'
  if (newest?.state === 'waiting' && isSame(newest)) return 'waiting'
  return others.findLast(isSame)?.state === 'refused' ? 'refused' : 'former'
}

function haveSameNumber(seals: AccountSeals, one: AccountRow, other: AccountRow): boolean {
  const number = seals.open(one, one.sealed)?.number
  return number !== undefined && number === seals.open(other, other.sealed)?.number
}
