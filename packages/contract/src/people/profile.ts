import { PROOFS } from '@tallyroom/domain/sign-ins'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { onOffSchema } from '../forms.ts'
import { doneSchema, optionalEmailSchema, versionSchema } from '../list.ts'
import { officeNameChanges } from './offices.ts'
import { newPassword, replacedPassword } from './passwords.ts'

const staffProfileSchema = z.object({
  username: z.string(),
  email: z.string(),
  /** Whether lists include suspended accounts. */
  showSuspend: z.boolean(),
  /** Whether a superadmin has granted the choice. Superadmins always see suspended accounts. */
  showSuspendGranted: z.boolean(),
  version: z.int(),
})

const officeProfileSchema = z.object({
  username: z.string(),
  officeName: z.string(),
  manFirstName: z.string(),
  manLastName: z.string(),
  agentNotes: z.string(),
  manEmail: z.string(),
  activated: z.boolean(),
  version: z.int(),
})

const agentProfileSchema = z.object({
  username: z.string(),
  /** The one that emails go to, or that waits to be confirmed; empty if there is none. */
  email: z.string(),
  /** False until the link that was mailed to the address has been opened. */
  emailConfirmed: z.boolean(),
  version: z.int(),
})

const sessionSchema = z.object({
  id: z.uuid(),
  ip: z.string(),
  /** Such as `Chrome on Windows`. */
  browser: z.string(),
  startedAt: z.iso.datetime(),
  /** Accurate to the minute. */
  lastUsedAt: z.iso.datetime(),
  /** How its holder proved themselves last; null: a partner opened it, and they have not. */
  provedBy: z.enum([...PROOFS, 'provider']).nullable(),
  isCurrent: z.boolean(),
})

/**
 * The caller's own account. A new password ends all other sessions. After *Sign in as*, neither the password nor the
 * email address can be changed.
 */
export const profileEndpoints = {
  adminProfile: endpoint({
    method: 'GET',
    path: '/api/profile/admin',
    summary: 'Get your own profile as an admin or superadmin',
    ability: 'profile.staff',
    action: 'VIEW',
    response: staffProfileSchema,
  }),
  updateAdminProfile: endpoint({
    method: 'POST',
    path: '/api/profile/admin',
    summary:
      'Update your own profile as an admin or superadmin. Omitted fields and an empty password are left unchanged.',
    ability: 'profile.staff',
    proof: 'for-credentials',
    action: 'UPDATE',
    body: replacedPassword({
      email: optionalEmailSchema.optional(),
      showSuspend: onOffSchema.optional(),
      ...staffProfileSchema.pick({ username: true, showSuspendGranted: true }).partial().shape,
      version: versionSchema,
    }),
    response: doneSchema,
  }),
  companyProfile: endpoint({
    method: 'GET',
    path: '/api/profile/company',
    summary: 'Get your own profile as an office',
    ability: 'profile.company',
    action: 'VIEW',
    response: officeProfileSchema,
  }),
  updateCompanyProfile: endpoint({
    method: 'POST',
    path: '/api/profile/company',
    summary:
      'Update your own profile as an office. Omitted fields and an empty password are left unchanged.',
    ability: 'profile.company',
    proof: 'for-credentials',
    action: 'UPDATE',
    body: replacedPassword({
      ...officeNameChanges,
      manEmail: optionalEmailSchema.optional(),
      ...officeProfileSchema.pick({ username: true, activated: true }).partial().shape,
      version: versionSchema,
    }),
    response: doneSchema,
  }),
  agentProfile: endpoint({
    method: 'GET',
    path: '/api/profile/agent',
    summary: 'Get your own profile as an agent',
    ability: 'profile.agent',
    action: 'VIEW',
    response: agentProfileSchema,
  }),
  updateAgentProfile: endpoint({
    method: 'POST',
    path: '/api/profile/agent',
    summary:
      'Update your own profile as an agent. Omitted fields and an empty password are left unchanged. A new address counts once it is confirmed.',
    ability: 'profile.agent',
    proof: 'for-credentials',
    action: 'UPDATE',
    refuses: [429],
    body: replacedPassword({
      email: optionalEmailSchema.optional(),
      ...agentProfileSchema.pick({ username: true, emailConfirmed: true }).partial().shape,
      version: versionSchema,
    }),
    response: doneSchema,
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/profile/password',
    beforeNewPassword: true,
    summary:
      'Change your own password in any role. The only change allowed while a new password is required.',
    ability: 'profile.edit',
    proof: 'recent',
    action: 'UPDATE',
    body: newPassword({}),
    response: doneSchema,
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/profile/sessions',
    summary: 'List your own sessions, most recently used first',
    ability: 'profile.edit',
    action: 'VIEW',
    response: z.object({ sessions: z.array(sessionSchema) }),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/profile/sessions/:id',
    summary: 'End one of your own sessions',
    ability: 'profile.edit',
    proof: 'recent',
    action: 'UPDATE',
    params: z.object({ id: z.uuid() }),
    response: doneSchema,
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/profile/sessions',
    summary: 'End all of your own sessions except the current one',
    ability: 'profile.edit',
    proof: 'recent',
    action: 'UPDATE',
    response: doneSchema,
  }),
}
