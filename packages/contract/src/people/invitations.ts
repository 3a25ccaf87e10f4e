import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema, idTextSchema, line } from '../list.ts'
import { missing } from '../missing.ts'
import { newPassword } from './passwords.ts'
import { secret } from '../secrets.ts'

/** How an invitation stands, in lists of accounts. */
export const invitedFields = {
  /** When the account was last invited, or made to be; null once its holder has a password. */
  invitedAt: z.iso.datetime().nullable(),
  /** Until when the link is valid; null if there is none, or it was withdrawn. */
  invitationEndsAt: z.iso.datetime().nullable(),
}

const invitationToken = secret('invitation link', line(200).min(1, missing))
const linkSchema = z.object({ link: secret('invitation link', z.string()) })
const whose = z.object({ id: idTextSchema })

/**
 * Links by which the holder of a new account chooses their password. Each works once, within seven days, and ends those before it.
 * Refused with CONFLICT once the account has a password.
 */
export const invitationsEndpoints = {
  inviteAgent: endpoint({
    method: 'POST',
    path: '/api/agents/:id/invitation',
    summary: 'Mail an invitation to an agent without a password. It replaces an earlier one',
    ability: 'agents.edit',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [409, 429],
    params: whose,
    response: doneSchema,
  }),
  makeAgentInvitationLink: endpoint({
    method: 'POST',
    path: '/api/agents/:id/invitation/link',
    summary:
      'Make the link of an invitation for an agent without a password, to hand over yourself',
    ability: 'agents.edit',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [409],
    params: whose,
    response: linkSchema,
  }),
  withdrawAgentInvitation: endpoint({
    method: 'DELETE',
    path: '/api/agents/:id/invitation',
    summary: 'Withdraw the invitation of an agent',
    ability: 'agents.edit',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [409],
    params: whose,
    response: doneSchema,
  }),
  inviteOffice: endpoint({
    method: 'POST',
    path: '/api/offices/:id/invitation',
    summary: 'Mail an invitation to an office without a password. It replaces an earlier one',
    ability: 'offices.edit',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [409, 429],
    params: whose,
    response: doneSchema,
  }),
  makeOfficeInvitationLink: endpoint({
    method: 'POST',
    path: '/api/offices/:id/invitation/link',
    summary:
      'Make the link of an invitation for an office without a password, to hand over yourself',
    ability: 'offices.edit',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [409],
    params: whose,
    response: linkSchema,
  }),
  withdrawOfficeInvitation: endpoint({
    method: 'DELETE',
    path: '/api/offices/:id/invitation',
    summary: 'Withdraw the invitation of an office',
    ability: 'offices.edit',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [409],
    params: whose,
    response: doneSchema,
  }),
  inviteAdmin: endpoint({
    method: 'POST',
    path: '/api/admins/:id/invitation',
    summary: 'Mail an invitation to an admin without a password. It replaces an earlier one',
    ability: 'admins.manage',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [409, 429],
    params: whose,
    response: doneSchema,
  }),
  makeAdminInvitationLink: endpoint({
    method: 'POST',
    path: '/api/admins/:id/invitation/link',
    summary:
      'Make the link of an invitation for an admin without a password, to hand over yourself',
    ability: 'admins.manage',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [409, 429],
    params: whose,
    response: linkSchema,
  }),
  withdrawAdminInvitation: endpoint({
    method: 'DELETE',
    path: '/api/admins/:id/invitation',
    summary: 'Withdraw the invitation of an admin',
    ability: 'admins.manage',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [409],
    params: whose,
    response: doneSchema,
  }),
  readInvitation: endpoint({
    method: 'POST',
    path: '/api/invitation',
    summary: 'Get whom an invitation is for. Its link stays valid.',
    ability: 'public',
    action: 'none',
    body: z.strictObject({ token: invitationToken }),
    response: z.object({
      username: z.string(),
      /** An agent who can sign in only once they are approved. */
      waitsForApproval: z.boolean(),
    }),
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/api/invitation/accept',
    summary:
      'Choose the first password of an account with the token of its invitation (single use)',
    ability: 'public',
    action: 'UPDATE',
    body: newPassword({ token: invitationToken }),
    response: doneSchema,
  }),
}
