import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { onOffSchema } from './forms.ts'
import { doneSchema, optionalEmailSchema, versionSchema } from './list.ts'
import { officeNameChanges } from './offices.ts'
import { newPassword, replacedPassword } from './passwords.ts'

const staffProfileSchema = z.object({
  username: z.string(),
  email: z.string(),
  /** Whether suspended accounts are shown. */
  showSuspend: z.boolean(),
  /** Whether that is theirs to choose: a superadmin has granted it. A superadmin is always shown them. */
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

/** One's own account. A new password ends every other session of it. */
export const profileEndpoints = {
  adminProfile: endpoint({
    method: 'GET',
    path: '/api/profile/admin',
    summary: 'An admin’s or superadmin’s own account',
    ability: 'profile.staff',
    action: 'VIEW',
    response: staffProfileSchema,
  }),
  updateAdminProfile: endpoint({
    method: 'POST',
    path: '/api/profile/admin',
    summary: 'Changes it; what is left out, and an empty password, stays as it is',
    ability: 'profile.staff',
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
    summary: 'An office’s own data',
    ability: 'profile.company',
    action: 'VIEW',
    response: officeProfileSchema,
  }),
  updateCompanyProfile: endpoint({
    method: 'POST',
    path: '/api/profile/company',
    summary: 'Changes it; what is left out, and an empty password, stays as it is',
    ability: 'profile.company',
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
    summary: 'An agent’s own account',
    ability: 'profile.agent',
    action: 'VIEW',
    response: z.object({ username: z.string() }),
  }),
  updateAgentProfile: endpoint({
    method: 'POST',
    path: '/api/profile/agent',
    summary: 'Changes the password',
    ability: 'profile.agent',
    action: 'UPDATE',
    body: newPassword({}),
    response: doneSchema,
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/profile/password',
    beforeNewPassword: true,
    summary: 'Changes one’s own password, in whatever role: for who must before anything else',
    ability: 'profile.edit',
    action: 'UPDATE',
    body: newPassword({}),
    response: doneSchema,
  }),
}
