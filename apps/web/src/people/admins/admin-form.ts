import type { BodyOf } from '@tallyroom/contract/endpoint'
import type { Admin, adminsEndpoints } from '@tallyroom/contract/people/admins'
import { adminLabels, passwordLabels } from '@tallyroom/contract/people/labels'
import { fieldsOf, noPassword } from '../../ui/form/fields-of.ts'
import { type FirstPasswordValues, firstPasswordOf } from '../invitations/first-password.ts'

/** The fields of the admin form. */
export type AdminValues = Omit<Admin, 'id' | 'active' | 'loginBlocked' | 'version'> &
  FirstPasswordValues

export const newAdminValues: AdminValues = {
  email: '',
  username: '',
  ...noPassword,
  way: 'typed',
  earningVisible: false,
  approveAgents: false,
  showSuspend: false,
  showCommonLogs: false,
  pay: false,
}

export const adminValues = (admin: Admin): AdminValues =>
  fieldsOf(newAdminValues, { ...admin, ...noPassword, way: 'typed' })

export const newAdminOf = ({
  way,
  password,
  passwordConfirm,
  ...values
}: AdminValues): BodyOf<typeof adminsEndpoints.createAdmin> => ({
  ...values,
  ...firstPasswordOf({ way, password, passwordConfirm }),
})

export const adminChangeOf = (
  { username: _fixed, way: _new, ...values }: AdminValues,
  version?: number,
): BodyOf<typeof adminsEndpoints.updateAdmin> => ({ ...values, version })

/** Field names for messages. */
export const adminFormLabels = {
  ...adminLabels,
  ...passwordLabels,
  way: 'First password',
} satisfies Record<keyof AdminValues, string>

/** Permissions granted to single admins. */
export const adminFlags = [
  'earningVisible',
  'approveAgents',
  'showSuspend',
  'showCommonLogs',
  'pay',
] as const
