import type { Permission } from '@tallyroom/domain/abilities'
import { forbidden } from '../errors.ts'

/** The caller, as read from the database on this request. Role and scope never come from the token. */
export type Viewer = {
  accountId: number
  sessionId: string
  username: string
  permissions: readonly Permission[]
  /** The superadmin's account after *Sign in as*; undefined for the account holder. */
  signedInBy: number | undefined
  /** The account is blocked from everything else until its holder sets a new password. */
  needsNewPassword?: true
} & Membership

/**
 * What an account of each role belongs to: staff to nothing, a company account to its office, an
 * agent account to an office and an agent.
 */
export type Membership =
  | { role: 'superadmin' | 'admin'; officeId: undefined; agentId: undefined }
  | { role: 'company'; officeId: number; agentId: undefined }
  | { role: 'agent'; officeId: number; agentId: number }

/** Refuses changes to pay after *Sign in as*. @throws FORBIDDEN */
export function refuseSignedInAs({ signedInBy }: Viewer): void {
  if (signedInBy !== undefined)
    throw forbidden('Pay can’t be changed while you are signed in as somebody else.')
}
