import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { filter, idSchema, line } from '../list.ts'
import { logCriteria } from '../log-criteria.ts'
import { startsBeforeItEnds } from '../periods.ts'

/** The shortest text that is searched. A single letter would match nearly every name. */
export const SHORTEST_FIND = 2

/** The most matches of each kind. */
export const MOST_FOUND = 6

const foundSchema = z.object({
  /** A `payment` is one to the viewer; whoever pays finds the `run` that it is in. */
  kind: z.enum([
    'sale',
    'click',
    'postback',
    'statement',
    'run',
    'payment',
    'agent',
    'office',
    'site',
    'admin',
  ]),
  /**
   * The id of its page. For a click, its click id; for a postback, what the list of postbacks finds it by; for a payment,
   * the payee whose balance it is in, as in `office/1`.
   */
  id: z.string(),
  label: z.string(),
  detail: z.string(),
  active: z.boolean(),
  /** The text equals the whole name, address, number or click id. */
  isExact: z.boolean(),
})
export type Found = z.infer<typeof foundSchema>

const logs = ['sales', 'clicks', 'chats', 'postbacks'] as const
export type LogName = (typeof logs)[number]

/** `empty` has no entries for the criteria. */
const otherLogsSchema = z
  .strictObject({ empty: z.enum(logs), ...logCriteria, siteId: filter(idSchema) })
  .refine(...startsBeforeItEnds)
export type OtherLogsAsked = z.output<typeof otherLogsSchema>

export const findEndpoints = {
  find: endpoint({
    method: 'POST',
    path: '/api/find',
    summary:
      'Find people, sites, sales, clicks, postbacks, statements and payments by name, email or number, best match first',
    ability: 'signed-in',
    action: 'SEARCH',
    body: z.strictObject({ text: line(128).trim().min(SHORTEST_FIND) }),
    response: z.object({
      items: z.array(foundSchema),
      /** What it means that no sale has this number, address or click id; null if that says nothing. */
      meaning: z.string().nullable(),
    }),
  }),
  otherLogs: endpoint({
    method: 'POST',
    path: '/api/find/logs',
    summary: 'Count what the logs hold, for a log in which nothing matches',
    ability: 'signed-in',
    action: 'SEARCH',
    body: otherLogsSchema,
    response: z.object({
      /** Other logs with entries for the same criteria. Postbacks have no agents, so they count only without one. */
      others: z.array(z.object({ log: z.enum(logs), total: z.int() })),
      /** Entries of the empty log on any day and of any kind; null without days among the criteria. */
      onAnyDay: z.int().nullable(),
    }),
  }),
}
export type OtherLogs = z.infer<typeof findEndpoints.otherLogs.response>
