import { LONGEST_PAGE } from '@tallyroom/domain/merchant-page'
import { readShortName, SHORT_NAME_LENGTH } from '@tallyroom/domain/short-link'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../list-choices.ts'
import {
  doneSchema,
  idSchema,
  idTextSchema,
  line,
  orStandard,
  pagedList,
  textFilter,
} from '../list.ts'
import { missing } from '../missing.ts'
import { storedSubs, subIdSchema } from '../sub-ids.ts'

/** How many names the short links of an agent can have had. */
export const MOST_SHORT_NAMES = 1_000

const { least, most } = SHORT_NAME_LENGTH

const nameSchema = line(200)
  .trim()
  .min(1, missing)
  .refine(
    (typed) => typed === '' || readShortName(typed) !== undefined,
    `must have ${least} to ${most} letters a–z, digits and hyphens, without a hyphen at either end`,
  )
  .transform((typed) => readShortName(typed) ?? typed)

const subSchema = subIdSchema.trim().optional()

/** What a short link carries. */
const carriedFields = {
  sub1: subSchema,
  sub2: subSchema,
  sub3: subSchema,
  sub4: subSchema,
  sub5: subSchema,
  /** A page of the merchant: a path, or a complete address on one of the link’s hosts. */
  to: line(LONGEST_PAGE).trim().optional(),
}

const shortLinkSchema = z.object({
  id: idSchema,
  /** The last part of its address. */
  name: z.string(),
  /** Its address, on the host of the agent’s new links. It leads on every host of links. */
  link: z.string(),
  /** Earlier names, which lead as well. */
  formerNames: z.array(z.string()),
  agentId: idSchema,
  siteId: idSchema,
  sitename: z.string(),
  typeId: idSchema,
  typename: z.string(),
  ...storedSubs,
  to: z.string().optional(),
  madeAt: z.iso.datetime(),
})
export type ShortLink = z.infer<typeof shortLinkSchema>

/** What the form of a name has. */
export type ShortLinkField = 'name'

export const shortLinksEndpoints = {
  shortLinks: endpoint({
    method: 'POST',
    path: '/api/links/short/list',
    summary: 'List an agent’s short links, newest first',
    ability: 'links.generate',
    byToken: 'any',
    action: 'VIEW',
    refuses: [404],
    body: z.strictObject({
      /** Optional for agents, who get their own. */
      agentId: idSchema.nullish(),
      typeId: idSchema.nullish(),
      /** One of its names, as it is read: `0` is `o`, `1` and `i` are `l`. */
      name: textFilter(200),
      /** Those that carry exactly this. */
      carries: z.strictObject(carriedFields).nullish(),
      page: orStandard(z.int().min(1).max(1_000_000), 1),
      pageSize: orStandard(z.int().min(1).max(MAX_PAGE_SIZE), DEFAULT_PAGE_SIZE),
    }),
    response: pagedList(shortLinkSchema),
  }),
  namedShortLink: endpoint({
    method: 'GET',
    path: '/api/links/short/named/:name',
    summary: 'Find the short link of a name, also a former name or that of a deleted link',
    ability: 'links.translate',
    action: 'none',
    refuses: [404],
    params: z.object({ name: line(SHORT_NAME_LENGTH.most) }),
    response: shortLinkSchema
      .pick({
        id: true,
        name: true,
        agentId: true,
        siteId: true,
        typeId: true,
        typename: true,
        to: true,
      })
      .extend({ ...storedSubs, deletedAt: z.iso.datetime().nullable() }),
  }),
  createShortLink: endpoint({
    method: 'POST',
    path: '/api/links/short',
    summary: 'Make a short link of an agent’s link, with sub ids and a page',
    ability: 'links.generate',
    byToken: 'links',
    action: 'CREATE',
    refuses: [404],
    body: z.strictObject({
      agentId: idSchema.nullish(),
      typeId: idSchema,
      /** Seven letters are made up without it. */
      name: nameSchema.nullish(),
      ...carriedFields,
    }),
    response: z.object({ id: idSchema, name: z.string(), link: z.string() }),
  }),
  renameShortLink: endpoint({
    method: 'POST',
    path: '/api/links/short/:id',
    summary: 'Rename a short link. Its former names lead on.',
    ability: 'links.generate',
    byToken: 'links',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    body: z.strictObject({ name: nameSchema }),
    response: z.object({ name: z.string(), link: z.string() }),
  }),
  deleteShortLink: endpoint({
    method: 'DELETE',
    path: '/api/links/short/:id',
    summary: 'Delete a short link. Its names stay taken.',
    ability: 'links.generate',
    byToken: 'links',
    action: 'DELETE',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
}
