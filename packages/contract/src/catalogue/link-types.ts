import { placeholderProblem } from '@tallyroom/domain/placeholders'
import { isDestination } from '@tallyroom/domain/destination'
import { z } from 'zod'
import { lppSchema, rateSchema } from '../amounts.ts'
import { endpoint } from '../endpoint.ts'
import { activeOrStatus, changesOf, onOffSchema, statusAgrees } from '../forms.ts'
import {
  doneSchema,
  idSchema,
  idTextSchema,
  line,
  required,
  sortAscSchema,
  versionSchema,
} from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { reportDaySchema } from '../periods.ts'

/** As stored, unvalidated: the form must also open rows that predate today’s rules. */
const linkTypeSchema = z.object({
  id: idSchema,
  siteId: idSchema,
  typename: z.string(),
  typealias: z.string(),
  /** The integration channel. */
  bbrCh: z.string(),
  url: z.string(),
  forwardParams: z.boolean(),
  payout: z.number(),
  earning: z.number(),
  lpp: z.int(),
  bonus: z.boolean(),
  bonusPayout: z.number(),
  bonusEarning: z.number(),
  bonusLpp: z.int(),
  active: z.boolean(),
  version: z.int(),
})
export type LinkType = z.infer<typeof linkTypeSchema>

/** A list item. Rates (pesos and dollars) and the URL are for staff only, earnings only for those who may see them. */
const linkTypeItemSchema = linkTypeSchema.omit({ version: true }).partial({
  url: true,
  forwardParams: true,
  bbrCh: true,
  payout: true,
  earning: true,
  lpp: true,
  bonusPayout: true,
  bonusEarning: true,
  bonusLpp: true,
})
export type LinkTypeItem = z.infer<typeof linkTypeItemSchema>

const linkTypeFields = {
  typename: required(128),
  /** The merchant’s name for the link type in postbacks. Unique within a site. */
  typealias: required(128).refine((alias) => placeholderProblem(alias) === undefined, {
    error: ({ input }) => `${placeholderProblem(String(input))}, and postbacks could not name it`,
    when: ({ value }) => typeof value === 'string' && value !== '',
  }),
  bbrCh: line(64).trim().default(''),
  /** The destination of visitors. May contain macros: see `compileDestination`. */
  url: required(2048).refine(isDestination, {
    error: 'must be a complete http or https address without a macro in its host',
    when: ({ value }) => Boolean(value),
  }),
  /** Adds what a visitor’s URL carries besides sub ids, such as `utm_source` or `gclid`, to the query of `url`. */
  forwardParams: onOffSchema.default(true),
  payout: rateSchema,
  earning: rateSchema,
  lpp: lppSchema.default(1),
  bonus: onOffSchema.default(false),
  /** Bonus amounts are stored only if `bonus` is set. */
  bonusPayout: rateSchema.default(0),
  bonusEarning: rateSchema.default(0),
  bonusLpp: lppSchema.default(0),
}

/** What the form has. */
export type LinkTypeField = keyof typeof linkTypeFields | 'active' | 'validFrom'

const typeParams = z.object({ id: idTextSchema })

export const linkTypesEndpoints = {
  typesBySite: endpoint({
    method: 'GET',
    path: '/api/types/:siteId/by-site',
    summary: 'List the link types of a site',
    ability: 'signed-in',
    byToken: 'any',
    action: 'none',
    params: z.object({ siteId: idTextSchema }),
    query: z.object({
      sortField: z
        .enum([...sortFields.linkTypes, ...sortFields.linkTypesStaff])
        .default('typename'),
      sortAsc: sortAscSchema,
    }),
    response: z.array(linkTypeItemSchema),
  }),
  linkType: endpoint({
    method: 'GET',
    path: '/api/types/:id',
    summary: 'Get a link type',
    ability: 'link-types.manage',
    byToken: 'sites',
    action: 'VIEW',
    params: typeParams,
    response: linkTypeSchema,
  }),
  createLinkType: endpoint({
    method: 'PUT',
    path: '/api/types',
    summary: 'Create a link type for a site',
    ability: 'link-types.manage',
    proof: 'recent',
    action: 'CREATE',
    refuses: [404],
    body: z
      .strictObject({ siteId: idSchema, ...linkTypeFields, ...activeOrStatus })
      .refine(...statusAgrees),
    response: z.object({ id: idSchema }),
  }),
  updateLinkType: endpoint({
    method: 'POST',
    path: '/api/types/:id',
    summary:
      'Update a link type. Omitted fields are left unchanged. New rates apply to sales from now on, or from a future New York midnight on.',
    ability: 'link-types.manage',
    decides: 'linkType',
    action: 'UPDATE',
    params: typeParams,
    body: z
      .strictObject({
        ...changesOf(linkTypeFields),
        ...activeOrStatus,
        ...linkTypeSchema.pick({ id: true, siteId: true }).partial().shape,
        /**
         * The New York day, after today, from which the rates apply. Omitted rates are then those
         * in force on that day. Everything else applies at once, so Bonus cannot be switched off.
         * If omitted, everything applies at once.
         */
        validFrom: reportDaySchema.optional(),
        version: versionSchema,
      })
      .refine(...statusAgrees),
    response: doneSchema,
  }),
  deleteLinkType: endpoint({
    method: 'DELETE',
    path: '/api/types/:id',
    summary: 'Delete a link type. Its clicks, sales and statistics are kept.',
    ability: 'link-types.manage',
    action: 'DELETE',
    proof: 'recent',
    params: typeParams,
    response: doneSchema,
  }),
}
