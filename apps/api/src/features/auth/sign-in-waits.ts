import { createHmac } from 'node:crypto'
import type { Db, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { tooManyRequests } from '../../errors.ts'
import { subscriberOf } from '../../lib/ip-address.ts'
import { deriveKey } from '../../lib/secrets.ts'
import type { KnownDevice } from './known-device.ts'
import {
  deleteWait,
  deleteWaitsOfDevices,
  findWaitUntil,
  insertOrCountAttempt,
  uncountAttempt,
} from './sign-in-waits.queries.ts'

/** From so many tries in a row on the next one has to wait; each further one doubles the wait, up to the longest. */
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

/** Failures older than this are forgotten. */
export const forgetAfterMs = 24 * 60 * 60 * 1000

/** An attempt that was let through. It counts as failed until {@link forgiveAttempt} takes it back. */
export type Attempt = {
  /** Of the account as strangers see it, or of a device that the account knows. */
  own: Counted
  /** Undefined for a known device: what others do behind its address does not concern it. */
  address?: Counted
}
type Counted = { subject: string; waitUntil: Date }

/**
 * Lets an attempt through and counts it in advance, so that no number of attempts at the same moment can
 * try more passwords than one after the other could. Usernames that nobody has count like all others. A device
 * that the account knows has a count of its own, so that strangers can't keep the account's holder out.
 *
 * @throws TOO_MANY_REQUESTS while the account or the address has to wait; the attempt then counts for nothing.
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
      // Always in this order, so that attempts never wait for each other crosswise.
      address: await count(tx, `address ${subscriberOf(ip)}`, failuresOf.address, now),
      own: await count(tx, accountSubject(username, secret), failuresOf.account, now),
    }
  })
}

/**
 * The same for somebody who is signed in and must say the current password again. Only sessions of the account can
 * fail here, so they have a count of their own.
 *
 * @throws TOO_MANY_REQUESTS
 */
export function countConfirmation(db: Db, accountId: number, now: Date): Promise<Attempt> {
  return inTransaction(db, async (tx) => ({
    own: await count(tx, confirmSubject(accountId), failuresOf.account, now),
  }))
}

/**
 * Counts that somebody asks for a link to set a new password, for a username that anybody has or nobody.
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

/** Somebody proved to be the account's holder: its failures are forgotten. */
export const forgetFailures = (tx: Tx, username: string, secret: Buffer): Promise<void> =>
  deleteWait(tx, accountSubject(username, secret))

/** The password was right: who gave it starts afresh, the address has one failure less. */
export function forgiveAttempt(db: Db, { address, own }: Attempt, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (address) await uncountAttempt(tx, { ...address, now })
    await deleteWait(tx, own.subject)
  })
}

/** Lets an account sign in at once, from anywhere: for the operator. */
export function forgetAllFailures(
  db: Db,
  { id, username }: { id: number; username: string },
  secret: Buffer,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const account = accountSubject(username, secret)
    for (const subject of [account, `forgot ${account}`, confirmSubject(id)]) {
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

/** Not the name itself: it may be a password that was typed into the wrong field. */
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
