import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idSchema } from './list.ts'

/**
 * Where the host name of new links comes from: the domain that the office prefers, the first active one
 * (it prefers none, or a hidden one), or the server's own address (there is no active one).
 */
export const linkHosts = ['preferred', 'first-active', 'server'] as const

export const linksEndpoints = {
  links: endpoint({
    method: 'POST',
    path: '/api/links/list',
    summary: 'The tracked links of an agent for a site, one for each of its active link types',
    ability: 'links.generate',
    action: 'VIEW',
    body: z.strictObject({
      siteId: idSchema,
      /** An agent may leave it out: it is given its own links. */
      agentId: idSchema.nullish(),
    }),
    response: z.object({
      items: z.array(
        z.object({
          typeId: idSchema,
          sitename: z.string(),
          typename: z.string(),
          link: z.string(),
        }),
      ),
      agentId: idSchema,
      /** Such as `https://go.example.com`. */
      domain: z.string(),
      host: z.enum(linkHosts),
    }),
  }),
}
