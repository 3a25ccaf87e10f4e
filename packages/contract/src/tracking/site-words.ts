import { POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { STANDINGS } from '@tallyroom/domain/standings'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idTextSchema } from '../list.ts'
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
}
