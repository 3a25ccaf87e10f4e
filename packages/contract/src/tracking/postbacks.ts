import { POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { HOLD_KINDS } from '@tallyroom/domain/holds'
import { isTrackerId } from '@tallyroom/domain/tracker-ids'
import { STANDINGS } from '@tallyroom/domain/standings'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { onOffSchema } from '../forms.ts'
import { errorBodySchema } from '../errors.ts'
import { holdSchema } from './held-postbacks.ts'
import { afterSchema, idSchema, idTextSchema, line, listRequest, pagedList } from '../list.ts'
import { daySchema } from '../periods.ts'
import { secret } from '../secrets.ts'
import { postbackOutcomeFilters, postbackOutcomes, sortFields } from '../list-choices.ts'

/** Another postback of the same click and amount, within a minute and under another order number: it may be the same order. */
export const likelyDoubleSchema = z.object({
  id: z.uuid(),
  transactionId: z.string(),
  receivedAt: z.iso.datetime(),
  eventId: z.uuid().nullable(),
})
export type LikelyDouble = z.infer<typeof likelyDoubleSchema>

const postbackItemSchema = z.object({
  id: z.uuid(),
  receivedAt: z.iso.datetime(),
  siteId: idSchema.nullable(),
  sitename: z.string().nullable(),
  method: z.string(),
  ip: z.string(),
  /** The parameters as received, without secrets, as JSON text. */
  params: z.string(),
  clickId: z.string().nullable(),
  transactionId: z.string().nullable(),
  event: z.string().nullable(),
  outcome: z.enum(postbackOutcomes),
  reason: z.string().nullable(),
  eventId: z.uuid().nullable(),
  agentId: idSchema.nullable(),
  agent: z.string().nullable(),
  companyId: idSchema.nullable(),
  officeName: z.string().nullable(),
  typename: z.string().nullable(),
  test: z.boolean(),
  /** When the postback got its final outcome; null if immediately. */
  settledAt: z.iso.datetime().nullable(),
  /** The time that the merchant reported; otherwise the time of arrival. */
  occurredAt: z.iso.datetime().nullable(),
  /** The time of its click or sale, or the start of its coupon code, if the postback is dated earlier and needs a decision. */
  earliestAt: z.iso.datetime().nullable(),
  /** Set while it waits for a decision. */
  hold: holdSchema.nullable(),
  /** Noted once, half a minute after it came. */
  doubles: z.array(likelyDoubleSchema).optional(),
})
export type PostbackItem = z.infer<typeof postbackItemSchema>

/** The answer to one postback. */
export const postbackAnswerSchema = z.object({
  id: z.uuid(),
  outcome: z.enum(postbackOutcomes),
  /** The recorded event, or the original one if this is a duplicate. */
  eventId: z.uuid().optional(),
  reason: z.string().optional(),
  /** Set if refused, as in every error answer. The answer to a single postback also has it as a header. */
  code: errorBodySchema.shape.code.optional(),
  message: z.string().optional(),
  data: errorBodySchema.shape.data,
})
export type PostbackAnswer = z.infer<typeof postbackAnswerSchema>

/** The field, how much was paid, whether it is kept without effect, or nothing that we know. */
export const readAsSchema = z.enum([
  'click_id',
  'transaction_id',
  'event',
  'status',
  'type',
  'email',
  'time',
  'reverses',
  'coupon',
  'amount',
  'kept',
  'not understood',
])

/** A postback and how it would be read now. */
const readingSchema = z.object({
  id: z.uuid(),
  receivedAt: z.iso.datetime(),
  /** What was answered when it came. */
  outcome: z.enum(postbackOutcomes),
  event: z.enum(POSTBACK_EVENTS).nullable(),
  standing: z.enum(STANDINGS),
  /** Why it would be refused or held, whatever the sales say. */
  problem: z.object({ outcome: z.enum(['refused', 'conflict']), reason: z.string() }).nullable(),
  parameters: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      readAs: readAsSchema,
    }),
  ),
})

const readingsSchema = z.object({ items: z.array(readingSchema) })
export type PostbackReadings = z.infer<typeof readingsSchema>

export const postbacksSearchSchema = listRequest(sortFields.postbacks, {
  sortField: 'receivedAt',
  sortAsc: false,
})
  .extend({
    siteId: idSchema.nullish(),
    outcome: z.enum(postbackOutcomeFilters).nullish(),
    /** Only those held for this. */
    holdKind: z.enum(HOLD_KINDS).nullish(),
    /** Only what waits for a decision now, or only what was put off or decided a moment ago. */
    due: onOffSchema.nullish(),
    /** Only what was decided a moment ago and is not done yet, or only what was not. */
    decided: onOffSchema.nullish(),
    /** Only merchants’ tests, or only what is none. */
    test: onOffSchema.nullish(),
    event: line(20).nullish(),
    clickId: line(64).nullish(),
    /** A whole order number; or a whole value of any parameter of those that became no sale, case-insensitive. */
    transactionId: line(128).nullish(),
    start: daySchema.nullish(),
    end: daySchema.nullish(),
    /** Reads on by the time of arrival, oldest first, instead of by pages: `page` and the order have no effect. */
    after: afterSchema.nullish(),
  })
  .strict()

/** Stands in the text of a request in place of the site’s key. */
export const KEY_LEFT_OUT = 'key=…'

export const postbacksEndpoints = {
  searchPostbacks: endpoint({
    method: 'POST',
    path: '/api/postbacks/search',
    summary: 'Search the postbacks received, newest first, with outcome and reason',
    ability: 'postbacks.view',
    byToken: 'logs',
    action: 'SEARCH',
    body: postbacksSearchSchema,
    response: pagedList(postbackItemSchema).extend({
      /** The `after` of the next call, with `after`. `total` is then the number of these rows. */
      next: afterSchema.optional(),
    }),
  }),
  deliverPostback: endpoint({
    method: 'POST',
    path: '/api/postbacks/:id/deliver',
    summary: 'Redeliver a conflicting or unmatched postback',
    ability: 'postbacks.settle',
    action: 'UPDATE',
    params: z.object({ id: z.uuid() }),
    response: postbackAnswerSchema,
  }),
  sitePostback: endpoint({
    method: 'GET',
    path: '/api/sites/:siteId/postback',
    summary: 'Get the postback URL and key for a merchant',
    ability: 'postbacks.manage',
    action: 'VIEW',
    params: z.object({ siteId: idTextSchema }),
    response: z.object({
      url: z.string(),
      /** Left out of older sessions: enter the password again to get it. */
      key: secret('postback key', z.string()).optional(),
      /** The previous key, still accepted while the merchant switches over. Left out likewise. */
      previousKey: secret('postback key', z.string().nullable()).optional(),
      clickParam: z.string(),
      /** A sample request with the click id of a test click, complete but for the key: see {@link KEY_LEFT_OUT}. */
      example: z.string(),
    }),
  }),
  postbackReadings: endpoint({
    method: 'GET',
    path: '/api/sites/:siteId/postback/readings',
    summary:
      'Show how the last ten postbacks of a site are read, parameter by parameter, with its settings or those of a tracker',
    ability: 'postbacks.manage',
    action: 'VIEW',
    params: z.object({ siteId: idTextSchema }),
    query: z.object({
      /** The id of a tracker to try, or `none`. By default the site's own. */
      tracker: z
        .string()
        .refine((id) => id === 'none' || isTrackerId(id), 'is not a tracker that we know')
        .optional(),
    }),
    response: readingsSchema,
  }),
  rotatePostbackKey: endpoint({
    method: 'POST',
    path: '/api/sites/:siteId/postback/rotate',
    summary:
      'Rotate the postback key. The current key stays valid; the previous one stops working.',
    ability: 'postbacks.manage',
    proof: 'recent',
    action: 'UPDATE',
    params: z.object({ siteId: idTextSchema }),
    response: z.object({
      key: secret('postback key', z.string()),
      previousKey: secret('postback key', z.string().nullable()),
    }),
  }),
  testPostback: endpoint({
    method: 'POST',
    path: '/api/sites/:siteId/postback/test',
    summary: 'Create a test click and deliver a test postback for it. Neither is counted.',
    ability: 'postbacks.manage',
    byToken: 'postbacks',
    action: 'CREATE',
    params: z.object({ siteId: idTextSchema }),
    body: z.strictObject({
      typeId: idSchema,
      event: z.enum(POSTBACK_EVENTS).default('sale'),
      /** Click id and transaction id of an earlier test, to send a duplicate or a reversal. */
      clickId: line(32).optional(),
      transactionId: line(128).optional(),
    }),
    response: z.object({
      /** The request that was sent, as text, without the key: see {@link KEY_LEFT_OUT}. */
      request: z.string(),
      clickId: z.string(),
      transactionId: z.string(),
      status: z.int(),
      answer: postbackAnswerSchema,
      /** Dollars and pesos that a real event would be recorded with for an office without own rates. */
      earning: z.number().nullable(),
      payout: z.number().nullable(),
    }),
  }),
}
