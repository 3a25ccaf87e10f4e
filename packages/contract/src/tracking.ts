import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { postbackAnswerSchema } from './postbacks.ts'

/**
 * The two public doors of tracking. They are served by a scope of their own, without validators on
 * the road: they are declared here for the API document and for the check that every route is known.
 */
export const trackingEndpoints = {
  go: endpoint({
    method: 'GET',
    path: '/api/links/go/:siteId/:typeId/:agentId',
    summary: 'A tracked link: keeps the click and redirects (302) to the merchant',
    ability: 'public',
    action: 'none',
    params: z.object({ siteId: z.string(), typeId: z.string(), agentId: z.string() }),
    response: z.undefined(),
  }),
  postbackByGet: endpoint({
    method: 'GET',
    path: '/api/postback/:siteId',
    summary: "A merchant's report of a sale, bonus or reversal, by query",
    ability: 'public',
    action: 'none',
    params: z.object({ siteId: z.string() }),
    response: postbackAnswerSchema,
  }),
  postbackByPost: endpoint({
    method: 'POST',
    path: '/api/postback/:siteId',
    summary: 'The same by form or JSON; a JSON array of up to 1,000 is answered one by one',
    ability: 'public',
    action: 'none',
    params: z.object({ siteId: z.string() }),
    response: z.union([postbackAnswerSchema, z.array(postbackAnswerSchema)]),
  }),
}
