import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { changesOf, onOffSchema } from './forms.ts'
import {
  criteriaOf,
  doneSchema,
  idSchema,
  idTextSchema,
  keptOrRequired,
  line,
  listRequest,
  optionalEmailSchema,
  pagedList,
  required,
  text,
  versionSchema,
} from './list.ts'
import {
  newPassword,
  officeUsernameSchema,
  replacedPassword,
  revealedPasswordSchema,
  shownPassword,
} from './passwords.ts'
import { siteListSchema } from './site-list.ts'

/** Which agents a select offers: hidden ones never, suspended ones only where asked for. */
export const agentsQuerySchema = z.enum(['all', 'onlyAvailable', 'onlyAvailablePlusSuspended'])

export const officeItemSchema = z.object({
  companyId: idSchema,
  officeName: z.string(),
  agentsCount: z.int(),
  sitesCount: z.int(),
  username: z.string(),
  ...shownPassword,
  preferredDomain: z.string().nullable(),
  active: z.boolean(),
  hidden: z.boolean(),
  regTime: z.iso.datetime(),
})
export type OfficeItem = z.infer<typeof officeItemSchema>

export const officesSearchSchema = listRequest(
  [
    'match',
    'officeName',
    'agentsCount',
    'sitesCount',
    'username',
    'preferredDomain',
    'status',
    'regTime',
  ],
  { sortField: 'match', sortAsc: true },
)
  .extend({
    criteria: criteriaOf({
      /** In the office’s name, username, or its manager’s name or e-mail. By `match` the best come first. */
      text: { operators: ['LIKE'], value: line(100) },
      username: { operators: ['LIKE', '='], value: line(100) },
      officeName: { operators: ['LIKE', '='], value: line(100) },
    }),
  })
  .strict()
export type OfficesSearch = z.output<typeof officesSearchSchema>

export const officeNameSchema = required(100)

const officeNameFields = {
  officeName: officeNameSchema,
  manFirstName: required(64),
  manLastName: required(64),
  /** What all of its agents must read. */
  agentNotes: text(10_000).default(''),
}

/** What an office and its manager may change themselves; what is left out stays as it was. */
export const officeNameChanges = {
  ...changesOf(officeNameFields),
  manFirstName: keptOrRequired(64).optional(),
  manLastName: keptOrRequired(64).optional(),
}

const officeFields = {
  ...officeNameFields,
  /** Where the link of a forgotten password goes; empty: nowhere. */
  manEmail: optionalEmailSchema.default(''),
  preferredDomainId: idSchema.nullable().default(null),
  /** The sites that it may sell. Hidden sites are not spoken of: they stay as they are. */
  siteIds: z.array(idSchema).max(10_000),
  active: onOffSchema,
  hidden: onOffSchema,
}

/** As stored: what was entered by other rules, or never, must open in the form too. */
export const officeSchema = z.object({
  companyId: idSchema,
  officeName: z.string(),
  manFirstName: z.string(),
  manLastName: z.string(),
  manEmail: z.string(),
  agentNotes: z.string(),
  preferredDomainId: idSchema.nullable(),
  siteIds: z.array(idSchema),
  active: z.boolean(),
  hidden: z.boolean(),
  username: z.string(),
  version: z.int(),
})
export type Office = z.infer<typeof officeSchema>

const officeIds = z.array(idSchema).min(1).max(1000)

export const officesEndpoints = {
  companies: endpoint({
    method: 'GET',
    path: '/api/companies',
    summary: 'The offices that a select offers, by name',
    ability: 'signed-in',
    action: 'none',
    query: z.object({
      /** `true` leaves out suspended offices. Hidden ones are never offered. */
      onlyAvailable: z.enum(['true', 'false']).default('false'),
    }),
    response: z.array(z.object({ id: idSchema, officeName: z.string(), active: z.boolean() })),
  }),
  companyAgents: endpoint({
    method: 'GET',
    path: '/api/companies/agents',
    summary: 'The agents of an office (or of all) that a select offers, by username',
    ability: 'signed-in',
    action: 'none',
    query: z.object({
      companyId: idTextSchema.optional(),
      agentsQuery: agentsQuerySchema.default('onlyAvailable'),
    }),
    response: z.array(
      z.object({
        id: idSchema,
        username: z.string(),
        companyId: idSchema,
        active: z.boolean(),
      }),
    ),
  }),
  searchOffices: endpoint({
    method: 'POST',
    path: '/api/offices/search',
    summary: 'Offices, searched by name, username and e-mail; the best match first',
    ability: 'offices.view',
    action: 'SEARCH',
    body: officesSearchSchema,
    response: pagedList(officeItemSchema),
  }),
  office: endpoint({
    method: 'GET',
    path: '/api/offices/:id',
    summary: 'One office, for its form',
    ability: 'offices.edit',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: officeSchema,
  }),
  officePassword: endpoint({
    method: 'POST',
    path: '/api/offices/:id/password',
    summary:
      'The password of an office, where it is kept in readable form; the common logs hold who asked for whose',
    ability: 'offices.view',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: revealedPasswordSchema,
  }),
  officeSites: endpoint({
    method: 'GET',
    path: '/api/sites/:id/by-company',
    summary: 'The sites that an office may sell; the id is the office’s',
    ability: 'offices.view',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    ...siteListSchema,
  }),
  createOffice: endpoint({
    method: 'PUT',
    path: '/api/offices',
    summary: 'Adds an office with its account',
    ability: 'offices.create',
    action: 'CREATE',
    body: newPassword({
      ...officeFields,
      username: officeUsernameSchema,
      /** Left out: every site. */
      siteIds: officeFields.siteIds.optional(),
      /** Left out: the first active domain. */
      preferredDomainId: idSchema.nullish(),
      active: onOffSchema.default(true),
      hidden: onOffSchema.default(false),
    }),
    response: z.object({ id: idSchema }),
  }),
  updateOffice: endpoint({
    method: 'POST',
    path: '/api/offices/:id',
    summary: 'Changes an office; what is left out, and an empty password, stays as it is',
    ability: 'offices.edit',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    body: replacedPassword({
      ...changesOf(officeFields),
      ...officeNameChanges,
      ...officeSchema.pick({ companyId: true }).partial().shape,
      /** Another one, which only a superadmin gives, ends the office’s sessions. */
      username: z.string().max(1000).optional(),
      version: versionSchema,
    }),
    response: doneSchema,
  }),
  officesStatus: endpoint({
    method: 'POST',
    path: '/api/offices/status',
    summary: 'Activates, suspends, shows or hides offices and all of their agents',
    ability: 'offices.edit',
    action: 'STATUS',
    body: z.union(
      [
        z.strictObject({ ids: officeIds, active: onOffSchema }),
        z.strictObject({ ids: officeIds, hidden: onOffSchema }),
      ],
      { error: 'must have ids, and either active or hidden' },
    ),
    response: doneSchema,
  }),
}
