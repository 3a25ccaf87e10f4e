import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idSchema, idTextSchema } from './list.ts'

export const linkTypesEndpoints = {
  typesBySite: endpoint({
    method: 'GET',
    path: '/api/types/:siteId/by-site',
    summary: 'The link types of a site',
    ability: 'signed-in',
    action: 'none',
    params: z.object({ siteId: idTextSchema }),
    query: z.object({
      sortField: z.enum(['typename', 'typealias', 'id']).default('typename'),
      sortAsc: z.enum(['true', 'false']).default('true'),
    }),
    response: z.array(
      z.object({
        id: idSchema,
        siteId: idSchema,
        typename: z.string(),
        typealias: z.string(),
        bonus: z.boolean(),
        active: z.boolean(),
      }),
    ),
  }),
}
