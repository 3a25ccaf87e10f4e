import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idSchema } from '../list.ts'

/**
 * Where the host name of new links comes from: the office’s preferred domain; else, if that is unset or
 * hidden, the first active domain; else the server’s own address.
 */
const linkHosts = ['preferred', 'first-active', 'server'] as const

const paysSchema = z.object({
  /** Of a sale, or of an approval on a site with approve-sale. Pesos. */
  payout: z.number(),
  /** Of a bonus, or of the sale on a site with approve-sale; null if the link type pays none. Pesos. */
  bonusPayout: z.number().nullable(),
})

const linkRateSchema = z.object({
  typeId: idSchema,
  siteId: idSchema,
  sitename: z.string(),
  typename: z.string(),
  useApproveSale: z.boolean(),
  /** AVP: the tier of the week may pay the sale. */
  avp: z.boolean(),
  now: paysSchema,
  /** The next change of these amounts that is prepared; null if there is none. */
  next: paysSchema.extend({ from: z.iso.datetime() }).nullable(),
})
export type LinkRate = z.infer<typeof linkRateSchema>

export const linksEndpoints = {
  links: endpoint({
    method: 'POST',
    path: '/api/links/list',
    summary: 'List an agent’s tracked links for one or all sites, one per active link type',
    ability: 'links.generate',
    byToken: 'any',
    action: 'VIEW',
    refuses: [404],
    body: z.strictObject({
      /** Without a site: links for every site that the agent sells. */
      siteId: idSchema.nullish(),
      /** Optional for agents, who get their own links. */
      agentId: idSchema.nullish(),
    }),
    response: z.object({
      items: z.array(
        z.object({
          typeId: idSchema,
          siteId: idSchema,
          sitename: z.string(),
          typename: z.string(),
          link: z.string(),
          /** To whose pages the link can lead with `to=`. The first is that of the link type’s URL. */
          hosts: z.array(z.string()),
          /**
           * What a sale pays now, in pesos: the office's own rate or the default. Omitted if the
           * viewer may not see it.
           */
          payout: z.number().optional(),
          /** AVP: the tier of the week may pay the sale. */
          avp: z.boolean(),
        }),
      ),
      agentId: idSchema,
      /** An origin, such as `https://go.example.com`. */
      domain: z.string(),
      host: z.enum(linkHosts),
    }),
  }),
  linkRates: endpoint({
    method: 'POST',
    path: '/api/links/rates',
    summary:
      'List what each link of an agent pays on all sites, now and after the next prepared change',
    ability: 'links.generate',
    byToken: 'any',
    action: 'VIEW',
    refuses: [404],
    body: z.strictObject({
      /** Optional for agents, who get their own rates. */
      agentId: idSchema.nullish(),
    }),
    response: z.object({
      agentId: idSchema,
      /** False if the viewer may not see payouts: there are no items then. */
      payoutVisible: z.boolean(),
      items: z.array(linkRateSchema),
    }),
  }),
}
