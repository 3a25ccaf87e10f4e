import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { changesOf } from '../forms.ts'
import {
  doneSchema,
  idSchema,
  idTextSchema,
  required,
  sortAscSchema,
  versionSchema,
} from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { requiredRichText } from '../rich-text.ts'

/** Fields of the form, for create and update. */
const manualFields = {
  title: required(128),
  html: requiredRichText,
}

/** What the form has. */
export type ManualField = keyof typeof manualFields

const manualItemSchema = z.object({
  id: idSchema,
  siteId: idSchema,
  sitename: z.string(),
  title: z.string(),
})
export type ManualItem = z.infer<typeof manualItemSchema>

const manualSchema = manualItemSchema.extend({
  html: z.string(),
  version: z.int(),
})
export type Manual = z.infer<typeof manualSchema>

/** How-to-sell manuals, at most one per site. */
export const siteManualsEndpoints = {
  siteManuals: endpoint({
    method: 'GET',
    path: '/api/site-manuals',
    summary: 'List the manuals of the sites that the caller may sell, or of all sites for editors',
    ability: 'manuals.read',
    action: 'VIEW',
    refuses: [404],
    query: z.object({
      sortField: z.enum(sortFields.siteManuals).default('sitename'),
      sortAsc: sortAscSchema,
    }),
    response: z.array(manualItemSchema),
  }),
  availableSites: endpoint({
    method: 'GET',
    path: '/api/site-manuals/available-sites',
    summary: 'List the sites that have no manual yet',
    ability: 'manuals.manage',
    action: 'none',
    refuses: [404],
    response: z.array(z.object({ id: idSchema, sitename: z.string(), active: z.boolean() })),
  }),
  siteManual: endpoint({
    method: 'GET',
    path: '/api/site-manuals/:id',
    summary: 'Get a manual',
    ability: 'manuals.read',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: manualSchema,
  }),
  createSiteManual: endpoint({
    method: 'PUT',
    path: '/api/site-manuals',
    summary: 'Create the manual of a site',
    ability: 'manuals.manage',
    action: 'CREATE',
    refuses: [404],
    body: z.strictObject({ siteId: idSchema, ...manualFields }),
    response: z.object({ id: idSchema }),
  }),
  updateSiteManual: endpoint({
    method: 'POST',
    path: '/api/site-manuals/:id',
    summary: 'Update a manual. Its site cannot be changed.',
    ability: 'manuals.manage',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    body: z.strictObject({
      ...changesOf(manualFields),
      ...manualItemSchema.pick({ id: true, siteId: true, sitename: true }).partial().shape,
      version: versionSchema,
    }),
    response: doneSchema,
  }),
  deleteSiteManual: endpoint({
    method: 'DELETE',
    path: '/api/site-manuals/:id',
    summary: 'Delete a manual',
    ability: 'manuals.manage',
    action: 'DELETE',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
}
