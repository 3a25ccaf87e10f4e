import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { doneSchema, emailSchema, versionSchema } from './list.ts'
import { officeNameFields } from './offices.ts'
import { newPassword, replacedPassword } from './passwords.ts'

const officeProfile = { ...officeNameFields, manEmail: emailSchema }

/** One's own account. A new password ends every other session of it. */
export const profileEndpoints = {
  adminProfile: endpoint({
    method: 'GET',
    path: '/api/profile/admin',
    summary: 'An admin’s or superadmin’s own account',
    ability: 'profile.staff',
    action: 'VIEW',
    response: z.object({
      username: z.string(),
      email: z.string(),
      /** Always on for a superadmin. */
      showSuspend: z.boolean(),
      version: z.int(),
    }),
  }),
  updateAdminProfile: endpoint({
    method: 'POST',
    path: '/api/profile/admin',
    summary: 'Changes it; an empty password stays as it is',
    ability: 'profile.staff',
    action: 'UPDATE',
    body: replacedPassword({
      email: emailSchema,
      showSuspend: z.boolean(),
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
    response: z.object({
      username: z.string(),
      officeName: z.string(),
      manFirstName: z.string(),
      manLastName: z.string(),
      agentNotes: z.string(),
      manEmail: z.string(),
      activated: z.boolean(),
      version: z.int(),
    }),
  }),
  updateCompanyProfile: endpoint({
    method: 'POST',
    path: '/api/profile/company',
    summary: 'Changes it; an empty password stays as it is',
    ability: 'profile.company',
    action: 'UPDATE',
    body: replacedPassword({ ...officeProfile, version: versionSchema }),
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
