import { TOLD_EVENTS } from '@tallyroom/domain/event-types'
import { webhookUrlProblem } from '@tallyroom/domain/partner-postback'
import { SUB_NAMES } from '@tallyroom/domain/tracked-link'
import {
  WEBHOOK_FACTS,
  WEBHOOK_KINDS,
  type WebhookFact,
  type WebhookKind,
} from '@tallyroom/domain/webhooks'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { changesOf, onOffSchema } from '../forms.ts'
import { doneSchema, idSchema, idTextSchema, line, versionSchema } from '../list.ts'
import { missing } from '../missing.ts'
import { secret } from '../secrets.ts'
import { factSubjects } from './facts.ts'
import {
  answeredSchema,
  logPageSchema,
  targetLogSchema,
  targetStates,
} from './partner-postbacks.ts'

const centavosSchema = z.int().describe('In centavos; negative for a reversal.')

const saleSchema = z.object({
  eventId: z.uuid(),
  event: z
    .enum(TOLD_EVENTS)
    .describe('Of a site that uses approve-sale: `approval` on day 1, `sale` on day 2.'),
  status: z.enum(['approved', 'reversed', 'adjusted']),
  occurredAt: z.iso.datetime(),
  agentId: idSchema,
  agent: z.string().nullable(),
  officeId: idSchema.describe('The agent’s office when it was recorded.'),
  siteId: idSchema,
  sitename: z.string().nullable(),
  typeId: idSchema,
  typename: z.string().nullable(),
  clickId: z.string(),
  subs: z
    .partialRecord(z.enum(SUB_NAMES), z.string().optional())
    .describe('The agent’s own marks of the click. Empty once it is archived.'),
  transactionId: z.string().nullable().describe('The merchant’s order number.'),
  payoutCentavos: centavosSchema,
})

/** What a webhook can tell of, with its `data`. */
export const webhookData = {
  'sale.recorded': saleSchema,
  'approval.recorded': saleSchema,
  'bonus.recorded': saleSchema,
  'sale.reversed': saleSchema,
  'sale.adjusted': saleSchema,
  ...(Object.fromEntries(
    WEBHOOK_FACTS.map((kind) => [
      kind,
      factSubjects[kind].extend({
        agentId: idSchema.nullable().describe('Null if it is of no agent.'),
        officeId: idSchema.nullable().describe('As it was then. Null if it is of no office.'),
      }),
    ]),
  ) as unknown as Record<WebhookFact, z.ZodType>), // Object.fromEntries forgets the keys
} as const satisfies Record<WebhookKind, z.ZodType>

const webhookSummaries = {
  'sale.recorded': 'A sale is recorded',
  'approval.recorded': 'The Day#1 approval of a sale is recorded',
  'bonus.recorded': 'A bonus is recorded',
  'sale.reversed': 'A sale, approval or bonus is taken back',
  'sale.adjusted': 'A part of a sale is refunded',
  'agent.approved': 'An agent may sell: approved, or activated again',
  'agent.suspended': 'An agent is suspended',
  'statement.closed': 'A payee has a statement',
  'payment.sent': 'A payment is on its way',
  'payment.failed': 'A payment failed',
  'payment.returned': 'A payment came back',
  'payment.contradicted': 'The bank refused transfers that were reported paid',
  'payment.outside': 'A payment was made outside payment runs, such as in cash',
  'money.received': 'A payee paid back what they owed',
  'pay.held': 'A payee’s pay is on hold',
  'pay.released': 'A payee’s pay is no longer on hold',
  'rate.changed': 'Rates change',
  'alarm.raised': 'An alarm is raised',
  'alarm.ended': 'An alarm is over',
  'proof.broken': 'A verification finds differences, or an act of money is refused for one',
  'proof.mended': 'A verification finds none any more',
  'proof.verified': 'Everything was verified at night, with the heads of the chains',
} as const satisfies Record<WebhookKind, string>

/** The type of what *Send a test* sends. */
export const TEST_KIND = 'webhook.test'

/** The body of a webhook. */
const webhookBody = (type: string, data: z.ZodType) =>
  z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime().describe('When it happened.'),
    data,
  })

/** What the API document says of each type, in the order of the form. */
export const webhookDocument: Record<string, { summary: string; body: z.ZodType }> = {
  ...Object.fromEntries(
    WEBHOOK_KINDS.map((kind) => [
      kind,
      { summary: webhookSummaries[kind], body: webhookBody(kind, webhookData[kind]) },
    ]),
  ),
  [TEST_KIND]: {
    summary: 'Somebody tests a webhook',
    body: webhookBody(TEST_KIND, z.object({})),
  },
}

/** For how many hours the secret before a rotation also signs. */
export const FORMER_SECRET_HOURS = 24

const kindsSchema = z
  .array(z.enum(WEBHOOK_KINDS))
  .min(1, missing)
  .max(WEBHOOK_KINDS.length)
  .transform((kinds) => WEBHOOK_KINDS.filter((kind) => kinds.includes(kind)))

const webhookFields = {
  url: line(2000)
    .trim()
    .min(1, missing)
    .superRefine((url, context) => {
      const problem = url === '' ? undefined : webhookUrlProblem(url)
      if (problem) context.addIssue(problem)
    }),
  kinds: kindsSchema,
}

/** What the form has. */
export type WebhookField = keyof typeof webhookFields

const webhookSchema = z.object({
  id: idSchema,
  url: z.string(),
  host: z.string(),
  kinds: z.array(z.enum(WEBHOOK_KINDS)),
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
  /** Until when the secret before the last rotation signs, too. Null if it no longer does. */
  formerUntil: z.iso.datetime().nullable(),
  version: z.int(),
})
export type Webhook = z.infer<typeof webhookSchema>

/** Accepted as the list returns it, and ignored. */
const sentBackSchema = webhookSchema.extend({ host: line(300) })

const params = z.object({ id: idTextSchema })
const secretAnswer = z.object({ id: idSchema, secret: secret('webhook secret', z.string()) })

/** Webhooks of the network, by the specification of Standard Webhooks. */
export const webhooksEndpoints = {
  webhooks: endpoint({
    method: 'GET',
    path: '/api/webhooks',
    summary: 'List the webhooks of the network',
    ability: 'webhooks.manage',
    action: 'VIEW',
    response: z.object({ webhooks: z.array(webhookSchema) }),
  }),
  createWebhook: endpoint({
    method: 'PUT',
    path: '/api/webhooks',
    summary: 'Add a webhook. The answer has the secret that signs it, which is not shown again.',
    ability: 'webhooks.manage',
    proof: 'recent',
    action: 'CREATE',
    body: z.strictObject(webhookFields),
    response: secretAnswer,
  }),
  updateWebhook: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id',
    summary:
      'Update a webhook. Omitted fields stay unchanged; what the form does not have is ignored.',
    ability: 'webhooks.manage',
    proof: 'recent',
    action: 'UPDATE',
    params,
    body: z.strictObject({
      ...sentBackSchema.partial().shape,
      ...changesOf(webhookFields),
      version: versionSchema,
    }),
    response: doneSchema,
  }),
  rotateWebhookSecret: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/secret',
    summary: `Make a new secret for a webhook. For ${FORMER_SECRET_HOURS} hours, the one before it signs, too.`,
    ability: 'webhooks.manage',
    proof: 'recent',
    action: 'UPDATE',
    params,
    response: secretAnswer,
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: '/api/webhooks/:id',
    summary: 'Delete a webhook, with its log',
    ability: 'webhooks.manage',
    action: 'DELETE',
    proof: 'recent',
    params,
    response: doneSchema,
  }),
  switchWebhook: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/state',
    summary: 'Switch a webhook on or off',
    ability: 'webhooks.manage',
    action: 'STATUS',
    proof: 'recent',
    params,
    body: z.strictObject({
      on: onOffSchema,
      /** Also send what it has missed while it was failing. */
      sendMissed: onOffSchema.default(false),
    }),
    response: doneSchema,
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/test',
    summary: `Send a webhook of the type ${TEST_KIND}, and show the answer`,
    ability: 'webhooks.manage',
    action: 'UPDATE',
    refuses: [429],
    params,
    response: answeredSchema,
  }),
  webhookLog: endpoint({
    method: 'GET',
    path: '/api/webhooks/:id/log',
    summary: 'List what was sent to a webhook in the last 30 days, newest first',
    ability: 'webhooks.manage',
    action: 'VIEW',
    params,
    query: z.object({ page: logPageSchema }),
    response: targetLogSchema,
  }),
  sendWebhookAgain: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/log/:deliveryId/send',
    summary: 'Send a delivery of a webhook again',
    ability: 'webhooks.manage',
    action: 'UPDATE',
    params: params.extend({ deliveryId: idTextSchema }),
    response: doneSchema,
  }),
}
