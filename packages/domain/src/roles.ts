export type Role = (typeof ROLES)[number]

/** From the highest to the lowest, the order of the Role filter. */
export const ROLES = ['superadmin', 'admin', 'company', 'agent'] as const

/** The numbers of the wire and the database (specification 1, section 6). */
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

/** Undefined for a number that is no role. */
export const roleFromNumber = (number: number): Role | undefined =>
  ROLES.find((role) => NUMBERS[role] === number)

/** Whether `role` stands at or above `required`: agent < company < admin < superadmin. */
export const isAtLeast = (role: Role, required: Role): boolean => NUMBERS[role] <= NUMBERS[required]

/** The role's label; `role` for a number that is no role. */
export function roleLabel(role: Role | number | undefined): string {
  const known = typeof role === 'number' ? roleFromNumber(role) : role
  return known ? LABELS[known] : 'role'
}
