import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idSchema, idTextSchema } from './list.ts'

/** Which agents a select offers: hidden ones never, suspended ones only where asked for. */
export const agentsQuerySchema = z.enum(['all', 'onlyAvailable', 'onlyAvailablePlusSuspended'])

export const officesEndpoints = {
  companies: endpoint({
    method: 'GET',
    path: '/api/companies',
    summary: 'The offices that a select offers, by name',
    ability: 'signed-in',
    action: 'none',
    query: z.object({
      /** `true` leaves out suspended offices. Hidden ones are never offered. */
      onlyAvailable: z.enum(['true', 'false']).default('false'),
    }),
    response: z.array(z.object({ id: idSchema, officeName: z.string(), active: z.boolean() })),
  }),
  companyAgents: endpoint({
    method: 'GET',
    path: '/api/companies/agents',
    summary: 'The agents of an office (or of all) that a select offers, by username',
    ability: 'signed-in',
    action: 'none',
    query: z.object({
      companyId: idTextSchema.optional(),
      agentsQuery: agentsQuerySchema.default('onlyAvailable'),
    }),
    response: z.array(
      z.object({
        id: idSchema,
        username: z.string(),
        companyId: idSchema,
        active: z.boolean(),
      }),
    ),
  }),
}
