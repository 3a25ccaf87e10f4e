import type { Permission } from '@tallyroom/domain/abilities'

/** Who calls, as the database says at this request. Role and scope never come from the token. */
export type Viewer = {
  accountId: number
  sessionId: string
  username: string
  permissions: readonly Permission[]
  /** The account that signed in as this one, if it was not its holder. */
  signedInBy: number | undefined
  /** Until its holder has set a password of their own, the account can do nothing else. */
  needsNewPassword?: true
} & Membership

/** What a role belongs to: staff to nothing, a company account to its office, an agent account to both. */
export type Membership =
  | { role: 'superadmin' | 'admin'; officeId: undefined; agentId: undefined }
  | { role: 'company'; officeId: number; agentId: undefined }
  | { role: 'agent'; officeId: number; agentId: number }
