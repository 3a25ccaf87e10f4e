import { type TokenGroup, tokenGroups } from '@tallyroom/contract/token-groups'
import type { Permission } from '@tallyroom/domain/abilities'
import { type DecidingWrite, guardingMoney } from '../db/guarded-writes.ts'
import { type Credential, handingOf, type SecretKind } from '@tallyroom/domain/secrets'
import { forbidden, proofNeeded } from '../errors.ts'
import { inWords } from './deciding-words.ts'

/** The caller, as read from the database on this request. Role and scope never come from the token. */
export type Viewer = {
  accountId: number
  /** Empty for a token, which can make no call about sessions. */
  sessionId: string
  username: string
  permissions: readonly Permission[]
  /** The superadmin's account after *Sign in as*; undefined for the account holder. */
  signedInBy: number | undefined
  /** A partner system opened the session. */
  byPartner?: true
  /** The holder signed in through the provider of the network, which is no proof of the password. */
  byProvider?: true
  /** The holder entered their password in this session within the last ten minutes. */
  isProved?: true
  /** The holder entered their password in this session, at whatever time. */
  isOwnSession?: true
  /** The token that made the call, and the groups of calls that it may make; undefined in a session. */
  token?: { id: number; name: string; may: readonly TokenGroup[] }
  /** Of the call: the host of the back office that was asked, and its second factor as it was sent. */
  visit?: { host: string; factor?: string }
  /** The account is blocked from everything else until its holder sets a new password. */
  needsNewPassword?: true
  /** The account must have a second factor and has none: its session can only add one. Never of a token. */
  needsFactor?: true
} & Membership

/**
 * What an account of each role belongs to: staff to nothing, a company account to its office, an
 * agent account to an office and an agent.
 */
export type Membership =
  | { role: 'superadmin' | 'admin'; officeId: undefined; agentId: undefined }
  | { role: 'company'; officeId: number; agentId: undefined }
  | { role: 'agent'; officeId: number; agentId: number }

/**
 * Refuses a call that needs a recent proof of the account's holder. Endpoints that always need one declare `proof` and
 * need not call this.
 *
 * @throws PROOF_NEEDED; FORBIDDEN for a token and after *Sign in as*, where nobody could prove themselves.
 */
export function requireProof({ signedInBy, token, isProved }: Viewer): void {
  if (token) throw forbidden('A token can’t do this. Sign in to the back office for it.')
  if (signedInBy !== undefined) throw forbidden('Only the holder of this account can do this.')
  if (!isProved) throw proofNeeded()
}

/**
 * Refuses a call that decides what the account's holder is told, in a session that might not be theirs. Endpoints declare it
 * as `proof`.
 *
 * @throws PROOF_NEEDED after a partner's sign-in; FORBIDDEN for a token and after *Sign in as*
 */
export function requireOwnSession(viewer: Viewer): void {
  if (!viewer.isOwnSession) requireProof(viewer)
}

/**
 * Refuses a token that was not allowed a group of calls.
 *
 * @throws FORBIDDEN
 */
export function requireGroup({ token }: Viewer, group: TokenGroup): void {
  if (token && !token.may.includes(group))
    throw forbidden(`This token may not make this call: it lacks “${tokenGroups[group]}”.`)
}

/** How the caller is known, for what they may be handed; undefined for a public call. */
export function credentialOf(viewer: Viewer | undefined): Credential {
  if (!viewer) return 'nobody'
  if (viewer.token) return 'token'
  if (viewer.signedInBy !== undefined) return 'Sign in as'
  if (viewer.byPartner) return viewer.isProved ? 'proved partner session' : 'partner session'
  return viewer.isProved ? 'proved session' : 'older session'
}

/**
 * Refuses a call whose answer would be a secret that the caller may not be handed.
 *
 * @throws PROOF_NEEDED if they may once they have entered their password again; FORBIDDEN.
 */
export function requireHanding(viewer: Viewer, kind: SecretKind): void {
  const handing = handingOf(kind, credentialOf(viewer))
  if (handing === 'now') return
  if (handing === 'after proof') throw proofNeeded()
  if (viewer.token) throw forbidden('A token can’t do this. Sign in to the back office for it.')
  throw forbidden(
    viewer.signedInBy === undefined
      ? 'Sign in with your password for this, not by a partner.'
      : 'Only the holder of this account can do this.',
  )
}

/**
 * Runs a call. Unless its caller has entered their password in this session within the last ten minutes, whatever it would
 * write that decides money is refused, as by {@link requireProof}, and nothing is written.
 */
export const guardingPay = <T>(viewer: Viewer | undefined, call: () => Promise<T>): Promise<T> =>
  !viewer || isFullyProved(viewer)
    ? call()
    : guardingMoney((write) => refusalOf(viewer, write), call)

const isFullyProved = ({ signedInBy, token, isProved }: Viewer): boolean =>
  isProved === true && !token && signedInBy === undefined

function refusalOf({ signedInBy, token }: Viewer, write: DecidingWrite): Error {
  const what = `${inWords(write)}, because it decides what is paid`
  if (token) return forbidden(`A token can’t change ${what}. Sign in to the back office for it.`)
  if (signedInBy !== undefined)
    return forbidden(`Only the holder of this account can change ${what}.`)
  return proofNeeded()
}

/** Refuses changes to pay after *Sign in as*. @throws FORBIDDEN */
export function refuseSignedInAs({ signedInBy }: Viewer): void {
  if (signedInBy !== undefined)
    throw forbidden('Pay can’t be changed while you are signed in as somebody else.')
}
