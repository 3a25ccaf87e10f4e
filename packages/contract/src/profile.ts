import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { onOffSchema } from './forms.ts'
import { doneSchema, optionalEmailSchema, versionSchema } from './list.ts'
import { officeNameChanges } from './offices.ts'
import { currentPassword, newPassword, replacedPassword } from './passwords.ts'

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

const sessionSchema = z.object({
  id: z.uuid(),
  ip: z.string(),
  /** Such as `Chrome on Windows`. */
  browser: z.string(),
  startedAt: z.iso.datetime(),
  /** To the minute. */
  lastUsedAt: z.iso.datetime(),
  isCurrent: z.boolean(),
})

/**
 * One's own account. A new password ends every other session of it. A new password or e-mail address needs the current
 * password, unless one has just signed in; who is signed in as another changes neither.
 */
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
      ...currentPassword,
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
      ...currentPassword,
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
    body: newPassword(currentPassword),
    response: doneSchema,
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/profile/password',
    beforeNewPassword: true,
    summary: 'Changes one’s own password, in whatever role: for who must before anything else',
    ability: 'profile.edit',
    action: 'UPDATE',
    body: newPassword(currentPassword),
    response: doneSchema,
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/profile/sessions',
    summary: 'Where one is signed in, the latest use first',
    ability: 'profile.edit',
    action: 'VIEW',
    response: z.object({ sessions: z.array(sessionSchema) }),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/profile/sessions/:id',
    summary: 'Ends one of one’s own sessions',
    ability: 'profile.edit',
    action: 'UPDATE',
    params: z.object({ id: z.uuid() }),
    response: doneSchema,
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/profile/sessions',
    summary: 'Ends all of one’s own sessions but the one of the token',
    ability: 'profile.edit',
    action: 'UPDATE',
    response: doneSchema,
  }),
}
