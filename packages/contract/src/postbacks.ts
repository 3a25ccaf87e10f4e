import { POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { errorBodySchema } from './errors.ts'
import { idSchema, idTextSchema, line, listRequest, pagedList } from './list.ts'
import { daySchema } from './periods.ts'
import { postbackOutcomeFilters, postbackOutcomes } from './list-choices.ts'

export const postbackItemSchema = z.object({
  id: z.uuid(),
  receivedAt: z.iso.datetime(),
  siteId: idSchema.nullable(),
  sitename: z.string().nullable(),
  method: z.string(),
  ip: z.string(),
  /** As received, secrets removed: pretty-printable JSON text. */
  params: z.string(),
  clickId: z.string().nullable(),
  transactionId: z.string().nullable(),
  event: z.string().nullable(),
  outcome: z.enum(postbackOutcomes),
  reason: z.string().nullable(),
  eventId: z.uuid().nullable(),
  agent: z.string().nullable(),
  officeName: z.string().nullable(),
  typename: z.string().nullable(),
  test: z.boolean(),
  /** When it got its final outcome, if not at once. */
  settledAt: z.iso.datetime().nullable(),
  /** When the merchant says that it happened; without a time of its own, when it arrived. */
  occurredAt: z.iso.datetime().nullable(),
  /** The instant of its click or sale, when it is dated before that and a person has to decide. */
  earliestAt: z.iso.datetime().nullable(),
})
export type PostbackItem = z.infer<typeof postbackItemSchema>

/** What a person decides about a date before the click or sale: record it at that instant, or refuse it. */
const dateDecisionSchema = z.enum(['record', 'refuse'])
export type DateDecision = z.infer<typeof dateDecisionSchema>

/** The answer that a merchant gets for one postback. */
export const postbackAnswerSchema = z.object({
  id: z.uuid(),
  outcome: z.enum(postbackOutcomes),
  /** The event recorded now, or the first one that this is a duplicate of. */
  eventId: z.uuid().optional(),
  reason: z.string().optional(),
  /** On refusals, as in every error answer; also in the header of an answer to a single postback. */
  code: errorBodySchema.shape.code.optional(),
  message: z.string().optional(),
  data: errorBodySchema.shape.data,
})
export type PostbackAnswer = z.infer<typeof postbackAnswerSchema>

export const postbacksSearchSchema = listRequest(['receivedAt'], {
  sortField: 'receivedAt',
  sortAsc: false,
})
  .extend({
    siteId: idSchema.nullish(),
    outcome: z.enum(postbackOutcomeFilters).nullish(),
    event: line(20).nullish(),
    clickId: line(64).nullish(),
    transactionId: line(128).nullish(),
    start: daySchema.nullish(),
    end: daySchema.nullish(),
  })
  .strict()

export const postbacksEndpoints = {
  searchPostbacks: endpoint({
    method: 'POST',
    path: '/api/postbacks/search',
    summary: 'Every postback received, newest first, with its outcome and reason',
    ability: 'postbacks.view',
    action: 'SEARCH',
    body: postbacksSearchSchema,
    response: pagedList(postbackItemSchema),
  }),
  deliverPostback: endpoint({
    method: 'POST',
    path: '/api/postbacks/:id/deliver',
    summary: 'Delivers a conflicting or unmatched postback again',
    ability: 'postbacks.manage',
    action: 'UPDATE',
    params: z.object({ id: z.uuid() }),
    response: postbackAnswerSchema,
  }),
  settlePostback: endpoint({
    method: 'POST',
    path: '/api/postbacks/:id/settle',
    summary:
      'Settles a postback that is dated before its click or sale: records it at that instant, or refuses it',
    ability: 'postbacks.manage',
    action: 'UPDATE',
    params: z.object({ id: z.uuid() }),
    body: z.strictObject({ decision: dateDecisionSchema }),
    response: postbackAnswerSchema,
  }),
  sitePostback: endpoint({
    method: 'GET',
    path: '/api/sites/:siteId/postback',
    summary: 'The address and key to hand to a merchant',
    ability: 'postbacks.view',
    action: 'VIEW',
    params: z.object({ siteId: idTextSchema }),
    response: z.object({
      url: z.string(),
      key: z.string(),
      /** The older key, still accepted while the merchant changes over. */
      previousKey: z.string().nullable(),
      clickParam: z.string(),
      /** A whole request to copy, with a click id of a test click. */
      example: z.string(),
    }),
  }),
  rotatePostbackKey: endpoint({
    method: 'POST',
    path: '/api/sites/:siteId/postback/rotate',
    summary: 'Makes a second key and retires the older one',
    ability: 'postbacks.manage',
    action: 'UPDATE',
    params: z.object({ siteId: idTextSchema }),
    response: z.object({ key: z.string(), previousKey: z.string().nullable() }),
  }),
  testPostback: endpoint({
    method: 'POST',
    path: '/api/sites/:siteId/postback/test',
    summary:
      'Makes a test click of a link type and delivers a test postback for it, counted nowhere',
    ability: 'postbacks.manage',
    action: 'CREATE',
    params: z.object({ siteId: idTextSchema }),
    body: z.strictObject({
      typeId: idSchema,
      event: z.enum(POSTBACK_EVENTS).default('sale'),
      /** To repeat an earlier test (a duplicate, a reversal): its click and transaction. */
      clickId: line(32).optional(),
      transactionId: line(128).optional(),
    }),
    response: z.object({
      /** The request that was sent, for reading and copying. */
      request: z.string(),
      clickId: z.string(),
      transactionId: z.string(),
      status: z.int(),
      answer: postbackAnswerSchema,
      /** Dollars and pesos that a real sale of this kind would carry for an office without rates of its own. */
      earning: z.number().nullable(),
      payout: z.number().nullable(),
    }),
  }),
}
