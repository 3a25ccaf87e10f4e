import type { AnswerOf } from '@tallyroom/contract/endpoint'
import {
  accountDigits,
  type EnteredAccount,
  type payeeAccountsEndpoints,
} from '@tallyroom/contract/pay/accounts/payee-accounts'
import { type EnteredDetail, wantedFor } from '@tallyroom/contract/pay/accounts/payee-details'
import { addDays, todayNewYork } from '@tallyroom/domain/new-york'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import { isDeepStrictEqual } from 'node:util'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { getHolder, confirmHolder, stillHolder, tellOfChange } from '../../people/index.ts'
import { insertSealed, lockSealHead } from '../../seals/index.ts'
import { findPayeeNames, type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { getWaitingDays, lockBalances } from '../terms/settings.queries.ts'
import { accountDigests } from './account-digest.ts'
import { findDoubts } from './doubts.ts'
import { ownPayee } from '../terms/own-payee.ts'
import {
  findAccounts,
  findSharers,
  insertShares,
  isPaid,
  lockAccounts,
} from './payee-accounts.queries.ts'
import { laterPaidFrom, shownAccount } from './present-account.ts'
import { accountSeals } from './sealed-account.ts'
import { findWantedDetails } from './wanted-details.ts'
import { standingOf } from './standings.ts'

type Calls = typeof payeeAccountsEndpoints
type AccountServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>

export async function getOwnAccount(
  services: AccountServices,
  viewer: Viewer,
): Promise<AnswerOf<Calls['ownPayeeAccount']>> {
  const { db, clock } = services
  const now = clock.now()
  const payee = ownPayee(viewer)
  const { inForce, newest } = standingOf(await findAccounts(db, { payee }))
  const seals = accountSeals(services)
  const refusal = newest?.decisions.find(({ confirmed }) => !confirmed)
  const wanted = await findWantedDetails(db)
  const next = newest?.state === 'waiting' ? newest : inForce
  const shown = next && shownAccount(seals, next)
  return {
    wanted,
    missing: shown ? wantedFor(wanted, shown.channel).filter((one) => !shown.details[one]) : [],
    needed: inForce !== undefined || newest !== undefined || (await isPaid(db, payee)),
    payee: (await findPayeeNames(db, [payee])).get(payeeText(payee)) ?? '',
    inForce: inForce
      ? { ...shownAccount(seals, inForce), paidFrom: laterPaidFrom(inForce, now) }
      : null,
    newest: newest
      ? {
          ...shownAccount(seals, newest),
          paidFrom: laterPaidFrom(newest, now),
          confirmations: newest.needed,
          confirmed: newest.decisions.filter(({ confirmed }) => confirmed).length,
          state: newest.disowned ? 'disowned' : newest.state === 'refused' ? 'refused' : 'waiting',
          refusal: refusal ? { reason: refusal.reason ?? '', at: refusal.at } : null,
        }
      : null,
  }
}

/**
 * Stores an account that awaits confirmation, and notifies the payee by mail. It replaces one that still waits.
 *
 * @throws FORBIDDEN in a session opened with *Sign in as*; PROOF_NEEDED; VALIDATION_ERROR if nothing would change, or
 * without what a bank wants.
 */
export async function enterAccount(
  services: AccountServices,
  viewer: Viewer,
  { ip, entered }: { ip: string; entered: EnteredAccount },
): Promise<number> {
  refuseSignedInAs(viewer)
  const { config, db } = services
  const { channel, institution, accountName, currency } = entered
  const payee = ownPayee(viewer)
  const confirmation = await confirmHolder(services, viewer)
  const seals = accountSeals(services)
  const digests = accountDigests(services)
  const number = accountDigits(entered.number, channel)
  const details = await detailsOf(db, entered)
  const holder = await getHolder(db, viewer.accountId)
  return inTransaction(db, async (tx) => {
    await stillHolder(tx, viewer, confirmation)
    // One after the other: of two payees who enter the same account at once, the second is doubted.
    await lockBalances(tx)
    const last = (await findAccounts(tx, { payee })).at(-1)
    const secret = last && seals.open(last, last.sealed)
    const isSame =
      last?.state !== 'refused' &&
      last?.channel === channel &&
      last.institution === institution &&
      last.currency === currency &&
      secret?.number === number &&
      secret.accountName === accountName &&
      isDeepStrictEqual(secret.details, details)
    if (isSame) throw invalid({ number: ['is already the number of your account'] })
    const sharers = await lockSharers(tx, payee, digests.all({ institution, number }))
    await lockSealHead(tx)
    const { doubts, details: doubtDetails } = await findDoubts(tx, { payee, viewer, ip })
    const { now } = tx
    const place = { payee_kind: payee.kind, payee_id: payee.id, entered_at: now }
    const needsTwo = doubts.length > 0 || config.passwordColumn === 'on'
    const accountId = await insertSealed(tx, 'payee_accounts', {
      ...place,
      channel,
      institution,
      sealed: seals.seal(place, { number, accountName, details }),
      number_digest: digests.of({ institution, number }),
      last_characters: number.slice(-4),
      currency,
      entered_by: viewer.accountId,
      entered_by_name: viewer.username,
      confirmations: needsTwo ? 2 : 1,
      doubts,
      doubt_details: doubts.length > 0 ? JSON.stringify(doubtDetails) : null,
      paid_from: addDays(todayNewYork(now), await getWaitingDays(tx)),
    })
    await insertShares(tx, accountId, sharers.payees, now)
    for (const waiting of sharers.waiting) await insertShares(tx, waiting, [payee], now)
    await tellOfChange(tx, services, {
      accountId: viewer.accountId,
      username: holder.username,
      changed: ['payment account'],
      ifNot: `If not, choose “That wasn’t me” at once: ${config.publicUrl}/app/pay/account
Nothing is paid to you until we have talked to you.`,
    })
    return accountId
  })
}

/** What is kept of what was entered: only what a bank wants. @throws VALIDATION_ERROR for what is missing */
async function detailsOf(
  db: DbOrTx,
  entered: EnteredAccount,
): Promise<Partial<Record<EnteredDetail, string>>> {
  const wanted = wantedFor(await findWantedDetails(db), entered.channel)
  const missing = wanted.filter((detail) => !entered[detail])
  if (missing.length > 0) {
    const why = 'is required: the bank wants it'
    throw invalid(Object.fromEntries(missing.map((detail) => [detail, [why]])))
  }
  return Object.fromEntries(
    wanted.map((detail) => {
      const text = entered[detail] ?? ''
      return [detail, detail === 'mobile' ? accountDigits(text, 'wallet') : text]
    }),
  )
}

/**
 * The other payees who ever entered this account, and the ids of those of their accounts that wait. They are locked: a
 * confirmation that slipped in between would be undone by needing a second one.
 */
async function lockSharers(
  tx: Tx,
  payee: PayeeKey,
  digests: readonly Buffer[],
): Promise<{ payees: PayeeKey[]; waiting: number[] }> {
  const payees = await findSharers(tx, payee, digests)
  const waiting: number[] = []
  for (const sharer of payees) {
    await lockAccounts(tx, sharer)
    const { newest } = standingOf(await findAccounts(tx, { payee: sharer }))
    const isSame = digests.some((digest) => newest?.number_digest?.equals(digest))
    if (newest?.state === 'waiting' && isSame) waiting.push(newest.id)
  }
  return { payees, waiting }
}
