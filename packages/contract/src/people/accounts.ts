import { PERMISSIONS } from '@tallyroom/domain/abilities'
import { FACTORS } from '@tallyroom/domain/factors'
import { ROLES } from '@tallyroom/domain/roles'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idSchema } from '../list.ts'
import { contactSchema } from './contact.ts'

export const meSchema = z.object({
  accountId: idSchema,
  username: z.string(),
  role: z.enum(ROLES),
  /** The office of a company or agent account. */
  companyId: idSchema.nullable(),
  officeName: z.string().nullable(),
  agentId: idSchema.nullable(),
  permissions: z.array(z.enum(PERMISSIONS)),
  /** The superadmin who is signed in as this account; null for the account holder. `auth/return` switches back. */
  signedInBy: z.string().nullable(),
  /** The holder must change the password first, because it was migrated or set by somebody else. */
  mustChangePassword: z.boolean(),
  /** The holder must add a second factor first, because the network requires it. */
  mustAddFactor: z.boolean(),
  /** What is asked for besides the password. */
  factors: z.array(z.enum(FACTORS)),
  /** Whether this is the demo network, whose accounts many people share. */
  isDemo: z.boolean(),
  /** Whom an office or agent asks at the network; null for staff, and while nobody is named. */
  contact: contactSchema.nullable(),
})

export type Me = z.infer<typeof meSchema>

export const accountsEndpoints = {
  me: endpoint({
    method: 'GET',
    path: '/api/accounts/me',
    beforeNewPassword: true,
    beforeFactor: true,
    summary: 'Get the signed-in account and its permissions',
    ability: 'signed-in',
    byToken: 'any',
    action: 'none',
    response: meSchema,
  }),
}
