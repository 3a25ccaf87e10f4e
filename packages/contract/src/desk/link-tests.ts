import { LONGEST_PAGE } from '@tallyroom/domain/merchant-page'
import { z } from 'zod'
import { CLICK_NOTES, UNCOUNTED } from './click-logs.ts'
import { endpoint } from '../endpoint.ts'
import { idSchema, line } from '../list.ts'
import { postbackOutcomes } from '../list-choices.ts'
import { storedSubs } from '../sub-ids.ts'

/** How long a test’s link is one, in minutes. */
export const TEST_MINUTES = 10

/** How many tests of an agent’s links can be made in an hour, by everybody. */
export const MOST_TESTS = 60

/** Why a visit would not be counted as a click. */
const NOT_CLICKS = [...UNCOUNTED, 'crawler'] as const

/** What a test’s visit was: what it brought, and what became of it. */
const testVisitSchema = z.object({
  at: z.iso.datetime(),
  /** `inactive` and `unknown`: the visitor got a page that says so. */
  outcome: z.enum(['sent on', 'inactive', 'unknown']),
  /** Why such a visit is not counted; null if it is. */
  uncounted: z.enum(NOT_CLICKS).nullable(),
  /** Why it led elsewhere than the link says. */
  note: z.enum(CLICK_NOTES).nullable(),
  ...storedSubs,
  /** The page that the link names. */
  to: z.string().optional(),
  /** The other parameters: the first of them, cut. */
  others: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Whether the other parameters go on to the merchant. */
  forwards: z.boolean(),
  /** The User-Agent header. */
  userAgent: z.string(),
  /** As in the click log: only if the brand shows IP addresses. */
  fromIp: z.string().optional(),
  /** As in the click log: only if the brand shows referrers. */
  referer: z.string().nullable().optional(),
  /** What the merchant was handed; null if nobody was. */
  url: z.string().nullable(),
  /** A test’s: the merchant’s postbacks with it count nowhere. */
  clickId: z.string().nullable(),
})
export type TestVisit = z.infer<typeof testVisitSchema>

export const linkTestsEndpoints = {
  createLinkTest: endpoint({
    method: 'POST',
    path: '/api/links/tests',
    summary:
      'Make a link to try out, as an agent’s link with sub ids and a page. Its visits count nowhere.',
    ability: 'links.generate',
    action: 'CREATE',
    refuses: [404, 429],
    body: z.strictObject({
      agentId: idSchema.nullish(),
      typeId: idSchema,
      ...storedSubs,
      to: line(LONGEST_PAGE).optional(),
    }),
    response: z.object({ id: z.string(), url: z.string(), endsAt: z.iso.datetime() }),
  }),
  linkTest: endpoint({
    method: 'GET',
    path: '/api/links/tests/:id',
    summary:
      'Get the last visit of a link that the caller tries out, and the postbacks with its click id',
    ability: 'links.generate',
    action: 'none',
    params: z.object({ id: line(16) }),
    refuses: [404],
    response: z.object({
      endsAt: z.iso.datetime(),
      /** Null until somebody opens it. */
      visit: testVisitSchema.nullable(),
      postbacks: z.array(
        z.object({
          receivedAt: z.iso.datetime(),
          outcome: z.enum(postbackOutcomes),
          event: z.string().nullable(),
          /** For who may see postbacks. */
          reason: z.string().nullable(),
        }),
      ),
    }),
  }),
}
