import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idSchema } from './list.ts'

/**
 * Where the host name of new links comes from: the office’s preferred domain; else, if that is unset or
 * hidden, the first active domain; else the server’s own address.
 */
export const linkHosts = ['preferred', 'first-active', 'server'] as const

export const linksEndpoints = {
  links: endpoint({
    method: 'POST',
    path: '/api/links/list',
    summary: 'List an agent’s tracked links for a site, one per active link type',
    ability: 'links.generate',
    action: 'VIEW',
    body: z.strictObject({
      siteId: idSchema,
      /** Optional for agents, who get their own links. */
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
      /** An origin, such as `https://go.example.com`. */
      domain: z.string(),
      host: z.enum(linkHosts),
    }),
  }),
}
