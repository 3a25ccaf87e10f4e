import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { changesOf, onOffSchema } from '../forms.ts'
import {
  doneSchema,
  idSchema,
  idTextSchema,
  emailSchema,
  optionalEmailSchema,
  sortAscSchema,
  versionSchema,
} from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { invitedFields } from './invitations.ts'
import {
  firstPassword,
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
  /** Manage pay. */
  pay: onOffSchema.default(false),
}

/** What the form has. */
export type AdminField = keyof typeof adminFlags | 'email' | 'username'

const presentFlags = {
  earningVisible: z.boolean(),
  approveAgents: z.boolean(),
  showSuspend: z.boolean(),
  showCommonLogs: z.boolean(),
  pay: z.boolean(),
}

/** Suspending an admin or blocking their login ends their sessions at once. */
const presentStatus = {
  /** False while suspended. */
  active: z.boolean(),
  loginBlocked: z.boolean(),
}

const adminItemSchema = z.object({
  id: idSchema,
  username: z.string(),
  ...shownPassword,
  ...invitedFields,
  email: z.string().nullable(),
  ...presentStatus,
})
export type AdminItem = z.infer<typeof adminItemSchema>

const adminSchema = z.object({
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
    summary: 'List all admins',
    ability: 'admins.manage',
    action: 'VIEW',
    query: z.object({
      sortField: z.enum(sortFields.admins).default('username'),
      sortAsc: sortAscSchema,
    }),
    response: z.array(adminItemSchema),
  }),
  admin: endpoint({
    method: 'GET',
    path: '/api/admins/:id',
    summary: 'Get an admin',
    ability: 'admins.manage',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: adminSchema,
  }),
  adminPassword: endpoint({
    method: 'POST',
    path: '/api/admins/:id/password',
    summary:
      'Reveal an admin’s password if it is stored in readable form. The common logs record each request.',
    ability: 'admins.manage',
    proof: 'recent',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: revealedPasswordSchema,
  }),
  createAdmin: endpoint({
    method: 'PUT',
    path: '/api/admins',
    summary: 'Create an admin. They get a password, or are invited to choose one.',
    ability: 'admins.manage',
    proof: 'recent',
    action: 'CREATE',
    refuses: [429],
    body: firstPassword({ username: usernameSchema, email: emailSchema, ...adminFlags }, 'email'),
    response: z.object({ id: idSchema }),
  }),
  updateAdmin: endpoint({
    method: 'POST',
    path: '/api/admins/:id',
    summary: 'Update an admin. Omitted fields and an empty password are left unchanged.',
    ability: 'admins.manage',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [429],
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
      'Activate or suspend admins, or enable or disable their login. Lockout ends their sessions at once.',
    ability: 'admins.manage',
    proof: 'recent',
    action: 'STATUS',
    refuses: [404],
    body: z.union(
      [
        z.strictObject({ ids: adminIds, active: onOffSchema }),
        z.strictObject({ ids: adminIds, loginBlocked: onOffSchema }),
      ],
      { error: 'must have ids, and one of active and loginBlocked' },
    ),
    response: doneSchema,
  }),
  endAdminSessions: endpoint({
    method: 'DELETE',
    path: '/api/admins/:id/sessions',
    summary: 'End all sessions of an admin, in every browser. API tokens stay.',
    ability: 'admins.manage',
    proof: 'recent',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
  deleteAdmin: endpoint({
    method: 'DELETE',
    path: '/api/admins/:id',
    summary: 'Delete an admin. Log entries keep their username.',
    ability: 'admins.manage',
    proof: 'recent',
    action: 'DELETE',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
}
