import { POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { z } from 'zod'
import { type DescribedAnswer, endpoint } from '../endpoint.ts'
import { ERROR_CODE_HEADER } from '../errors.ts'
import { postbackAnswerSchema } from './postbacks.ts'

/** Postback parameters by their standard names. Other parameters are stored as received. */
const reportSchema = z.looseObject({
  click_id: z
    .string()
    .max(64)
    .optional()
    .describe('The click id. Required, except on a reversal that names its order.'),
  transaction_id: z
    .string()
    .max(128)
    .optional()
    .describe(
      "The merchant's order number. It distinguishes a new order from a repeated postback.",
    ),
  event: z
    .string()
    .max(64)
    .optional()
    .describe(`${POSTBACK_EVENTS.join(', ')}, or one of the site's event names. Default: sale.`),
  type: z
    .string()
    .max(128)
    .optional()
    .describe('The alias of the link type that was sold. Default: the one that was clicked.'),
  email: z.string().max(254).optional().describe("The customer's email address."),
  time: z.iso
    .datetime({ offset: true })
    .optional()
    .describe(
      'When it happened: at most 90 days ago and not before its click. Default: time of arrival.',
    ),
  reverses: z
    .enum(['sale', 'bonus', 'approval'])
    .optional()
    .describe('The event that a reversal reverses.'),
  key: z.string().optional().describe("The site's key, if not sent in the header."),
})

const headersSchema = z.object({
  'x-postback-key': z.string().optional().describe("The site's key."),
  'x-signature': z
    .string()
    .optional()
    .describe(
      'Alternative to the key: `t=<Unix seconds>,v1=<hex>`, the HMAC-SHA256 of the time, a dot and the body ' +
        '(for GET, the query). Valid for five minutes and one request; a replay gets the first answer again. ' +
        'Only signed data is read: a signed POST with a query or without a body is rejected.',
    ),
})

const answered = (means: string): DescribedAnswer => ({
  means,
  body: { 'application/json': postbackAnswerSchema },
})

const refused = (means: string): DescribedAnswer => ({
  ...answered(means),
  headers: { [ERROR_CODE_HEADER]: 'The same code as in the body.' },
})

const answersToOne = {
  200: answered(
    'duplicate: already counted. Sites with a fixed answer text get that text instead.',
  ),
  201: answered('recorded: the event is counted.'),
  202: answered('waiting: stored until its click, or the sale that it reverses, arrives.'),
  401: refused('The key or signature is missing or wrong.'),
  409: refused(
    'conflict: the order was already reported for another click or link type, or it is dated before its click or sale.',
  ),
  422: refused('refused: `data` lists the problems by field.'),
  429: {
    means: 'Too many requests without a valid key. Nothing was stored. Retry after `retry-after`.',
  },
  503: { means: 'Temporarily unavailable. Nothing was stored. Retry after `retry-after`.' },
}

const page = (means: string): DescribedAnswer => ({ means, body: { 'text/html': z.string() } })

const visitedSchema = z.object({
  sub1: z.string().optional().describe("The agent's own tracking label, as are sub2 to sub5."),
  sub2: z.string().optional(),
  sub3: z.string().optional(),
  sub4: z.string().optional(),
  sub5: z.string().optional(),
})

const answersToVisitor = {
  302: {
    means: 'Redirect to the merchant.',
    body: {},
    headers: { location: 'The destination with the click id.' },
  },
  404: page('There is no such link.'),
  410: page('The link is not active.'),
  414: page('The address is too long.'),
  503: page('Temporarily unavailable.'),
}

/**
 * The public tracking endpoints. They parse their requests themselves; these declarations serve the API
 * document and the check that every route is declared.
 */
export const trackingEndpoints = {
  go: endpoint({
    method: 'GET',
    path: '/api/links/go/:siteId/:typeId/:agentId',
    summary: 'Follow a tracked link: record the click and redirect (302) to the merchant',
    ability: 'public',
    action: 'none',
    params: z.object({ siteId: z.string(), typeId: z.string(), agentId: z.string() }),
    response: z.undefined(),
    described: { query: visitedSchema, answers: answersToVisitor },
  }),
  goShort: endpoint({
    method: 'GET',
    path: '/api/links/s/:name',
    summary:
      'Follow a short link, which is also at `/{name}`: the same as the link that it stands for, with what it carries',
    ability: 'public',
    action: 'none',
    params: z.object({ name: z.string() }),
    response: z.undefined(),
    described: { query: visitedSchema, answers: answersToVisitor },
  }),
  postbackByGet: endpoint({
    method: 'GET',
    path: '/api/postback/:siteId',
    summary: 'Report a sale, bonus or reversal as a merchant, in the query',
    ability: 'public',
    action: 'none',
    params: z.object({ siteId: z.string() }),
    response: postbackAnswerSchema,
    described: { query: reportSchema, headers: headersSchema, answers: answersToOne },
  }),
  postbackByPost: endpoint({
    method: 'POST',
    path: '/api/postback/:siteId',
    summary:
      'Report sales, bonuses or reversals as a merchant, as form data or JSON. A JSON array of up to 1,000 is answered item by item.',
    ability: 'public',
    action: 'none',
    params: z.object({ siteId: z.string() }),
    response: z.union([postbackAnswerSchema, z.array(postbackAnswerSchema)]),
    described: {
      query: reportSchema,
      headers: headersSchema,
      body: {
        'application/json': z.union([reportSchema, z.array(reportSchema).max(1_000)]),
        'application/x-www-form-urlencoded': reportSchema,
      },
      answers: {
        ...answersToOne,
        200: {
          means: `${answersToOne[200].means} An array always gets 200, with answers in its order.`,
          body: {
            'application/json': z.union([postbackAnswerSchema, z.array(postbackAnswerSchema)]),
          },
        },
        400: refused('The body cannot be parsed: `reason` says why.'),
        413: { means: 'The body exceeds 1 MB, as sent or unpacked. Nothing of it was stored.' },
        415: refused('The content encoding is none of gzip, deflate and br.'),
      },
    },
  }),
}
