import { isDestination } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { lppSchema, rateSchema } from './amounts.ts'
import { endpoint } from './endpoint.ts'
import { activeOrStatus, changesOf, onOffSchema, statusAgrees } from './forms.ts'
import {
  doneSchema,
  idSchema,
  idTextSchema,
  line,
  required,
  sortAscSchema,
  versionSchema,
} from './list.ts'
import { typeSortFields, staffTypeSortFields } from './list-choices.ts'

/** As selects need it. What it pays and where it leads is there for staff alone; amounts in pesos and dollars. */
export const linkTypeItemSchema = z.object({
  id: idSchema,
  siteId: idSchema,
  typename: z.string(),
  typealias: z.string(),
  bonus: z.boolean(),
  active: z.boolean(),
  url: z.string().optional(),
  /** The integration channel. */
  bbrCh: z.string().optional(),
  payout: z.number().optional(),
  /** Also left out for staff that may not see earnings. */
  earning: z.number().optional(),
  lpp: z.int().optional(),
  bonusPayout: z.number().optional(),
  bonusEarning: z.number().optional(),
  bonusLpp: z.int().optional(),
})
export type LinkTypeItem = z.infer<typeof linkTypeItemSchema>

/** As stored: what was entered by other rules, or never, must open in the form too. */
export const linkTypeSchema = z.object({
  id: idSchema,
  siteId: idSchema,
  typename: z.string(),
  typealias: z.string(),
  bbrCh: z.string(),
  url: z.string(),
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

const linkTypeFields = {
  typename: required(128),
  /** The merchant’s name for it in postbacks; no two of a site are the same. */
  typealias: required(128),
  bbrCh: line(64).trim().default(''),
  /** Where visitors are sent. May hold macros: see `compileDestination`. */
  url: required(2048).refine(isDestination, {
    error: 'must be a whole http or https address, without a macro in its host',
    when: ({ value }) => value !== '',
  }),
  payout: rateSchema,
  earning: rateSchema,
  lpp: lppSchema.default(1),
  bonus: onOffSchema.default(false),
  /** The bonus amounts count while `bonus` is set; without it nothing is kept of them. */
  bonusPayout: rateSchema.default(0),
  bonusEarning: rateSchema.default(0),
  bonusLpp: lppSchema.default(0),
}

const typeParams = z.object({ id: idTextSchema })

export const linkTypesEndpoints = {
  typesBySite: endpoint({
    method: 'GET',
    path: '/api/types/:siteId/by-site',
    summary: 'The link types of a site',
    ability: 'signed-in',
    action: 'none',
    params: z.object({ siteId: idTextSchema }),
    query: z.object({
      sortField: z.enum([...typeSortFields, ...staffTypeSortFields]).default('typename'),
      sortAsc: sortAscSchema,
    }),
    response: z.array(linkTypeItemSchema),
  }),
  linkType: endpoint({
    method: 'GET',
    path: '/api/types/:id',
    summary: 'One link type, for its form',
    ability: 'link-types.manage',
    action: 'VIEW',
    params: typeParams,
    response: linkTypeSchema,
  }),
  createLinkType: endpoint({
    method: 'PUT',
    path: '/api/types',
    summary: 'Adds a link type to a site',
    ability: 'link-types.manage',
    action: 'CREATE',
    body: z
      .strictObject({ siteId: idSchema, ...linkTypeFields, ...activeOrStatus })
      .refine(...statusAgrees),
    response: z.object({ id: idSchema }),
  }),
  updateLinkType: endpoint({
    method: 'POST',
    path: '/api/types/:id',
    summary:
      'Changes a link type, and leaves what is left out; new rates are those of sales to come',
    ability: 'link-types.manage',
    action: 'UPDATE',
    params: typeParams,
    body: z
      .strictObject({
        ...changesOf(linkTypeFields),
        ...activeOrStatus,
        ...linkTypeSchema.pick({ id: true, siteId: true }).partial().shape,
        version: versionSchema,
      })
      .refine(...statusAgrees),
    response: doneSchema,
  }),
  deleteLinkType: endpoint({
    method: 'DELETE',
    path: '/api/types/:id',
    summary: 'Deletes a link type; its clicks, sales and statistics stay',
    ability: 'link-types.manage',
    action: 'DELETE',
    params: typeParams,
    response: doneSchema,
  }),
}
