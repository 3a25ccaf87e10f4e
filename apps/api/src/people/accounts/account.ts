import { type Permission, PERMISSIONS, permissionsOf } from '@tallyroom/domain/abilities'
import { roleFromNumber } from '@tallyroom/domain/roles'
import type { Membership } from '../../access/viewer.ts'
import { type AccountRow, permissionColumns } from './accounts.queries.ts'

/** An account that may sign in, as currently stored. */
export type Account = {
  accountId: number
  username: string
  permissions: Permission[]
} & Membership

export function accountOf(row: AccountRow): Account {
  const membership = membershipOf(row)
  const granted = PERMISSIONS.filter(
    (permission) =>
      row[permissionColumns[permission]] &&
      // A granted flag that the holder has switched off.
      (permission !== 'SHOW_SUSPEND' || row.show_suspend_chosen),
  )
  return {
    accountId: row.id,
    username: row.username,
    permissions: permissionsOf({ role: membership.role, permissions: granted }),
    ...membership,
  }
}

/** Why an account cannot be used at all. Suspended offices and agents can sign in, so that they see why. */
export type ClosedReason = 'invited' | 'unapproved' | 'suspended' | 'blocked'

/** Undefined for an account that may sign in. An open login window overrides a block. */
export function whyClosed(
  row: Pick<
    AccountRow,
    'agent_id' | 'approved_at' | 'suspended' | 'login_blocked' | 'login_open_until' | 'invited_at'
  >,
  now: Date,
): ClosedReason | undefined {
  if (row.invited_at !== null) return 'invited'
  if (row.agent_id !== null && row.approved_at === null) return 'unapproved'
  if (row.suspended) return 'suspended'
  const isOpenForNow = row.login_open_until !== null && now < row.login_open_until
  if (row.login_blocked && !isOpenForNow) return 'blocked'
  return undefined
}

/** How an invitation stands, for a list. */
export const presentInvitation = (row: {
  invitedAt: Date | null
  invitationEndsAt: Date | null
}) => ({
  invitedAt: row.invitedAt?.toISOString() ?? null,
  invitationEndsAt: row.invitationEndsAt?.toISOString() ?? null,
})

function membershipOf({ id, role: number, office_id, agent_id }: AccountRow): Membership {
  const role = roleFromNumber(number)
  if (role === 'superadmin' || role === 'admin') {
    return { role, officeId: undefined, agentId: undefined }
  }
  if (role === 'company' && office_id !== null) {
    return { role, officeId: office_id, agentId: undefined }
  }
  if (role === 'agent' && office_id !== null && agent_id !== null) {
    return { role, officeId: office_id, agentId: agent_id }
  }
  throw new Error(`account ${id} has no owner`) // accounts__belongs_to prevents such rows
}
