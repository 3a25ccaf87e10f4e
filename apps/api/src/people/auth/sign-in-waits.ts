import { createHmac } from 'node:crypto'
import type { Db, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { tooManyRequests } from '../../errors.ts'
import { subscriberOf } from '../../lib/net/ip-address.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { noAccount } from '../accounts/no-account.ts'
import type { KnownDevice } from './known-device.ts'
import {
  deleteWait,
  deleteWaitsOfDevices,
  findWaitUntil,
  insertOrCountAttempt,
  uncountAttempt,
} from './sign-in-waits.queries.ts'
import { findAccountByUsername } from './sign-in.queries.ts'

/**
 * After `patience` consecutive failures the next attempt has to wait. Each further failure doubles the wait, up
 * to the maximum.
 */
type Terms = { patience: number; firstWaitMs: number; longestWaitMs: number; message: string }

const failures = {
  firstWaitMs: 30 * 1000,
  longestWaitMs: 15 * 60 * 1000,
  message: 'Too many failed attempts.',
}
// Many people may share an address.
const failuresOf: Record<'account' | 'address', Terms> = {
  account: { ...failures, patience: 5 },
  address: { ...failures, patience: 20 },
}

const requests = {
  firstWaitMs: 60 * 1000,
  longestWaitMs: 60 * 60 * 1000,
  message: 'Too many requests.',
}
const requestsOf: Record<'account' | 'address', Terms> = {
  account: { ...requests, patience: 3 },
  address: { ...requests, patience: 10 },
}

/** Older failures are reset. */
export const forgetAfterMs = 24 * 60 * 60 * 1000

/** An attempt that may proceed. It counts as failed until {@link forgiveAttempt} uncounts it. */
export type Attempt = {
  /** The count of the account for strangers, or of one known device. */
  own: Counted
  /** Undefined for a known device, which is not affected by others behind its address. */
  address?: Counted
}
type Counted = { subject: string; waitUntil: Date }

/**
 * Lets an attempt proceed and counts it in advance, so that concurrent attempts cannot try more passwords than
 * sequential ones. Unknown usernames count as well. A known device has its own count, so that strangers cannot
 * lock out the account's holder.
 *
 * @throws TOO_MANY_REQUESTS while the account or the address has to wait. Such an attempt is not counted.
 */
export function countAttempt(
  db: Db,
  {
    username,
    ip,
    device,
    now,
    secret,
  }: {
    username: string
    ip: string
    device: KnownDevice | undefined
    now: Date
    secret: Buffer
  },
): Promise<Attempt> {
  return inTransaction(db, async (tx) => {
    if (device) return { own: await count(tx, deviceSubject(device), failuresOf.account, now) }
    return {
      // Always in this order, to avoid deadlocks.
      address: await count(tx, `address ${subscriberOf(ip)}`, failuresOf.address, now),
      own: await count(tx, accountSubject(username, secret), failuresOf.account, now),
    }
  })
}

/**
 * The same for signed-in users who must enter their current password again. Only sessions of the account can
 * fail here, so it is counted separately.
 *
 * @throws TOO_MANY_REQUESTS
 */
export function countConfirmation(db: Db, accountId: number, now: Date): Promise<Attempt> {
  return inTransaction(db, async (tx) => ({
    own: await count(tx, confirmSubject(accountId), failuresOf.account, now),
  }))
}

/** Uncounts a confirmation that nothing has looked at. Failures before it stay. */
export const uncountConfirmation = (db: Db, { own }: Attempt): Promise<void> =>
  inTransaction(db, (tx) => uncountAttempt(tx, own))

/**
 * The same for the second factor of an account, after a right password. Whoever has that is counted apart from whoever has
 * not, and a known device apart from both.
 *
 * @throws TOO_MANY_REQUESTS
 */
export function countFactor(
  db: Db,
  accountId: number,
  { device, now }: { device: KnownDevice | undefined; now: Date },
): Promise<Attempt> {
  const subject = device ? `${deviceSubject(device)} factor` : factorSubject(accountId)
  return inTransaction(db, async (tx) => ({
    own: await count(tx, subject, failuresOf.account, now),
  }))
}

/**
 * Counts a request for a password reset link, for existing and unknown usernames.
 *
 * @throws TOO_MANY_REQUESTS while the account or the address has to wait.
 */
export function countRequest(
  db: Db,
  { username, ip, now, secret }: { username: string; ip: string; now: Date; secret: Buffer },
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await count(tx, `forgot address ${subscriberOf(ip)}`, requestsOf.address, now)
    await count(tx, `forgot ${accountSubject(username, secret)}`, requestsOf.account, now)
  })
}

/**
 * Counts a link that is mailed to an address which somebody entered for an account, in the transaction that mails it: whoever reads
 * the mail there did not ask for many.
 *
 * @throws TOO_MANY_REQUESTS while the account has to wait.
 */
export async function countAddressLink(tx: Tx, accountId: number): Promise<void> {
  await count(tx, linkSubject(accountId), requestsOf.account, tx.now)
}

/** Resets the failures of an account whose holder has proved their identity. */
export const forgetFailures = (tx: Tx, username: string, secret: Buffer): Promise<void> =>
  deleteWait(tx, accountSubject(username, secret))

/** Resets the count after a correct password, and uncounts one failure of the address. */
export function forgiveAttempt(db: Db, { address, own }: Attempt): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (address) await uncountAttempt(tx, address)
    await deleteWait(tx, own.subject)
  })
}

/** Ends all waits of an account, for the operator. */
function forgetAllFailures(
  db: Db,
  { id, username }: { id: number; username: string },
  secret: Buffer,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const account = accountSubject(username, secret)
    const own = [confirmSubject(id), factorSubject(id), linkSubject(id)]
    for (const subject of [account, `forgot ${account}`, ...own]) {
      await deleteWait(tx, subject)
    }
    await deleteWaitsOfDevices(tx, devicesOf(id))
  })
}

async function count(
  tx: Tx,
  subject: string,
  { message, ...terms }: Terms,
  now: Date,
): Promise<Counted> {
  const waitUntil = await insertOrCountAttempt(tx, { subject, now, ...terms })
  if (waitUntil) return { subject, waitUntil }
  const until = await findWaitUntil(tx, subject)
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  throw tooManyRequests(`${message} Please try again in ${inWords(seconds)}.`, seconds)
}

const devicesOf = (accountId: number) => `device ${accountId} `

const deviceSubject = ({ accountId, id }: KnownDevice) => devicesOf(accountId) + id

const confirmSubject = (accountId: number) => `confirm ${accountId}`

const factorSubject = (accountId: number) => `factor ${accountId}`

const linkSubject = (accountId: number) => `link ${accountId}`

/** A keyed hash, since the name may be a password typed into the wrong field. */
function accountSubject(username: string, secret: Buffer): string {
  const name = createHmac('sha256', deriveKey(secret, 'sign-in-waits')).update(
    username.toLowerCase(),
  )
  return `account ${name.digest('base64url')}`
}

function inWords(seconds: number): string {
  if (seconds === 1) return 'a second'
  if (seconds < 100) return `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

/**
 * Resets an account's failed attempts and waits. Returns the username as stored. Waits of addresses stay, since
 * others share them.
 *
 * @throws NOT_FOUND
 */
export async function unlockAccount(
  { db, secret }: { db: Db; secret: Buffer },
  wanted: string,
): Promise<string> {
  const account = await findAccountByUsername(db, wanted)
  if (!account) throw noAccount(wanted)
  await forgetAllFailures(db, account, secret)
  return account.username
}
