import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import {
  criteriaOf,
  doneSchema,
  idSchema,
  idTextSchema,
  line,
  listRequest,
  pagedList,
  required,
} from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { missing } from '../missing.ts'

/** An address, or a network such as `192.0.2.0/24`. The longest notation has about 50 characters. */
const ipTextSchema = required(100)

/** Maximum entries per call. */
export const MAX_IPS_DELETED = 1_000

const blackListIpSchema = z.object({
  id: idSchema,
  /** In canonical form: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. */
  ip: z.string(),
  addedAt: z.iso.datetime(),
})
export type BlackListIp = z.infer<typeof blackListIpSchema>

const blackListIpSearchSchema = listRequest(sortFields.blackListIp, {
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
    summary: 'Search the black-listed addresses and networks',
    ability: 'ip-blacklist.manage',
    action: 'SEARCH',
    body: blackListIpSearchSchema,
    response: pagedList(blackListIpSchema),
  }),
  addBlackListIp: endpoint({
    method: 'PUT',
    path: '/api/black-list-ip',
    summary: 'Add an address or network to the black list. Idempotent.',
    ability: 'ip-blacklist.manage',
    action: 'CREATE',
    body: z.strictObject({ ip: ipTextSchema }),
    response: z.object({
      /** In canonical form. */
      ip: z.string(),
      outcome: z.enum(['added', 'already there']),
    }),
  }),
  deleteBlackListIp: endpoint({
    method: 'DELETE',
    path: '/api/black-list-ip/:id',
    summary: 'Delete an entry from the black list',
    ability: 'ip-blacklist.manage',
    action: 'DELETE',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
  deleteBlackListIpsByValue: endpoint({
    method: 'POST',
    path: '/api/black-list-ip/delete-by-value',
    summary: 'Delete addresses and networks from the black list, and report the outcome for each',
    ability: 'ip-blacklist.manage',
    action: 'DELETE',
    body: z.strictObject({
      ips: z
        .array(ipTextSchema)
        .min(1, missing)
        .max(MAX_IPS_DELETED, `must have at most ${MAX_IPS_DELETED} entries`),
    }),
    /** One result per entry sent, in order. Duplicates get one each. */
    response: z.array(
      z.object({
        /** As sent. */
        ip: z.string(),
        outcome: z.enum(['deleted', 'not listed', 'not an address']),
        /** If not listed itself: the narrowest listed network that contains it and still blocks it. */
        within: z.string().optional(),
      }),
    ),
  }),
}
