import { accountDoubts, type AccountDoubt } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { remoteLoginEndpoints } from '@tallyroom/contract/people/remote-login'
import type { AccountHand } from '@tallyroom/domain/acts'
import { z } from 'zod'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { nowOf } from '../../db/transaction.ts'
import type { AsOf } from '../../seals/index.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'
import {
  type Cause,
  findHands,
  findPartnerSignIn,
  findPasswordSetAt,
  findStaffInNetwork,
  type HandCause,
} from './doubts.queries.ts'
import { findAccounts } from './payee-accounts.queries.ts'

const DAY_MS = 24 * 60 * 60_000

/** How far back each cause counts. */
const BACK = { hands: 30 * DAY_MS, staffSignIns: 90 * DAY_MS, newPassword: DAY_MS }

/** Who gave cause for a doubt, and when, as far as known. Stored with the account. */
export const detailsSchema = z.partialRecord(
  z.enum(accountDoubts),
  z.object({ by: z.string().nullable(), at: z.string().nullable() }),
)
type Details = z.infer<typeof detailsSchema>

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Reasons to suspect that somebody other than the payee entered an account. Any of them requires two confirmations. */
export async function findDoubts(
  db: DbOrTx,
  { payee, viewer, ip }: { payee: PayeeKey; viewer: Viewer; ip: string },
): Promise<{ doubts: AccountDoubt[]; details: Details }> {
  const now = nowOf(db).getTime()
  const since = (ms: number) => new Date(now - ms)
  const { accountId } = viewer
  const [hands = []] = await findHands(db, [{ accountId }])
  const causes: Partial<Record<AccountDoubt, Cause | undefined>> = {
    ...causesByHands(hands, since(BACK.hands)),
    'partner sign-in': await findPartnerSignIn(db, {
      accountId,
      action: nameOf(remoteLoginEndpoints.loginRemote),
      since: since(BACK.hands),
    }),
    'new password': await findNewPassword(db, payee, accountId, since(BACK.newPassword)),
    'staff address': await findStaffInNetwork(db, {
      accountId,
      ip,
      ownSince: since(BACK.hands),
      staffSince: since(BACK.staffSignIns),
    }),
  }
  const doubts = accountDoubts.filter((doubt) => causes[doubt] !== undefined)
  const details = Object.fromEntries(
    doubts.map((doubt) => {
      const { by = null, at = null } = causes[doubt] ?? {}
      return [doubt, { by, at: at?.toISOString() ?? null }]
    }),
  )
  return { doubts, details }
}

/** Hands that are a doubt. Whoever granted PAY can't act as the holder. */
const doubtOf: Partial<Record<AccountHand, AccountDoubt>> = {
  password: 'password set',
  email: 'email set',
  username: 'username set',
  'signed in as': 'signed in as',
  revealed: 'password shown',
  device: 'staff device',
}

/**
 * Hands of others in the payee's sign-in. They count even if its holder has set a new password since: whoever had the old
 * one could have done that, too.
 */
function causesByHands(
  hands: readonly HandCause[],
  since: Date,
): Partial<Record<AccountDoubt, Cause>> {
  const made = hands.find(({ kind, isOwn }) => kind === 'made' && !isOwn)
  const recent = hands.flatMap((hand) => {
    const doubt = doubtOf[hand.kind]
    return doubt && hand.at > since ? [[doubt, hand] as const] : []
  })
  return { ...Object.fromEntries(recent), ...(made && { 'made by staff': made }) }
}

/** What `findDoubts` should have found when each account was entered, as far as hands cause it. */
export async function doubtsByHands(
  db: DbOrTx,
  entered: readonly ({ by: number; at: Date } & AsOf)[],
): Promise<AccountDoubt[][]> {
  const found = await findHands(
    db,
    entered.map(({ by, before }) => ({ accountId: by, before })),
  )
  return entered.map(({ at }, nth) => {
    const causes = causesByHands(found[nth] ?? [], new Date(at.getTime() - BACK.hands))
    return accountDoubts.filter((doubt) => causes[doubt] !== undefined)
  })
}

/** A first account entered soon after a password was set: a stolen sign-in looks like this. */
async function findNewPassword(
  db: DbOrTx,
  payee: PayeeKey,
  accountId: number,
  since: Date,
): Promise<Cause | undefined> {
  const at = await findPasswordSetAt(db, accountId)
  if (!at || at <= since) return undefined
  const isFirst = (await findAccounts(db, { payee })).length === 0
  return isFirst ? { by: null, at } : undefined
}
