import type { Admin } from '@tallyroom/contract/admins'
import type { AdminChange } from './admins.api.ts'

/** The fields of the admin form. */
export interface AdminValues extends Record<string, unknown> {
  email: string
  username: string
  password: string
  passwordConfirm: string
  earningVisible: boolean
  approveAgents: boolean
  showSuspend: boolean
  showCommonLogs: boolean
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
): AdminChange => ({ ...values, version })

/** What an admin may be allowed beyond the role. */
export const adminFlags = [
  { field: 'earningVisible', label: 'Earning visible' },
  { field: 'approveAgents', label: 'Approve agents' },
  { field: 'showSuspend', label: 'Show suspended accounts' },
  { field: 'showCommonLogs', label: 'Show common logs' },
] as const

/** For messages about fields. */
export const adminLabels: Record<string, string> = {
  email: 'Email',
  ...Object.fromEntries(adminFlags.map(({ field, label }) => [field, label])),
}
