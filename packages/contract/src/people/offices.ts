import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { changesOf, onOffSchema } from '../forms.ts'
import {
  criteriaOf,
  doneSchema,
  idSchema,
  idTextSchema,
  keptOrRequired,
  line,
  listRequest,
  optionalEmailSchema,
  orStandard,
  pagedList,
  required,
  text,
  versionSchema,
} from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { invitedFields } from './invitations.ts'
import {
  firstPassword,
  officeUsernameSchema,
  replacedPassword,
  revealedPasswordSchema,
  shownPassword,
} from './passwords.ts'
import { sellerDaysSchema, sellerFiguresSchema } from './sellers.ts'
import { siteListSchema } from './site-list.ts'

/** Which agents a select offers. Hidden agents are never offered. */
const agentsQuerySchema = z.enum(['all', 'onlyAvailable', 'onlyAvailablePlusSuspended'])

const officeItemSchema = z.object({
  companyId: idSchema,
  officeName: z.string(),
  agentsCount: z.int(),
  sitesCount: z.int(),
  username: z.string(),
  ...shownPassword,
  ...invitedFields,
  preferredDomain: z.string().nullable(),
  active: z.boolean(),
  hidden: z.boolean(),
  regTime: z.iso.datetime(),
  /** Only if the search asks for figures. */
  figures: sellerFiguresSchema.optional(),
})
export type OfficeItem = z.infer<typeof officeItemSchema>

export const officesSearchSchema = listRequest(sortFields.offices, {
  sortField: 'match',
  sortAsc: true,
})
  .extend({
    /** Adds what each sold of late. A search that sorts by such a figure has them, too. */
    figures: orStandard(onOffSchema, false),
    criteria: criteriaOf({
      /** Searches office name, username, and the manager’s name and email. Sort by `match` for best matches first. */
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
  /** Must-read notes for all of the office’s agents. */
  agentNotes: text(10_000).default(''),
}

/** What an office may change about itself. Omitted fields are left unchanged. */
export const officeNameChanges = {
  ...changesOf(officeNameFields),
  manFirstName: keptOrRequired(64).optional(),
  manLastName: keptOrRequired(64).optional(),
}

const officeFields = {
  ...officeNameFields,
  /** Receives password reset links. If empty, none are sent. */
  manEmail: optionalEmailSchema.default(''),
  preferredDomainId: idSchema.nullable().default(null),
  /** The sites that the office may sell. Hidden sites are left out and keep their state. */
  siteIds: z.array(idSchema).max(10_000),
  active: onOffSchema,
  hidden: onOffSchema,
}

/** What the form has. */
export type OfficeField = keyof typeof officeFields | 'username'

/** As stored, unvalidated: the form must also open rows that predate today’s rules. */
const officeSchema = z.object({
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
    summary: 'List offices by name, for a select',
    ability: 'signed-in',
    byToken: 'any',
    action: 'none',
    query: z.object({
      /** `true` leaves out suspended offices. Hidden ones are always left out. */
      onlyAvailable: z.enum(['true', 'false']).default('false'),
    }),
    response: z.array(z.object({ id: idSchema, officeName: z.string(), active: z.boolean() })),
  }),
  companyAgents: endpoint({
    method: 'GET',
    path: '/api/companies/agents',
    summary: 'List the agents of one office, or of all, for a select',
    ability: 'signed-in',
    byToken: 'any',
    action: 'none',
    refuses: [404],
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
    summary: 'Search offices by name, username and email, best match first',
    ability: 'offices.view',
    byToken: 'people',
    action: 'SEARCH',
    body: officesSearchSchema,
    response: pagedList(officeItemSchema).extend({
      /** The days of `figures`. */
      figuresOf: sellerDaysSchema.optional(),
    }),
  }),
  office: endpoint({
    method: 'GET',
    path: '/api/offices/:id',
    summary: 'Get an office',
    ability: 'offices.edit',
    byToken: 'people',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: officeSchema,
  }),
  officePassword: endpoint({
    method: 'POST',
    path: '/api/offices/:id/password',
    summary:
      'Reveal an office’s password if it is stored in readable form. The common logs record each request.',
    ability: 'offices.view',
    proof: 'recent',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: revealedPasswordSchema,
  }),
  officeSites: endpoint({
    method: 'GET',
    path: '/api/sites/:id/by-company',
    summary: 'List the sites that an office may sell. `id` is the office’s.',
    ability: 'offices.view',
    byToken: 'people',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    ...siteListSchema,
  }),
  createOffice: endpoint({
    method: 'PUT',
    path: '/api/offices',
    summary: 'Create an office and its account. It gets a password, or is invited to choose one.',
    ability: 'offices.create',
    proof: 'recent',
    action: 'CREATE',
    body: firstPassword(
      {
        ...officeFields,
        username: officeUsernameSchema,
        /** Defaults to all sites. */
        siteIds: officeFields.siteIds.optional(),
        /** Defaults to the first active domain. */
        preferredDomainId: idSchema.nullish(),
        active: onOffSchema.default(true),
        hidden: onOffSchema.default(false),
      },
      'manEmail',
    ),
    response: z.object({ id: idSchema }),
  }),
  updateOffice: endpoint({
    method: 'POST',
    path: '/api/offices/:id',
    summary: 'Update an office. Omitted fields and an empty password are left unchanged.',
    ability: 'offices.edit',
    byToken: 'people',
    proof: 'for-credentials',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    body: replacedPassword({
      ...changesOf(officeFields),
      ...officeNameChanges,
      ...officeSchema.pick({ companyId: true }).partial().shape,
      /** The specification's other name of `companyId`. */
      id: idSchema.optional(),
      /** Only a superadmin may change it. A new username ends the office’s sessions. */
      username: z.string().max(1000).optional(),
      version: versionSchema,
    }),
    response: doneSchema,
  }),
  endOfficeSessions: endpoint({
    method: 'DELETE',
    path: '/api/offices/:id/sessions',
    summary: 'End all sessions of an office, in every browser. API tokens stay.',
    ability: 'offices.edit',
    proof: 'recent',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
  officesStatus: endpoint({
    method: 'POST',
    path: '/api/offices/status',
    summary: 'Activate, suspend, show or hide offices and all of their agents',
    ability: 'offices.edit',
    byToken: 'people',
    action: 'STATUS',
    refuses: [404],
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
