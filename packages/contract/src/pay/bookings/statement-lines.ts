import { REVERSALS } from '@tallyroom/domain/event-types'
import { CURRENCIES } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { idSchema, idTextSchema } from '../../list.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../list-choices.ts'
import { daySchema } from '../../periods.ts'
import { statementsEndpoints } from '../statements/statements.ts'

/** One booked event of a line. Names are those on the day of closing. */
const bookedEventSchema = z.object({
  eventId: z.uuid(),
  /** Null if the agent was deleted, and the event with them. The booking stays. */
  occurredAt: z.iso.datetime().nullable(),
  /** The New York day. */
  day: daySchema,
  /** 0 sale, 1 bonus. */
  eventType: z.int(),
  /** The kind of reversal; null for the sale itself. */
  reversal: z.enum(REVERSALS).nullable(),
  siteName: z.string(),
  /** Whether the site's sales are Day#1 Approvals, and its bonuses Day#2 Sales. */
  useApproveSale: z.boolean(),
  typeName: z.string(),
  /** The order number, if the merchant sent one. */
  transactionId: z.string().nullable(),
  /** 1; −1 for a reversal; 0 for a difference from backdated rates, or a refunded part. */
  quantity: z.int(),
  /** It takes back a part of what the sale pays. */
  isPart: z.boolean(),
  /** Why rates were backdated, for a difference from that. Null for others, and if it was written for staff alone. */
  reason: z.string().nullable(),
  /** Per event, in minor units. In an AVP week: what its tier pays per sale. */
  rate: z.int(),
  /** What this line pays for it. */
  amount: z.int(),
  /** It was paid before pay was switched on: it counts for the tier, but is not paid here. */
  settledOutside: z.boolean(),
})
export type BookedEvent = z.infer<typeof bookedEventSchema>

/** The bookings behind a line of a statement. Amounts are minor units of `currency`. */
const statementLineSchema = z.object({
  currency: z.enum(CURRENCIES),
  /** The amount on the statement. */
  amount: z.int(),
  /**
   * The sum of all of the line's events and earlier payments, not only of this page. Equals
   * `amount`.
   */
  sum: z.int(),
  /** Newest first. */
  events: z.array(bookedEventSchema),
  total: z.int(),
  /** The sum of all events. */
  eventsAmount: z.int(),
  /**
   * Only for a corrected AVP week: what earlier statements paid for it, oldest first. Negative,
   * because it is deducted.
   */
  earlier: z.array(
    z.object({
      statementId: idSchema,
      number: z.string(),
      sales: z.int(),
      tier: z.int(),
      amount: z.int(),
    }),
  ),
})
export type StatementLine = z.infer<typeof statementLineSchema>

export const statementLinesEndpoints = {
  statementLine: endpoint({
    method: 'GET',
    path: '/api/pay/statements/:id/line',
    summary: 'List the bookings that a line of a statement is made of, newest first',
    ability: statementsEndpoints.statement.ability,
    byToken: 'statements',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    query: z.object({
      /** The `key` that `statementSections` gives the line. */
      key: z.string().regex(/^[\w.-]{1,120}$/, 'must be the key of a line'),
      page: z.coerce.number().pipe(z.int().min(1).max(1_000_000)).default(1),
      pageSize: z.coerce
        .number()
        .pipe(z.int().min(1).max(MAX_PAGE_SIZE))
        .default(DEFAULT_PAGE_SIZE),
    }),
    response: statementLineSchema,
  }),
}
