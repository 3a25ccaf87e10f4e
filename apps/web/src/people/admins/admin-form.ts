import type { BodyOf } from '@tallyroom/contract/endpoint'
import type { Admin, adminsEndpoints } from '@tallyroom/contract/people/admins'
import { adminLabels, passwordLabels } from '@tallyroom/contract/people/labels'
import { fieldsOf, noPassword } from '../../ui/form/fields-of.ts'

/** The fields of the admin form. */
export type AdminValues = typeof newAdminValues

export const newAdminValues = {
  email: '',
  username: '',
  ...noPassword,
  earningVisible: false,
  approveAgents: false,
  showSuspend: false,
  showCommonLogs: false,
  pay: false,
}

export const adminValues = (admin: Admin): AdminValues =>
  fieldsOf(newAdminValues, { ...admin, ...noPassword })

export const adminChangeOf = (
  { username: _fixed, ...values }: AdminValues,
  version?: number,
): BodyOf<typeof adminsEndpoints.updateAdmin> => ({ ...values, version })

/** Field names for messages. */
export const adminFormLabels = { ...adminLabels, ...passwordLabels } satisfies Record<
  keyof AdminValues,
  string
>

/** Permissions granted to single admins. */
export const adminFlags = [
  'earningVisible',
  'approveAgents',
  'showSuspend',
  'showCommonLogs',
  'pay',
] as const
