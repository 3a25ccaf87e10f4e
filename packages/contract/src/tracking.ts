import { POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { z } from 'zod'
import { type DescribedAnswer, endpoint } from './endpoint.ts'
import { ERROR_CODE_HEADER } from './errors.ts'
import { postbackAnswerSchema } from './postbacks.ts'

/** What a merchant may say of an event, by our own names. Others are kept as they come. */
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
    .describe("The merchant's order number: it tells a second order from a repeated message."),
  event: z
    .string()
    .max(64)
    .optional()
    .describe(`${POSTBACK_EVENTS.join(', ')}, or a word of the site's own. Left out: sale.`),
  type: z
    .string()
    .max(128)
    .optional()
    .describe('The alias of the link type that was sold. Left out: the one that was clicked.'),
  email: z.string().max(254).optional().describe("The customer's address."),
  time: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('When it happened, at most 90 days ago and not before its click. Left out: now.'),
  reverses: z
    .enum(['sale', 'bonus', 'approval'])
    .optional()
    .describe('What a reversal takes back.'),
  key: z.string().optional().describe("The site's key, when it is not in the header."),
})

const headersSchema = z.object({
  'x-postback-key': z.string().optional().describe("The site's key."),
  'x-signature': z
    .string()
    .optional()
    .describe(
      'Instead of the key: `t=<seconds since 1970>,v1=<hex>`, the HMAC-SHA256 of the time, a dot and the body, ' +
        'for GET the query. Good for five minutes and one request: the same request again gets the first answer. ' +
        'Fields are read from what is signed alone: a signed POST with a query, or without a body, is refused.',
    ),
})

const answered = (means: string): DescribedAnswer => ({
  means,
  body: { 'application/json': postbackAnswerSchema },
})

const refused = (means: string): DescribedAnswer => ({
  ...answered(means),
  headers: { [ERROR_CODE_HEADER]: 'The code that is also in the body.' },
})

const answersToOne = {
  200: answered(
    'duplicate: it was counted before. Sites that asked for it get a fixed text instead.',
  ),
  201: answered('recorded: it was counted now.'),
  202: answered('waiting: kept until its click, or the sale that it reverses, is here.'),
  401: refused('The key or signature is missing or wrong.'),
  409: refused(
    'conflict: this order was reported before for another click or type, or it is dated before its click or sale.',
  ),
  422: refused('refused: `data` says what is wrong, field by field.'),
  429: { means: 'Too many without a valid key. Nothing was kept: repeat after `retry-after`.' },
  503: { means: 'Not available just now. Nothing was kept: repeat after `retry-after`.' },
}

const page = (means: string): DescribedAnswer => ({ means, body: { 'text/html': z.string() } })

/**
 * The two public doors of tracking. They are served by a scope of their own, without validators on
 * the road: they are declared here for the API document and for the check that every route is known.
 */
export const trackingEndpoints = {
  go: endpoint({
    method: 'GET',
    path: '/api/links/go/:siteId/:typeId/:agentId',
    summary: 'A tracked link: keeps the click and redirects (302) to the merchant',
    ability: 'public',
    action: 'none',
    params: z.object({ siteId: z.string(), typeId: z.string(), agentId: z.string() }),
    response: z.undefined(),
    described: {
      query: z.object({
        sub1: z.string().optional().describe("The agent's own mark; so are sub2 to sub5."),
        sub2: z.string().optional(),
        sub3: z.string().optional(),
        sub4: z.string().optional(),
        sub5: z.string().optional(),
      }),
      answers: {
        302: { means: 'To the merchant.', body: {}, headers: { location: 'With the click id.' } },
        404: page('There is no such link.'),
        410: page('The link is not active.'),
        414: page('The address is too long.'),
        503: page('Not available just now.'),
      },
    },
  }),
  postbackByGet: endpoint({
    method: 'GET',
    path: '/api/postback/:siteId',
    summary: "A merchant's report of a sale, bonus or reversal, by query",
    ability: 'public',
    action: 'none',
    params: z.object({ siteId: z.string() }),
    response: postbackAnswerSchema,
    described: { query: reportSchema, headers: headersSchema, answers: answersToOne },
  }),
  postbackByPost: endpoint({
    method: 'POST',
    path: '/api/postback/:siteId',
    summary: 'The same by form or JSON; a JSON array of up to 1,000 is answered one by one',
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
          means: `${answersToOne[200].means} An array is always answered 200, in its order.`,
          body: {
            'application/json': z.union([postbackAnswerSchema, z.array(postbackAnswerSchema)]),
          },
        },
        400: refused('The body can not be read: `reason` says why.'),
        413: { means: 'More than 1 MB. Nothing was kept.' },
        415: { means: 'The content type is none. Nothing was kept.' },
      },
    },
  }),
}
