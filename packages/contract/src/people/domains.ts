import { parseWebAddress, toOrigin } from '@tallyroom/domain/web-origin'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { changesOf, onOffSchema } from '../forms.ts'
import {
  doneSchema,
  idSchema,
  idTextSchema,
  line,
  sortAscSchema,
  text,
  versionSchema,
} from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { missing } from '../missing.ts'

const domainSchema = z.object({
  id: idSchema,
  /** An origin: `https://go.example.com`. */
  domain: z.string(),
  description: z.string(),
  hidden: z.boolean(),
})

const preferredDomainItemSchema = domainSchema.extend({
  /** Names of the offices that prefer this domain. */
  companies: z.array(z.string()),
})
export type PreferredDomainItem = z.infer<typeof preferredDomainItemSchema>

const preferredDomainSchema = domainSchema.extend({
  /** Where its root redirects to; empty for the brand's page. */
  rootUrl: z.string(),
  version: z.int(),
})
export type PreferredDomain = z.infer<typeof preferredDomainSchema>

const order = z.object({
  sortField: z.enum(sortFields.domains).default('domain'),
  sortAsc: sortAscSchema,
})

const domainFields = {
  /** Stored as an origin: lower case, without default port or trailing slash. */
  domain: line(260)
    .trim()
    .min(1, missing)
    .refine(
      (typed) => toOrigin(typed) !== undefined,
      'must be a web address without a path, such as https://go.example.com',
    )
    .transform((typed) => toOrigin(typed) ?? typed),
  description: text(1000).trim().default(''),
  hidden: onOffSchema.default(false),
  /** Where visitors go who open the domain without a link. Empty: a small page of the brand. */
  rootUrl: line(2000)
    .trim()
    .refine(
      (typed) => typed === '' || isWebAddress(typed),
      'must be a complete web address, such as https://www.example.com/offers',
    )
    .default(''),
}

/** What the form has. */
export type DomainField = keyof typeof domainFields

function isWebAddress(typed: string): boolean {
  const url = parseWebAddress(typed)
  return url !== undefined && toOrigin(url.origin) !== undefined && url.username === ''
}

export const preferredDomainsEndpoints = {
  preferredDomainsList: endpoint({
    method: 'GET',
    path: '/api/preferredDomains/list',
    summary: 'List the active domains for the office form. A new office gets the first one.',
    ability: 'domains.choose',
    action: 'none',
    response: z.array(z.object({ id: idSchema, domain: z.string() })),
  }),
  preferredDomains: endpoint({
    method: 'GET',
    path: '/api/preferredDomains',
    summary: 'List all domains, including hidden ones',
    ability: 'domains.manage',
    action: 'VIEW',
    query: order,
    response: z.array(domainSchema),
  }),
  preferredDomainsWithCompanies: endpoint({
    method: 'GET',
    path: '/api/preferredDomains/listWithCompanies',
    summary: 'List all domains with the names of the offices that prefer them',
    ability: 'domains.manage',
    action: 'VIEW',
    query: order,
    response: z.array(preferredDomainItemSchema),
  }),
  preferredDomainsWithCompanyName: endpoint({
    method: 'GET',
    path: '/api/preferredDomains/listWithCompanyName',
    summary: 'List all domains with the office names joined into one text',
    ability: 'domains.manage',
    action: 'VIEW',
    query: order,
    response: z.array(domainSchema.extend({ companyName: z.string() })),
  }),
  preferredDomain: endpoint({
    method: 'GET',
    path: '/api/preferredDomains/:id',
    summary: 'Get a domain',
    ability: 'domains.manage',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: preferredDomainSchema,
  }),
  createPreferredDomain: endpoint({
    method: 'PUT',
    path: '/api/preferredDomains',
    summary: 'Create a domain',
    ability: 'domains.manage',
    action: 'CREATE',
    // The links of an office lead by it.
    proof: 'recent',
    body: z.strictObject(domainFields),
    response: z.object({ id: idSchema }),
  }),
  updatePreferredDomain: endpoint({
    method: 'POST',
    path: '/api/preferredDomains/:id',
    summary: 'Update a domain. The last active domain cannot be hidden.',
    ability: 'domains.manage',
    action: 'UPDATE',
    proof: 'recent',
    params: z.object({ id: idTextSchema }),
    body: z.strictObject({
      ...changesOf(domainFields),
      ...preferredDomainSchema.pick({ id: true }).partial().shape,
      version: versionSchema,
    }),
    response: doneSchema,
  }),
  preferredDomainsStatus: endpoint({
    method: 'POST',
    path: '/api/preferredDomains/hidden',
    summary: 'Activate or hide domains. The last active domain cannot be hidden.',
    ability: 'domains.manage',
    action: 'STATUS',
    proof: 'recent',
    refuses: [404],
    body: z.strictObject({ ids: z.array(idSchema).min(1).max(1000), hidden: onOffSchema }),
    response: doneSchema,
  }),
}

export const NEED_ACTIVE_DOMAIN = 'Need at least one active domain'
