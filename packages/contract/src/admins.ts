import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { changesOf, onOffSchema } from './forms.ts'
import {
  doneSchema,
  idSchema,
  idTextSchema,
  emailSchema,
  optionalEmailSchema,
  sortAscSchema,
  versionSchema,
} from './list.ts'
import {
  newPassword,
  replacedPassword,
  revealedPasswordSchema,
  shownPassword,
  usernameSchema,
} from './passwords.ts'

const adminFlags = {
  earningVisible: onOffSchema.default(false),
  approveAgents: onOffSchema.default(false),
  showSuspend: onOffSchema.default(false),
  showCommonLogs: onOffSchema.default(false),
}

/** Every admin flag, for the form. */
const presentFlags = {
  earningVisible: z.boolean(),
  approveAgents: z.boolean(),
  showSuspend: z.boolean(),
  showCommonLogs: z.boolean(),
}

/** Either keeps an admin out at once. */
const presentStatus = {
  /** False while suspended. */
  active: z.boolean(),
  loginBlocked: z.boolean(),
}

export const adminItemSchema = z.object({
  id: idSchema,
  username: z.string(),
  ...shownPassword,
  email: z.string().nullable(),
  ...presentStatus,
})
export type AdminItem = z.infer<typeof adminItemSchema>

export const adminSchema = z.object({
  id: idSchema,
  username: z.string(),
  email: z.string(),
  ...presentFlags,
  ...presentStatus,
  version: z.int(),
})
export type Admin = z.infer<typeof adminSchema>

const adminIds = z.array(idSchema).min(1).max(5000)

export const adminsEndpoints = {
  admins: endpoint({
    method: 'GET',
    path: '/api/admins',
    summary: 'All admins, by username',
    ability: 'admins.manage',
    action: 'VIEW',
    query: z.object({
      sortField: z.enum(['username', 'email']).default('username'),
      sortAsc: sortAscSchema,
    }),
    response: z.array(adminItemSchema),
  }),
  admin: endpoint({
    method: 'GET',
    path: '/api/admins/:id',
    summary: 'One admin, for its form',
    ability: 'admins.manage',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: adminSchema,
  }),
  adminPassword: endpoint({
    method: 'POST',
    path: '/api/admins/:id/password',
    summary:
      'The password of an admin, where it is kept in readable form; the common logs hold who asked for whose',
    ability: 'admins.manage',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: revealedPasswordSchema,
  }),
  createAdmin: endpoint({
    method: 'PUT',
    path: '/api/admins',
    summary: 'Adds an admin',
    ability: 'admins.manage',
    action: 'CREATE',
    body: newPassword({ username: usernameSchema, email: emailSchema, ...adminFlags }),
    response: z.object({ id: idSchema }),
  }),
  updateAdmin: endpoint({
    method: 'POST',
    path: '/api/admins/:id',
    summary: 'Changes an admin; what is left out, and an empty password, stays as it is',
    ability: 'admins.manage',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    body: replacedPassword({
      email: optionalEmailSchema.optional(),
      ...changesOf(adminFlags),
      ...adminSchema.pick({ id: true, username: true, active: true, loginBlocked: true }).partial()
        .shape,
      version: versionSchema,
    }),
    response: doneSchema,
  }),
  adminsStatus: endpoint({
    method: 'POST',
    path: '/api/admins/status',
    summary:
      'Activates or suspends admins, or disables and enables their login; sessions end at once',
    ability: 'admins.manage',
    action: 'STATUS',
    body: z.union(
      [
        z.strictObject({ ids: adminIds, active: onOffSchema }),
        z.strictObject({ ids: adminIds, loginBlocked: onOffSchema }),
      ],
      { error: 'must have ids, and one of active and loginBlocked' },
    ),
    response: doneSchema,
  }),
  deleteAdmin: endpoint({
    method: 'DELETE',
    path: '/api/admins/:id',
    summary: 'Removes an admin; what it did stays in the logs under its name',
    ability: 'admins.manage',
    action: 'DELETE',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
}
