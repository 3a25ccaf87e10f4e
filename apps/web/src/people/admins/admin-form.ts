import type { BodyOf } from '@tallyroom/contract/endpoint'
import type { Admin, adminsEndpoints } from '@tallyroom/contract/people/admins'
import { adminLabels, passwordLabels } from '@tallyroom/contract/people/labels'

/** The fields of the admin form. */
export type AdminValues = {
  email: string
  username: string
  password: string
  passwordConfirm: string
  earningVisible: boolean
  approveAgents: boolean
  showSuspend: boolean
  showCommonLogs: boolean
  pay: boolean
}

export const newAdminValues: AdminValues = {
  email: '',
  username: '',
  password: '',
  passwordConfirm: '',
  earningVisible: false,
  approveAgents: false,
  showSuspend: false,
  showCommonLogs: false,
  pay: false,
}

export const adminValues = ({
  id: _id,
  version: _version,
  active: _active,
  loginBlocked: _loginBlocked,
  ...admin
}: Admin): AdminValues => ({
  ...admin,
  password: '',
  passwordConfirm: '',
})

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
