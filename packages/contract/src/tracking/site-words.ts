import { POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { STANDINGS } from '@tallyroom/domain/standings'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { decidedWordSchema } from '../catalogue/sites.ts'
import { idTextSchema, required } from '../list.ts'
import { readAsSchema } from './postbacks.ts'

const countsSchema = z.object({
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  /** How often it came; several times in a postback, if it is part of a list. */
  times: z.int(),
})

/** A parameter that a site's merchant has sent, and what it is read as now. */
const siteWordSchema = countsSchema.extend({
  parameter: z.string(),
  readAs: readAsSchema,
  /** It has too many values to be words, or none that is one. */
  isFree: z.boolean(),
  /** Its value in the last postback that had it. */
  example: z.string().nullable(),
  /** Of one that is not free, what it said; at most 20. */
  values: z.array(
    countsSchema.extend({
      value: z.string(),
      /** What the word says happened, or whether it counts. Null if it changes nothing. */
      means: z
        .enum([...POSTBACK_EVENTS, ...STANDINGS, 'ignored', 'held', 'not understood'])
        .nullable(),
    }),
  ),
})

const siteWordsSchema = z.object({
  /** Postbacks that arrived later are not in it yet. */
  readUntil: z.iso.datetime(),
  /** At most 200. */
  items: z.array(siteWordSchema),
})
export type SiteWords = z.infer<typeof siteWordsSchema>

export const siteWordsEndpoints = {
  siteWords: endpoint({
    method: 'GET',
    path: '/api/sites/:siteId/postback/words',
    summary:
      'List the parameters that a site has sent so far and the words in them, with how often, and what each is read as',
    ability: 'postbacks.manage',
    action: 'VIEW',
    params: z.object({ siteId: idTextSchema }),
    response: siteWordsSchema,
  }),
  decideSiteWord: endpoint({
    method: 'POST',
    path: '/api/sites/:siteId/postback/words',
    summary:
      'Say what a new word of a site means. Settles all postbacks that are held for it, and counts for all that come.',
    ability: 'postbacks.settle',
    action: 'UPDATE',
    params: z.object({ siteId: idTextSchema }),
    body: z.strictObject({
      ...decidedWordSchema.shape,
      /** Why, in the words of whoever decides. Kept with the postbacks and in the logs. */
      reason: required(200),
    }),
    response: z.object({
      /** Postbacks that it settled. */
      settled: z.int(),
      /** Those that are still held with it: up to some thousand are settled within a minute. */
      held: z.int(),
    }),
  }),
}
