import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema, idTextSchema, line } from '../list.ts'
import { missing } from '../missing.ts'
import { secret } from '../secrets.ts'

/** How long the link to confirm an address, and that of an invitation, is valid. */
export const LINK_LIFE_DAYS = 7

export const addressesEndpoints = {
  confirmAddress: endpoint({
    method: 'POST',
    path: '/api/address/confirm',
    summary:
      'Confirm your own new email address with the token that was mailed to it (single use, 7 days). From then on, emails about the account go there.',
    ability: 'profile.agent',
    proof: 'own-session',
    action: 'UPDATE',
    body: z.strictObject({ token: secret('address link', line(200).min(1, missing)) }),
    response: z.object({ username: z.string(), email: z.string() }),
  }),
  sendAddressLink: endpoint({
    method: 'POST',
    path: '/api/address/link',
    summary: 'Send the link that confirms your own new email address again',
    ability: 'profile.agent',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [409, 429],
    response: doneSchema,
  }),
  sendAgentAddressLink: endpoint({
    method: 'POST',
    path: '/api/agents/:id/address/link',
    summary: 'Send the link that confirms an agent’s new email address again',
    ability: 'agents.edit',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [409, 429],
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
}
