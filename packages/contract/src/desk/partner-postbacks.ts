import { NOTICE_KINDS, postbackUrlProblem } from '@tallyroom/domain/partner-postback'
import { WEBHOOK_KINDS } from '@tallyroom/domain/webhooks'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { changesOf, onOffSchema } from '../forms.ts'
import { doneSchema, idSchema, idTextSchema, line, versionSchema } from '../list.ts'
import { missing } from '../missing.ts'
import { secret } from '../secrets.ts'

/** The most postbacks that an agent or an office may have. */
export const MAX_TARGETS = 10

const urlSchema = line(2000)
  .trim()
  .min(1, missing)
  .superRefine((url, context) => {
    const problem = url === '' ? undefined : postbackUrlProblem(url)
    if (problem) context.addIssue(problem)
  })

const eventsSchema = z
  .array(z.enum(NOTICE_KINDS))
  .min(1, missing)
  .max(NOTICE_KINDS.length)
  .transform((events) => NOTICE_KINDS.filter((kind) => events.includes(kind)))

const targetFields = {
  url: urlSchema,
  events: eventsSchema,
  /** Null: of all sites. */
  siteId: idSchema.nullable(),
  /** A link type of the site. Null: of all. */
  typeId: idSchema.nullable(),
}

/** What the form has. */
export type TargetField = keyof typeof targetFields

/** `off` by its owner; `failing` after failing for a day; `gone` as its server said. */
export const targetStates = ['on', 'off', 'failing', 'gone'] as const

const targetSchema = z.object({
  id: idSchema,
  url: z.string(),
  host: z.string(),
  events: z.array(z.enum(NOTICE_KINDS)),
  siteId: idSchema.nullable(),
  sitename: z.string().nullable(),
  typeId: idSchema.nullable(),
  typename: z.string().nullable(),
  state: z.enum(targetStates),
  /** Failed tries in a row. */
  failures: z.int(),
  /** Nothing has arrived for an hour, which its owner was told. */
  keepsFailing: z.boolean(),
  /** Deliveries that were not sent while it was failing. */
  missed: z.int(),
  lastSentAt: z.iso.datetime().nullable(),
  /** Until when its server has asked us to wait, an hour at most. It may be over. */
  waitsUntil: z.iso.datetime().nullable(),
  /** What `{token}` becomes. For its owner only. */
  token: secret('delivery token', z.string()).optional(),
  /** Its owner: an agent, or an office. */
  agent: z.string().nullable(),
  officeName: z.string().nullable(),
  version: z.int(),
})

/** Accepted as the list returns it, and ignored. */
const sentBackSchema = targetSchema.extend({
  host: line(300),
  sitename: line(300).nullable(),
  typename: line(300).nullable(),
  token: line(300),
  agent: line(300).nullable(),
  officeName: line(300).nullable(),
})
export type PartnerPostback = z.infer<typeof targetSchema>

export const answeredSchema = z.object({
  /** The URL that was asked, without the token. */
  url: z.string(),
  /** Null if there was no answer. */
  status: z.int().nullable(),
  /** What was sent by POST. Null for a GET. */
  body: z.string().nullable(),
  /** The beginning of the answer. */
  answer: z.string().nullable(),
  /** Why there was no answer. */
  error: z.string().nullable(),
  tookMs: z.int(),
})
export type Answered = z.infer<typeof answeredSchema>

const deliverySchema = z.object({
  id: idSchema,
  /** Of the sale, or of another fact. */
  eventId: z.uuid(),
  kind: z.enum(WEBHOOK_KINDS),
  madeAt: z.iso.datetime(),
  state: z.enum(['waiting', 'sent', 'failed', 'missed', 'held', 'dropped']),
  nextTryAt: z.iso.datetime().nullable(),
  /** Oldest first. */
  tries: z.array(answeredSchema.extend({ triedAt: z.iso.datetime() })),
})
export type Delivery = z.infer<typeof deliverySchema>

/** A page of a target's log. */
export const targetLogSchema = z.object({ items: z.array(deliverySchema), total: z.int() })

export const logPageSchema = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, 'must be a whole number')
  .default('1')
  .transform(Number)

const params = z.object({ id: idTextSchema })

/** Postbacks to agents and offices: URLs that are asked when something of theirs is recorded. */
export const partnerPostbacksEndpoints = {
  partnerPostbacks: endpoint({
    method: 'GET',
    path: '/api/partner-postbacks',
    summary: 'List your postbacks, or for staff those of all agents and offices',
    ability: 'partner-postbacks.view',
    action: 'VIEW',
    response: z.object({
      postbacks: z.array(targetSchema),
      /** Whether `{payout}` has a value. */
      payoutVisible: z.boolean(),
    }),
  }),
  createPartnerPostback: endpoint({
    method: 'PUT',
    path: '/api/partner-postbacks',
    summary: `Add a postback. At most ${MAX_TARGETS} for each agent or office.`,
    ability: 'partner-postbacks.manage',
    action: 'CREATE',
    proof: 'own-session',
    body: z.strictObject({
      ...targetFields,
      siteId: targetFields.siteId.default(null),
      typeId: targetFields.typeId.default(null),
    }),
    response: z.object({ id: idSchema }),
  }),
  updatePartnerPostback: endpoint({
    method: 'POST',
    path: '/api/partner-postbacks/:id',
    summary:
      'Update one of your postbacks. Omitted fields stay unchanged; what the form does not have is ignored.',
    ability: 'partner-postbacks.manage',
    action: 'UPDATE',
    proof: 'own-session',
    params,
    body: z.strictObject({
      ...sentBackSchema.partial().shape,
      ...changesOf(targetFields),
      version: versionSchema,
    }),
    response: doneSchema,
  }),
  deletePartnerPostback: endpoint({
    method: 'DELETE',
    path: '/api/partner-postbacks/:id',
    summary: 'Delete one of your postbacks, with its log',
    ability: 'partner-postbacks.manage',
    action: 'DELETE',
    proof: 'own-session',
    params,
    response: doneSchema,
  }),
  switchPartnerPostback: endpoint({
    method: 'POST',
    path: '/api/partner-postbacks/:id/state',
    summary: 'Switch one of your postbacks on or off',
    ability: 'partner-postbacks.manage',
    action: 'STATUS',
    proof: 'own-session',
    params,
    body: z.strictObject({
      on: onOffSchema,
      /** Also send what it has missed while it was failing. */
      sendMissed: onOffSchema.default(false),
    }),
    response: doneSchema,
  }),
  previewPartnerPostback: endpoint({
    method: 'POST',
    path: '/api/partner-postbacks/preview',
    summary: 'Show a URL with your last sale filled in. Nothing is sent.',
    ability: 'partner-postbacks.manage',
    action: 'none',
    body: z.strictObject({ url: urlSchema }),
    response: z.object({
      url: z.string(),
      /** Of the sale; null if there is none, and examples are filled in. */
      occurredAt: z.iso.datetime().nullable(),
    }),
  }),
  testPartnerPostback: endpoint({
    method: 'POST',
    path: '/api/partner-postbacks/test',
    summary: 'Ask a URL with test values, and show the answer',
    ability: 'partner-postbacks.manage',
    action: 'UPDATE',
    proof: 'own-session',
    refuses: [429],
    body: z.strictObject({
      url: urlSchema,
      /** Of a saved postback, whose token is used. */
      id: idSchema.optional(),
    }),
    response: answeredSchema,
  }),
  partnerPostbackLog: endpoint({
    method: 'GET',
    path: '/api/partner-postbacks/:id/log',
    summary: 'List what was sent to a postback in the last 30 days, newest first',
    ability: 'partner-postbacks.view',
    action: 'VIEW',
    params,
    query: z.object({ page: logPageSchema }),
    response: targetLogSchema,
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: '/api/partner-postbacks/:id/log/:deliveryId/send',
    summary: 'Send a delivery of one of your postbacks again',
    ability: 'partner-postbacks.view',
    action: 'UPDATE',
    params: params.extend({ deliveryId: idTextSchema }),
    response: doneSchema,
  }),
}

/** Deliveries on a page of the log. */
export const LOG_PAGE_SIZE = 25
