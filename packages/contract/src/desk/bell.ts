import { FACT_KINDS } from '@tallyroom/domain/facts'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema, idSchema } from '../list.ts'

/** What one act did, such as the closing of a period with 40 statements. */
const lineSchema = z.object({
  /** Of one of its facts. */
  id: z.uuid(),
  kind: z.enum(FACT_KINDS),
  at: z.iso.datetime(),
  /** How many facts. */
  count: z.int().positive(),
  unread: z.boolean(),
  title: z.string(),
  text: z.string(),
  /** Where it leads: begins with `/app/`. */
  page: z.string(),
})
export type BellLine = z.infer<typeof lineSchema>

/** More than these are not counted. */
export const MOST_UNREAD = 100

export const bellEndpoints = {
  bellCount: endpoint({
    method: 'GET',
    path: '/api/bell/count',
    summary: `Count what is new for you, up to ${MOST_UNREAD}`,
    ability: 'signed-in',
    action: 'none',
    response: z.object({ unread: z.int() }),
  }),
  bell: endpoint({
    method: 'GET',
    path: '/api/bell',
    summary: 'List what happened to yours in the last 90 days, newest first, at most 50 acts',
    ability: 'signed-in',
    action: 'none',
    response: z.object({
      lines: z.array(lineSchema),
      /** Sales and approvals since `since`, by site, the most first, without bonuses. They are not counted as new. */
      sales: z.array(
        z.object({
          siteId: idSchema,
          site: z.string(),
          /** What they are called where they were made: see `TOLD_EVENTS`. */
          event: z.enum(['sale', 'approval']),
          sales: z.int(),
          reversed: z.int(),
        }),
      ),
      /** When the day began in New York, or when everything was last marked as read, if that is later. */
      since: z.iso.datetime(),
      /** Up to when *Mark all as read* marks. */
      asOf: z.iso.datetime(),
    }),
  }),
  readBell: endpoint({
    method: 'POST',
    path: '/api/bell/read',
    summary: 'Mark what one act did as read, or all until an instant. Refused after *Sign in as*.',
    ability: 'signed-in',
    action: 'none',
    refuses: [403],
    body: z.union([
      /** Of a line. */
      z.strictObject({ id: z.uuid() }),
      z.strictObject({ until: z.iso.datetime() }),
    ]),
    response: doneSchema,
  }),
}
