import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { line } from './list.ts'

/** The shortest text that is searched. A single letter would match nearly every name. */
export const SHORTEST_FIND = 2

/** The most matches of each kind. */
export const MOST_FOUND = 6

const foundSchema = z.object({
  /** A `click` has no sale yet; its postbacks may explain why. */
  kind: z.enum(['sale', 'click', 'agent', 'office', 'site']),
  /** The id of its page; for a click, its click id. */
  id: z.string(),
  label: z.string(),
  detail: z.string(),
  active: z.boolean(),
  /** The text equals the whole name, address, order number or click id. */
  isExact: z.boolean(),
})
export type Found = z.infer<typeof foundSchema>

export const findEndpoints = {
  find: endpoint({
    method: 'POST',
    path: '/api/find',
    summary:
      'Find agents, offices, sites and sales by name, email, order number or click id, best match first',
    ability: 'signed-in',
    action: 'SEARCH',
    body: z.strictObject({ text: line(128).trim().min(SHORTEST_FIND) }),
    response: z.array(foundSchema),
  }),
}
