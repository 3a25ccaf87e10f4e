import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idSchema } from './list.ts'

export const sitesEndpoints = {
  sites: endpoint({
    method: 'GET',
    path: '/api/sites',
    summary: 'The sites that a select offers, by name',
    ability: 'signed-in',
    action: 'none',
    query: z.object({
      /** `1` offers suspended sites too. */
      withSuspended: z.enum(['0', '1']).default('0'),
    }),
    response: z.array(
      z.object({
        id: idSchema,
        sitename: z.string(),
        active: z.boolean(),
        useApproveSale: z.boolean(),
      }),
    ),
  }),
}
