import type { AnswerOf } from '@tallyroom/contract/endpoint'
import {
  accountDigits,
  accountDoubts,
  type EnteredAccount,
  type PayeeAccount,
  type payeeAccountsEndpoints,
} from '@tallyroom/contract/payee-accounts'
import { institutionName } from '@tallyroom/domain/institutions'
import type { Currency } from '@tallyroom/domain/pay'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, forbidden, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { getHolder } from '../accounts/index.ts'
import { confirmHolder, stillHolder, type TellsOfChange } from '../auth/index.ts'
import { findPayeeNames, type PayeeKey, payeeText } from '../pay/index.ts'
import { findDoubts } from './doubts.ts'
import {
  type AccountRow,
  findAccounts,
  insertAccount,
  insertDecision,
  isPaid,
  lockAccounts,
} from './payee-accounts.queries.ts'
import { type AccountSeals, accountSeals } from './sealed-account.ts'

type Calls = typeof payeeAccountsEndpoints
type AccountServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>

/** A payee's account in force, and the newest one if it differs. */
export type Standing = { inForce: AccountRow | undefined; newest: AccountRow | undefined }

/** `accounts` are those of one payee, oldest first. The newest confirmed one is in force. */
function standingOf(accounts: readonly AccountRow[]): Standing {
  const inForce = accounts.findLast(({ state }) => state === 'confirmed')
  const newest = accounts.at(-1)
  return { inForce, newest: newest === inForce ? undefined : newest }
}

/** The accounts of every payee, by `payeeText`. */
export async function findStandings(db: DbOrTx): Promise<ReadonlyMap<string, Standing>> {
  const byPayee = Map.groupBy(await findAccounts(db, 'all'), (account) =>
    payeeText(payeeOf(account)),
  )
  return new Map([...byPayee].map(([key, accounts]) => [key, standingOf(accounts)]))
}

export async function getOwnAccount(
  services: AccountServices,
  viewer: Viewer,
): Promise<AnswerOf<Calls['ownPayeeAccount']>> {
  const { db } = services
  const payee = ownPayee(viewer)
  const { inForce, newest } = standingOf(await findAccounts(db, { payee }))
  const seals = accountSeals(services)
  const refusal = newest?.decisions.find(({ confirmed }) => !confirmed)
  return {
    needed: inForce !== undefined || newest !== undefined || (await isPaid(db, payee)),
    payee: (await findPayeeNames(db, [payee])).get(payeeText(payee)) ?? '',
    inForce: inForce ? shown(seals, inForce) : null,
    newest: newest
      ? {
          ...shown(seals, newest),
          ...confirmationsOf(newest),
          state: newest.state === 'refused' ? 'refused' : 'waiting',
          refusal: refusal
            ? { by: refusal.name, reason: refusal.reason ?? '', at: refusal.at }
            : null,
        }
      : null,
  }
}

/**
 * Stores an account that awaits confirmation, and notifies the payee by mail. It replaces one that still waits.
 *
 * @throws FORBIDDEN in a session opened with *Sign in as*; VALIDATION_ERROR about `currentPassword`, or if nothing
 * would change.
 */
export async function enterAccount(
  services: AccountServices & TellsOfChange,
  viewer: Viewer,
  { ip, entered }: { ip: string; entered: EnteredAccount },
): Promise<number> {
  refuseSignedInAs(viewer)
  const { db, clock, mail } = services
  const { channel, institution, accountName, currency, currentPassword } = entered
  const payee = ownPayee(viewer)
  const confirmation = await confirmHolder(services, viewer, currentPassword)
  const seals = accountSeals(services)
  const number = accountDigits(entered.number, channel)
  const holder = await getHolder(db, viewer.accountId)
  const id = await inTransaction(db, async (tx) => {
    await stillHolder(tx, viewer, confirmation)
    const last = (await findAccounts(tx, { payee })).at(-1)
    const secret = last && seals.open(last, last.sealed)
    const isSame =
      last?.state !== 'refused' &&
      last?.channel === channel &&
      last.institution === institution &&
      last.currency === currency &&
      secret?.number === number &&
      secret.accountName === accountName
    if (isSame) throw invalid({ number: ['is already the number of your account'] })
    const doubts = await findDoubts(tx, services, { payee, viewer, ip })
    const place = { payee_kind: payee.kind, payee_id: payee.id, entered_at: clock.now() }
    return insertAccount(tx, {
      ...place,
      channel,
      institution,
      sealed: seals.seal(place, { number, accountName }),
      last_characters: number.slice(-4),
      currency,
      entered_by: viewer.accountId,
      entered_by_name: viewer.username,
      confirmations: doubts.length > 0 ? 2 : 1,
      doubts,
    })
  })
  mail.tellOfChange({
    to: holder.email,
    username: holder.username,
    changed: ['payment account'],
  })
  return id
}

export async function listToConfirm(
  services: AccountServices,
  viewer: Viewer,
): Promise<AnswerOf<Calls['accountsToConfirm']>> {
  const { db } = services
  const standings = [...(await findStandings(db)).values()]
  const waiting = standings.flatMap(({ inForce, newest }) =>
    newest?.state === 'waiting' ? [{ inForce, newest }] : [],
  )
  const names = await findPayeeNames(
    db,
    waiting.map(({ newest }) => payeeOf(newest)),
  )
  const seals = accountSeals(services)
  return waiting
    .toSorted((a, b) => a.newest.id - b.newest.id)
    .map(({ inForce, newest }) => {
      const payee = payeeOf(newest)
      return {
        payee: { ...payee, name: names.get(payeeText(payee)) ?? '' },
        old: inForce ? shown(seals, inForce) : null,
        numberChanged: inForce !== undefined && !haveSameNumber(seals, inForce, newest),
        account: { ...shown(seals, newest), ...confirmationsOf(newest) },
        doubts: accountDoubts.filter((doubt) => newest.doubts.includes(doubt)),
        closedToYou: whyClosed(newest, viewer),
      }
    })
}

/**
 * Confirms or refuses a payee's newest account.
 *
 * @throws NOT_FOUND; FORBIDDEN to whoever entered it or has confirmed it before; CONFLICT if it no longer waits.
 */
export async function decideAccount(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  id: number,
  { confirm, reason }: { confirm: boolean; reason: string },
): Promise<void> {
  refuseSignedInAs(viewer)
  await inTransaction(db, async (tx) => {
    const [found] = await findAccounts(tx, { ids: [id] })
    if (!found) throw notFound('account')
    const payee = payeeOf(found)
    await lockAccounts(tx, payee)
    const { newest } = standingOf(await findAccounts(tx, { payee }))
    if (newest?.id !== id || newest.state !== 'waiting')
      throw conflict('This account is no longer waiting for confirmation. Reload the page.')
    const closed = whyClosed(newest, viewer)
    if (closed) throw forbidden(closed)
    await insertDecision(tx, {
      account_id: id,
      decided_by: viewer.accountId,
      decided_by_name: viewer.username,
      confirmed: confirm,
      reason: reason || null,
      decided_at: clock.now(),
    })
  })
}

function whyClosed(account: AccountRow, { accountId }: Viewer): string | null {
  if (account.entered_by === accountId)
    return 'You entered this account, so somebody else must confirm it.'
  if (account.decisions.some(({ by }) => by === accountId))
    return 'You have confirmed it. It needs a second confirmation by somebody else.'
  return null
}

const ownPayee = ({ role, officeId, agentId }: Viewer): PayeeKey => {
  if (role === 'company') return { kind: 'office', id: officeId }
  if (role === 'agent') return { kind: 'agent', id: agentId }
  throw forbidden()
}

const payeeOf = ({
  payee_kind,
  payee_id,
}: Pick<AccountRow, 'payee_kind' | 'payee_id'>): PayeeKey => ({
  kind: payee_kind === 'agent' ? 'agent' : 'office',
  id: payee_id,
})

const shown = (seals: AccountSeals, account: AccountRow): PayeeAccount => ({
  id: account.id,
  channel: account.channel === 'wallet' ? 'wallet' : 'bank',
  institution: account.institution ?? '',
  institutionName: institutionName(account.institution ?? ''),
  accountName: seals.open(account, account.sealed)?.accountName ?? null,
  lastCharacters: account.last_characters,
  currency: account.currency as Currency, // payee_accounts__currency
  enteredAt: account.entered_at.toISOString(),
  enteredBy: account.entered_by_name,
})

function haveSameNumber(seals: AccountSeals, one: AccountRow, other: AccountRow): boolean {
  const number = seals.open(one, one.sealed)?.number
  return number !== undefined && number === seals.open(other, other.sealed)?.number
}

const confirmationsOf = ({ confirmations, decisions }: AccountRow) => ({
  confirmations,
  confirmedBy: decisions.filter(({ confirmed }) => confirmed).map(({ name }) => name),
})
