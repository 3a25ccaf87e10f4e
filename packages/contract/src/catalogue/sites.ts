import { isCouponPattern } from '@tallyroom/domain/coupons'
import { toHost } from '@tallyroom/domain/merchant-page'
import { EVENT_MEANINGS, POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { partRules, WORD_READINGS } from '@tallyroom/domain/holds'
import { STANDINGS, statusKey } from '@tallyroom/domain/standings'
import { isTrackerId } from '@tallyroom/domain/tracker-ids'
import { SITE_CATEGORIES } from '@tallyroom/domain/labels'
import { parameterKey } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { activeOrStatus, changesOf, onOffSchema, statusAgrees } from '../forms.ts'
import {
  criteriaOf,
  doneSchema,
  idSchema,
  idTextSchema,
  line,
  listRequest,
  pagedList,
  required,
  text,
  versionSchema,
} from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { missing } from '../missing.ts'

const siteItemSchema = z.object({
  id: idSchema,
  sitename: z.string(),
  shortname: z.string(),
  abbr: z.string(),
  url: z.string(),
  type: z.enum(SITE_CATEGORIES),
  useApproveSale: z.boolean(),
  active: z.boolean(),
  hidden: z.boolean(),
  /** Number of link types. */
  typeCount: z.int(),
})
export type SiteItem = z.infer<typeof siteItemSchema>

const sitesSearchSchema = listRequest(sortFields.sites, {
  sortField: 'sitename',
  sortAsc: true,
})
  .extend({
    criteria: criteriaOf({
      sitename: { operators: ['LIKE', '='], value: line(128) },
      type: { operators: ['='], value: z.enum(SITE_CATEGORIES) },
      active: { operators: ['='], value: onOffSchema },
    }),
  })
  .strict()
export type SitesSearch = z.output<typeof sitesSearchSchema>

const typed = (maxLength: number) => line(maxLength).trim()

/** A merchant’s own word for an event in its postbacks, case-insensitive. With `nothing` it is ignored. */
const eventWordSchema = z.strictObject({
  word: line(64).trim().toLowerCase().min(1, missing),
  event: z.enum(EVENT_MEANINGS),
})
export type EventWord = z.infer<typeof eventWordSchema>

const eventWordsSchema = z
  .array(eventWordSchema)
  .max(50, 'must have at most 50 entries')
  .refine(
    (words) => new Set(words.map(({ word }) => word)).size === words.length,
    'must not contain the same name twice',
  )

/** A merchant’s own word for whether an event counts, case-insensitive. */
const statusWordSchema = z.strictObject({
  word: line(64).trim().toLowerCase().min(1, missing),
  standing: z.enum(STANDINGS),
})
export type StatusWord = z.infer<typeof statusWordSchema>

const statusWordsSchema = z
  .array(statusWordSchema)
  .max(50, 'must have at most 50 entries')
  .refine(
    (words) => new Set(words.map(({ word }) => statusKey(word))).size === words.length,
    'must not contain the same word twice',
  )

const deepHostsSchema = z
  .array(
    line(260)
      .trim()
      .transform((host) => toHost(host) ?? host),
  )
  .max(20, 'must have at most 20 entries')
  .refine(
    (hosts) => hosts.every((host) => toHost(host) !== undefined),
    'must be hosts without a path, such as shop.example.com',
  )
  .refine((hosts) => new Set(hosts).size === hosts.length, 'must not contain the same host twice')
/** What staff decided that a new word means. */
export const decidedWordSchema = z.strictObject({
  /** The parameter’s name as it was sent; its spelling does not matter. */
  parameter: line(60).trim().min(1, missing),
  /** What it said, case-insensitive. */
  value: line(64).trim().toLowerCase().min(1, missing),
  /** What happened, if the word is left out: the same word may mean another thing beside another event. */
  event: z.enum(POSTBACK_EVENTS),
  reading: z.enum(WORD_READINGS, missing),
})
export type DecidedWord = z.infer<typeof decidedWordSchema>

/** Decided words of a site. */
export const MOST_DECIDED_WORDS = 200

const wordReadingsSchema = z
  .array(decidedWordSchema)
  .max(MOST_DECIDED_WORDS, `must have at most ${MOST_DECIDED_WORDS} entries`)
  .refine(
    (words) => new Set(words.map(decidedWordKey)).size === words.length,
    'must not contain the same word twice',
  )

/** Equal for a word that is decided twice. */
export const decidedWordKey = (word: Pick<DecidedWord, 'parameter' | 'value' | 'event'>): string =>
  [word.event, parameterKey(word.parameter), word.value].join('\n')

const siteFields = {
  sitename: required(128),
  shortname: required(16),
  abbr: required(10),
  url: required(128),
  /** The merchant’s parameter name for the click id. Empty means `click_id`. */
  clickParam: typed(16)
    .refine(
      (name) => parameterKey(name) !== 'key',
      'must not be "key": postbacks use that name for the secret key',
    )
    .default(''),
  contactName: typed(64).default(''),
  phoneNum: typed(64).default(''),
  email: typed(64)
    .refine(
      (email) => email === '' || z.email().safeParse(email).success,
      'must be an email address',
    )
    .default(''),
  type: z.enum(SITE_CATEGORIES, missing),
  note: text(10_000).default(''),
  specialReport: onOffSchema.default(false),
  useApproveSale: onOffSchema.default(false),
  avp: onOffSchema.default(false),
  hidden: onOffSchema.default(false),
  /** Read `transaction_id` in postbacks as the click id. */
  transactionIdIsClick: onOffSchema.default(false),
  /** Fixed answer to every postback, with status 200, whatever its outcome. If empty, the answer is the outcome. */
  alwaysOkText: typed(128).default(''),
  eventWords: eventWordsSchema.default([]),
  statusWords: statusWordsSchema.default([]),
  /** What its new words were decided to mean. Without a word, it is asked about when it comes again. */
  wordReadings: wordReadingsSchema.default([]),
  /** The id of the software that sends the site's postbacks; its names are read first. Empty: none that we know. */
  tracker: typed(32)
    .refine((id) => id === '' || isTrackerId(id), 'is not a tracker that we know')
    .default(''),
  /** Orders hold several products: a second link type under the same order number is counted, too. */
  severalProducts: onOffSchema.default(false),
  /** Sales count for this many days after the click. Later ones are held. 0: for ever. */
  countsForDays: z.int().min(0).max(3650).default(0),
  /**
   * What a reversal does whose amount is smaller than the sale’s: `ask` holds it, `whole` takes back the sale,
   * `in-proportion` the same part of what the sale pays.
   */
  partRule: z.enum(partRules).default('ask'),
  /** Hosts besides that of a link type’s URL to whose pages links may lead. Stored in lower case, without a scheme. */
  deepHosts: deepHostsSchema.default([]),
  /** The link type that visitors are sent to once the site, or the link type of their link, is suspended. Null: none. */
  insteadTypeId: idSchema.nullable().default(null),
  /** Of an order that names a click and a coupon code of other agents, the code counts. Else the click does. */
  couponWins: onOffSchema.default(false),
  /** What codes agents may make, with a star for what they choose: `*10`. Empty: none. */
  couponPattern: typed(32)
    .refine(
      (pattern) => pattern === '' || isCouponPattern(pattern),
      'must have one * with 2 to 16 letters (A–Z), digits, dots, dashes or underscores around it, such as *10',
    )
    .default(''),
}

/** What the form has. */
export type SiteField = keyof typeof siteFields | 'active'

/** As stored, unvalidated: the form must also open rows that predate today’s rules. */
const siteSchema = z.object({
  id: idSchema,
  sitename: z.string(),
  shortname: z.string(),
  abbr: z.string(),
  url: z.string(),
  clickParam: z.string(),
  contactName: z.string(),
  phoneNum: z.string(),
  email: z.string(),
  type: z.enum(SITE_CATEGORIES),
  note: z.string(),
  specialReport: z.boolean(),
  useApproveSale: z.boolean(),
  avp: z.boolean(),
  active: z.boolean(),
  hidden: z.boolean(),
  transactionIdIsClick: z.boolean(),
  alwaysOkText: z.string(),
  eventWords: z.array(z.object({ word: z.string(), event: z.enum(EVENT_MEANINGS) })),
  statusWords: z.array(z.object({ word: z.string(), standing: z.enum(STANDINGS) })),
  wordReadings: z.array(
    z.object({
      parameter: z.string(),
      value: z.string(),
      event: z.enum(POSTBACK_EVENTS),
      reading: z.enum(WORD_READINGS),
    }),
  ),
  tracker: z.string(),
  severalProducts: z.boolean(),
  countsForDays: z.int(),
  partRule: z.enum(partRules),
  deepHosts: z.array(z.string()),
  insteadTypeId: idSchema.nullable(),
  couponWins: z.boolean(),
  couponPattern: z.string(),
  /** The site of `insteadTypeId`; null if that or its site is deleted, so that visitors go nowhere. */
  insteadSiteId: idSchema.nullable(),
  typeCount: z.int(),
  /** Number of offices that may sell the site, out of `officesTotal`. */
  officesAllowed: z.int(),
  officesTotal: z.int(),
  version: z.int(),
})
export type Site = z.infer<typeof siteSchema>

const siteParams = z.object({ id: idTextSchema })

export const sitesEndpoints = {
  sites: endpoint({
    method: 'GET',
    path: '/api/sites',
    summary: 'List sites by name, for a select',
    ability: 'signed-in',
    byToken: 'any',
    action: 'none',
    query: z.object({
      /** `1` includes suspended sites. */
      withSuspended: z.enum(['0', '1']).default('0'),
    }),
    response: z.array(
      z.object({
        id: idSchema,
        sitename: z.string(),
        active: z.boolean(),
        useApproveSale: z.boolean(),
      }),
    ),
  }),
  searchSites: endpoint({
    method: 'POST',
    path: '/api/sites/search',
    summary: 'Search sites by name, type and status',
    ability: 'sites.view',
    byToken: 'sites',
    action: 'SEARCH',
    body: sitesSearchSchema,
    response: pagedList(siteItemSchema),
  }),
  site: endpoint({
    method: 'GET',
    path: '/api/sites/:id',
    summary: 'Get a site',
    ability: 'sites.view',
    byToken: 'sites',
    action: 'VIEW',
    params: siteParams,
    response: siteSchema,
  }),
  siteAgents: endpoint({
    method: 'GET',
    path: '/api/sites/:id/agents',
    summary: 'List the agents who may sell a site, by username',
    ability: 'agents.choose',
    byToken: 'sites',
    action: 'none',
    params: siteParams,
    response: z.array(
      z.object({
        id: idSchema,
        username: z.string(),
        companyId: idSchema,
        active: z.boolean(),
      }),
    ),
  }),
  createSite: endpoint({
    method: 'PUT',
    path: '/api/sites',
    summary: 'Create a site. No office may sell it yet.',
    ability: 'sites.manage',
    byToken: 'sites',
    decides: 'site',
    action: 'CREATE',
    body: z.strictObject({ ...siteFields, ...activeOrStatus }).refine(...statusAgrees),
    response: z.object({ id: idSchema }),
  }),
  updateSite: endpoint({
    method: 'POST',
    path: '/api/sites/:id',
    summary: 'Update a site. Omitted fields are left unchanged.',
    ability: 'sites.manage',
    byToken: 'sites',
    decides: 'site',
    action: 'UPDATE',
    params: siteParams,
    body: z
      .strictObject({
        ...changesOf(siteFields),
        ...activeOrStatus,
        ...siteSchema
          .pick({
            id: true,
            insteadSiteId: true,
            typeCount: true,
            officesAllowed: true,
            officesTotal: true,
          })
          .partial().shape,
        version: versionSchema,
      })
      .refine(...statusAgrees),
    response: doneSchema,
  }),
  sitesStatus: endpoint({
    method: 'POST',
    path: '/api/sites/status',
    summary:
      'Activate or suspend sites. Activating also sets their approve-sale flag and suspending unsets it, unless the request says otherwise.',
    ability: 'sites.manage',
    byToken: 'sites',
    decides: 'site',
    action: 'STATUS',
    refuses: [404],
    body: z.strictObject({
      ids: z.array(idSchema).min(1).max(5000),
      /** 0 suspends, 1 activates. */
      status: onOffSchema,
      /** The new approve-sale flag. By default, activating sets it and suspending unsets it. */
      useApproveSale: onOffSchema.optional(),
    }),
    response: doneSchema,
  }),
  enableSiteForAllOffices: endpoint({
    method: 'POST',
    path: '/api/sites/:id/enableForAllOffices',
    summary: 'Allow all offices to sell a site. Agents for whom it is off are not changed.',
    ability: 'sites.manage',
    byToken: 'sites',
    action: 'UPDATE',
    params: siteParams,
    response: doneSchema,
  }),
  deleteSite: endpoint({
    method: 'DELETE',
    path: '/api/sites/:id',
    summary:
      'Delete a site with its link types, manual and keys. Clicks, sales and statistics are kept.',
    ability: 'sites.delete',
    action: 'DELETE',
    proof: 'recent',
    params: siteParams,
    response: doneSchema,
  }),
}
