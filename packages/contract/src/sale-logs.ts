import { isEventType, type EventType, REVERSALS } from '@tallyroom/domain/event-types'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { filter, idSchema, listRequest, pagedList, textFilter } from './list.ts'
import { logCriteria } from './log-criteria.ts'
import { startsBeforeItEnds } from './periods.ts'

const eventTypeSchema = z.custom<EventType>(
  (value) => typeof value === 'number' && isEventType(value),
  'must be 0 (sale), 1 (bonus) or 2 (click)',
)

/** A sale, a bonus, a paid click, or what takes one of them back: always a line of its own. */
export const saleLogItemSchema = z.object({
  id: z.uuid(),
  /** When it happened. */
  date: z.iso.datetime(),
  customerEmail: z.string().nullable(),
  officeName: z.string(),
  agent: z.string(),
  sitename: z.string(),
  /** Whether the site calls its first event an approval, and its second the sale. */
  useApproveSale: z.boolean(),
  typename: z.string(),
  /** Dollars, below zero for a reversal. Only with `earningVisible`. */
  earning: z.number().optional(),
  /** Pesos, below zero for a reversal. Only with `payoutVisible`. */
  payout: z.number().optional(),
  clickId: z.string(),
  eventType: eventTypeSchema,
  /** What kind of reversal this line is; null: it is none. */
  reversal: z.enum(REVERSALS).nullable(),
  /** What took this sale back later; null: nothing did. */
  takenBackBy: z.enum(REVERSALS).nullable(),
  /** The click came from a black-listed address. */
  fraud: z.boolean(),
  /** Where the click's visitor came from. Sent to superadmins alone. */
  referer: z.string().nullable().optional(),
})

export type SaleLogItem = z.infer<typeof saleLogItemSchema>

export const saleLogsSearchSchema = listRequest(['date'], { sortField: 'date', sortAsc: false })
  .extend({
    siteId: filter(idSchema),
    ...logCriteria,
    /** An event type, with what takes such an event back; or `reversal`: all that takes something back. */
    recordType: filter(z.union([eventTypeSchema, z.literal('reversal')])),
    /** A whole click id. */
    clickId: textFilter(64),
    /** A whole address, or a part of one, without regard to case. */
    email: textFilter(254),
  })
  .strict()
  .refine(...startsBeforeItEnds)

export type SaleLogsSearch = z.output<typeof saleLogsSearchSchema>

export const saleLogsEndpoints = {
  searchSaleLogs: endpoint({
    method: 'POST',
    path: '/api/sale-logs',
    summary: 'Sales, bonuses, paid clicks and reversals one by one, newest first',
    ability: 'logs.sales',
    action: 'SEARCH',
    body: saleLogsSearchSchema,
    response: z.object({
      items: pagedList(saleLogItemSchema),
      earningVisible: z.boolean(),
      payoutVisible: z.boolean(),
    }),
  }),
}
