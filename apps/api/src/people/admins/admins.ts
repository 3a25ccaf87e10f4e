import type { Admin, AdminItem, adminsEndpoints } from '@tallyroom/contract/people/admins'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { Permission } from '@tallyroom/domain/abilities'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { updateRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import { refuseStale, withChange } from '../../forms.ts'
import type { Services } from '../../services.ts'
import { presentInvitation } from '../accounts/account.ts'
import { insertAccount, updateEmail } from '../accounts/accounts.queries.ts'
import { makePassword, makePasswordIfGiven, makeUnknownPassword } from '../accounts/new-password.ts'
import { passwordColumn } from '../accounts/password-column.ts'
import { withFactor } from '../confirming/act-with-factor.ts'
import { endInvitationElsewhere, inviteByMail } from '../invitations/invitations.ts'
import { changedOf, tellOfChange } from '../mail/tell-of-change.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import {
  type AdminOrder,
  type AdminRow,
  findAdmin,
  findAdmins,
  findStaff,
  lockAdmin,
} from './admins.queries.ts'
import { confirmNewPayer, confirmPayer } from './confirm-payer.ts'
import { recordPay } from './grant-pay.ts'

type AdminServices = Pick<Services, 'config' | 'db' | 'secret' | 'formerSecrets'>
type NewAdmin = RequestOf<typeof adminsEndpoints.createAdmin>['body']
type AdminChange = RequestOf<typeof adminsEndpoints.updateAdmin>['body']

/** All admins, with passwords if the operator enables them. Superadmins are not included. */
export async function listAdmins(
  services: AdminServices,
  viewer: Viewer,
  order: AdminOrder,
): Promise<AdminItem[]> {
  const passwords = passwordColumn(services)
  const rows = await findAdmins(services.db, order)
  return rows.map((admin) => ({
    id: admin.id,
    username: admin.username,
    ...passwords.show(viewer, admin.id, admin.sealed),
    ...(admin.pay && passwords.isOn && { passwordHidden: 'may pay' as const }),
    ...presentInvitation(admin),
    email: admin.email,
    ...statusOf(admin),
  }))
}

/** @throws NOT_FOUND for an account that is not an admin's. */
export async function getAdmin({ db }: Pick<Services, 'db'>, id: number): Promise<Admin> {
  const admin = await findAdmin(db, id)
  if (!admin) throw notFound('admin')
  return formOf(admin)
}

/** The forms of these admins; also of superadmins, who edit theirs in their profile. */
export const findAdminForms = async (db: DbOrTx, ids: readonly number[]): Promise<Admin[]> =>
  (await findStaff(db, ids)).map(formOf)

const formOf = (admin: AdminRow): Admin => ({
  id: admin.id,
  username: admin.username,
  email: admin.email ?? '',
  earningVisible: admin.earning_visible,
  approveAgents: admin.approve_agents,
  showSuspend: admin.show_suspend,
  showCommonLogs: admin.show_common_logs,
  pay: admin.pay,
  ...statusOf(admin),
  version: admin.version,
})

const statusOf = (admin: AdminRow) => ({
  active: !admin.suspended,
  loginBlocked: admin.login_blocked,
})

/**
 * Creates an admin, with a password or an invitation to choose one.
 *
 * @throws as {@link confirmNewPayer}.
 */
export async function createAdmin(
  services: AdminServices,
  viewer: Viewer,
  admin: NewAdmin,
): Promise<number> {
  const password = admin.invite
    ? await makeUnknownPassword()
    : await makePassword(services, admin.password)
  const { username } = admin
  return withFactor(services, viewer, (giver) =>
    inTransaction(services.db, async (tx) => {
      const accountId = await insertAccount(tx, {
        role: 'admin',
        username,
        email: admin.email,
        permissions: permissionsOfForm(admin),
        isInvited: admin.invite !== undefined,
        createdAt: tx.now,
        madeBy: viewer,
        ...password,
      })
      if (admin.pay) await confirmNewPayer(tx, giver, admin)
      if (admin.invite === 'mail') await inviteByMail(tx, services, { accountId, by: viewer })
      return accountId
    }),
  )
}

/**
 * Updates an admin. The previous address is notified of a new password or email address.
 *
 * @throws NOT_FOUND, or CONFLICT if the admin has changed since the form was loaded; as {@link confirmPayer}.
 */
export async function updateAdmin(
  services: AdminServices,
  viewer: Viewer,
  id: number,
  change: AdminChange,
): Promise<void> {
  const { db } = services
  const password = await makePasswordIfGiven(services, change.password)
  await withFactor(services, viewer, (giver) =>
    inTransaction(db, async (tx) => {
      const admin = await lockAdmin(tx, id)
      if (!admin) throw notFound('admin')
      refuseStale('admin', admin.version, change.version)
      const next = withChange(formOf(admin), change, {
        // The status has its own endpoint.
        fixed: ['id', 'username', 'active', 'loginBlocked'],
        required: ['email'],
      })
      await updateRow(tx, 'accounts', id, {
        earning_visible: next.earningVisible,
        approve_agents: next.approveAgents,
        show_suspend: next.showSuspend,
        show_common_logs: next.showCommonLogs,
        pay: next.pay,
        ...(next.pay && { password_sealed: null }),
      })
      const now = tx.now
      await updateEmail(tx, id, next.email || null, { by: viewer, now })
      await endInvitationElsewhere(tx, id, next.email)
      if (next.pay !== admin.pay)
        await recordPay(tx, services, { admin, granted: next.pay, by: viewer })
      if (password) await replacePassword(tx, id, password, { by: viewer, now })
      const { pay, email } = next
      await confirmPayer(tx, giver, { admin, next: { pay, email, password: change.password } })
      const changed = changedOf(admin, { password: !!password, email: next.email })
      await tellOfChange(tx, services, {
        accountId: id,
        emailBefore: admin.email,
        username: admin.username,
        changed,
      })
    }),
  )
}

function permissionsOfForm(admin: NewAdmin): Permission[] {
  const granted: Permission[] = []
  if (admin.earningVisible) granted.push('EARNING_VISIBLE')
  if (admin.approveAgents) granted.push('APPROVE_AGENTS')
  if (admin.showSuspend) granted.push('SHOW_SUSPEND')
  if (admin.showCommonLogs) granted.push('SHOW_COMMON_LOGS')
  if (admin.pay) granted.push('PAY')
  return granted
}
