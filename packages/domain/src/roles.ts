export type Role = (typeof ROLES)[number]

/** From highest to lowest, which is also the order of the Role filter. */
export const ROLES = ['superadmin', 'admin', 'company', 'agent'] as const

/** Roles as numbers, in the API and the database (specification 1, section 6). */
export type RoleNumber = 0 | 5 | 10 | 20

const NUMBERS = { superadmin: 0, admin: 5, company: 10, agent: 20 } as const satisfies Record<
  Role,
  RoleNumber
>

const LABELS: Record<Role, string> = {
  superadmin: 'Superadmin',
  admin: 'Admin',
  company: 'Company',
  agent: 'Agent',
}

export const roleNumber = (role: Role): RoleNumber => NUMBERS[role]

/** Undefined if the number is not a role. */
export const roleFromNumber = (number: number): Role | undefined =>
  ROLES.find((role) => NUMBERS[role] === number)

/** Whether `role` is `required` or above: agent < company < admin < superadmin. */
export const isAtLeast = (role: Role, required: Role): boolean => NUMBERS[role] <= NUMBERS[required]

/** The role's label; `role` if the number is not a role. */
export function roleLabel(role: Role | number | undefined): string {
  const known = typeof role === 'number' ? roleFromNumber(role) : role
  return known ? LABELS[known] : 'role'
}
