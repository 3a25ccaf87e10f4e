import { ROLES } from '@tallyroom/domain/roles'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema, idSchema, sortAscSchema } from '../list.ts'
import { sortFields } from '../list-choices.ts'

const unapprovedSchema = z.object({
  /** The account's id. */
  id: idSchema,
  agentId: idSchema,
  companyId: idSchema,
  username: z.string(),
  officeName: z.string(),
  regTime: z.iso.datetime(),
  role: z.enum(ROLES),
})
export type Unapproved = z.infer<typeof unapprovedSchema>

export const approvalEndpoints = {
  unapproved: endpoint({
    method: 'GET',
    path: '/api/accounts/unapproved',
    summary: 'List the agents awaiting approval',
    ability: 'agents.approve',
    byToken: 'people',
    action: 'VIEW',
    query: z.object({
      sortField: z.enum(sortFields.unapproved).default('regTime'),
      sortAsc: sortAscSchema,
    }),
    response: z.array(unapprovedSchema),
  }),
  unapprovedCount: endpoint({
    method: 'GET',
    path: '/api/accounts/unapproved/count',
    summary: 'Count the agents awaiting approval, for the badge in the menu',
    ability: 'agents.approve',
    byToken: 'people',
    action: 'none',
    response: z.object({ count: z.int() }),
  }),
  approve: endpoint({
    method: 'PUT',
    path: '/api/accounts/approve',
    summary: 'Approve agents by account id. Idempotent.',
    ability: 'agents.approve',
    byToken: 'people',
    action: 'STATUS',
    refuses: [404],
    body: z.strictObject({ ids: z.array(idSchema).min(1).max(5000) }),
    response: doneSchema,
  }),
}
