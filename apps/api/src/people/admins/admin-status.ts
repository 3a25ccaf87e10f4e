import type { Viewer } from '../../access/viewer.ts'
import { inTransaction } from '../../db/transaction.ts'
import { forbidden, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { recordGrant } from '../accounts/pay-grants.queries.ts'
import { removePasskeys } from '../factors/change-passkeys.ts'
import { endSessions, keepSessionsOfRemoved } from '../sessions/sessions.queries.ts'
import { deleteAdminRow, lockAdmins, setStatusOfAdmins } from './admin-status.queries.ts'

type StatusChange = { active: boolean } | { loginBlocked: boolean }
type StatusServices = Pick<Services, 'db'>

/**
 * Activates or suspends admins, or enables or disables their login: all of them or none. Locked-out admins are
 * signed out at once. A block holds until it is lifted; the window until 01:00 is for agents only.
 *
 * @throws FORBIDDEN if the viewer is among them; NOT_FOUND for an account that is not an admin's. Superadmins
 * are excluded, so that one always remains.
 */
export async function setAdminStatus(
  { db }: StatusServices,
  viewer: Viewer,
  { ids, ...change }: { ids: readonly number[] } & StatusChange,
): Promise<void> {
  refuseOneself(viewer, ids)
  await inTransaction(db, async (tx) => {
    const admins = await lockAdmins(tx, ids)
    if (admins.length !== new Set(ids).size) throw notFound('admin')
    const accountIds = admins.map(({ id }) => id)
    await setStatusOfAdmins(tx, accountIds, change)
    const reason = endReason(change)
    if (reason) await endSessions(tx, { accountIds }, { reason, now: tx.now })
  })
}

/**
 * Deletes an admin. Their log entries keep their username, what they wrote stays, and the username becomes
 * available.
 *
 * @throws FORBIDDEN for the viewer's own account; NOT_FOUND for one that is not an admin's or is already
 * deleted.
 */
export async function removeAdmin(
  { db }: StatusServices,
  viewer: Viewer,
  adminId: number,
): Promise<void> {
  refuseOneself(viewer, [adminId])
  await inTransaction(db, async (tx) => {
    const [admin] = await lockAdmins(tx, [adminId])
    if (!admin) throw notFound('admin')
    await endSessions(tx, { accountIds: [admin.id] }, { reason: 'removed', now: tx.now })
    await keepSessionsOfRemoved(tx, admin)
    await removePasskeys(tx, { accountId: admin.id })
    if (admin.pay)
      await recordGrant(tx, { accountId: admin.id, granted: false, by: viewer, at: tx.now })
    await deleteAdminRow(tx, admin.id)
  })
}

function refuseOneself({ accountId }: Viewer, ids: readonly number[]): void {
  if (ids.includes(accountId)) {
    throw forbidden('You can’t suspend, block or delete your own account. Ask another superadmin.')
  }
}

function endReason(change: StatusChange): 'suspended' | 'login-blocked' | undefined {
  if ('active' in change) return change.active ? undefined : 'suspended'
  return change.loginBlocked ? 'login-blocked' : undefined
}
