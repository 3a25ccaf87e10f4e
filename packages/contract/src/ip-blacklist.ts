import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  criteriaOf,
  doneSchema,
  idSchema,
  idTextSchema,
  line,
  listRequest,
  pagedList,
  required,
} from './list.ts'

/** An address, or a network such as `192.0.2.0/24`. The longest spelling of one has some 50 characters. */
const ipTextSchema = required(100)

/** What one call deletes at most; longer lists come in several calls. */
export const MAX_IPS_DELETED = 1_000

export const blackListIpSchema = z.object({
  id: idSchema,
  /** In its one spelling: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. */
  ip: z.string(),
  addedAt: z.iso.datetime(),
})
export type BlackListIp = z.infer<typeof blackListIpSchema>

export const blackListIpSearchSchema = listRequest(['ip', 'addedAt'], {
  sortField: 'ip',
  sortAsc: true,
})
  .extend({
    criteria: criteriaOf({ ip: { operators: ['LIKE', '='], value: line(100) } }),
  })
  .strict()
export type BlackListIpSearch = z.output<typeof blackListIpSearchSchema>

export const ipBlacklistEndpoints = {
  searchBlackListIp: endpoint({
    method: 'POST',
    path: '/api/black-list-ip/search',
    summary: 'The black-listed addresses and networks, a page at a time',
    ability: 'ip-blacklist.manage',
    action: 'SEARCH',
    body: blackListIpSearchSchema,
    response: pagedList(blackListIpSchema),
  }),
  addBlackListIp: endpoint({
    method: 'PUT',
    path: '/api/black-list-ip',
    summary: 'Puts an address or network on the black list; one that is there already stays',
    ability: 'ip-blacklist.manage',
    action: 'CREATE',
    body: z.strictObject({ ip: ipTextSchema }),
    response: z.object({
      /** In the spelling of the list. */
      ip: z.string(),
      outcome: z.enum(['added', 'already there']),
    }),
  }),
  deleteBlackListIp: endpoint({
    method: 'DELETE',
    path: '/api/black-list-ip/:id',
    summary: 'Takes an entry off the black list',
    ability: 'ip-blacklist.manage',
    action: 'DELETE',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
  deleteBlackListIpsByValue: endpoint({
    method: 'POST',
    path: '/api/black-list-ip/delete-by-value',
    summary: 'Takes addresses and networks off the black list, and tells what became of each',
    ability: 'ip-blacklist.manage',
    action: 'DELETE',
    body: z.strictObject({
      ips: z
        .array(ipTextSchema)
        .min(1, 'is required')
        .max(MAX_IPS_DELETED, `must have at most ${MAX_IPS_DELETED} entries`),
    }),
    /** In the order in which they were sent; of an entry that was sent twice, each. */
    response: z.array(
      z.object({
        /** As it was sent. */
        ip: z.string(),
        outcome: z.enum(['deleted', 'not listed', 'not an address']),
        /** Of one that is not listed: the narrowest listed network that holds it, and keeps it out all the same. */
        within: z.string().optional(),
      }),
    ),
  }),
}
