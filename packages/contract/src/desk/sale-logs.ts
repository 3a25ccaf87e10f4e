import { isEventType, type EventType, REVERSALS } from '@tallyroom/domain/event-types'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { onOffSchema } from '../forms.ts'
import {
  afterSchema,
  filter,
  idSchema,
  listRequest,
  orStandard,
  pagedList,
  textFilter,
} from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { logCriteria } from '../log-criteria.ts'
import { startsBeforeItEnds } from '../periods.ts'
import { saleTierPaySchema } from '../sale-tier-pay.ts'
import { storedSubs, subCriteria, subIsNamed } from '../sub-ids.ts'

export const eventTypeSchema = z.custom<EventType>(
  (value) => typeof value === 'number' && isEventType(value),
  'must be 0 (sale), 1 (bonus) or 2 (click)',
)

/** A sale, bonus or paid click, or the reversal of one, which is a separate entry. */
export const saleLogItemSchema = z.object({
  id: z.uuid(),
  /** When it happened. */
  date: z.iso.datetime(),
  customerEmail: z.string().nullable(),
  companyId: idSchema,
  officeName: z.string(),
  agentId: idSchema,
  agent: z.string(),
  siteId: idSchema,
  sitename: z.string(),
  /** True if the site's event 0 is an approval and event 1 the sale. */
  useApproveSale: z.boolean(),
  typename: z.string(),
  /** Dollars, negative for a reversal. Only with `earningVisible`. */
  earning: z.number().optional(),
  /** Pesos, negative for a reversal. Only with `payoutVisible`. */
  payout: z.number().optional(),
  /** With `payoutVisible`, for what tiers pay. `payout` is then the rate. */
  tierPay: saleTierPaySchema.optional(),
  clickId: z.string(),
  /** Of the click, as long as it is stored. */
  ...storedSubs,
  /** The order number: the merchant's transaction id. */
  transactionId: z.string().nullable(),
  eventType: eventTypeSchema,
  /** The kind of reversal; null if this is not one. */
  reversal: z.enum(REVERSALS).nullable(),
  /** How this event was later reversed; null if it was not. */
  takenBackBy: z.enum(REVERSALS).nullable(),
  /** Not a sale, but what backdated rates, or the refund of a part, have changed about one. */
  isDifference: z.literal(true).optional(),
  /** For the refund of a part: how much of the sale, in percent. */
  partPercent: z.number().optional(),
  /** It counts a sale again that was reversed before. */
  isRestored: z.literal(true).optional(),
  /** The agent was suspended when it came. */
  agentSuspended: z.literal(true).optional(),
  /** What the merchant says that its customer paid, or got back; it changes no rate. Only with `earningVisible`. */
  reported: z.object({ amount: z.number(), currency: z.string().nullable() }).optional(),
  /** The click came from a black-listed address. */
  fraud: z.boolean(),
  /** The click's Referer header. Superadmins only. */
  referer: z.string().nullable().optional(),
})

export type SaleLogItem = z.infer<typeof saleLogItemSchema>

export const saleLogsSearchSchema = listRequest(sortFields.saleLogs, {
  sortField: 'date',
  sortAsc: false,
})
  .extend({
    siteId: filter(idSchema),
    ...logCriteria,
    /** An event type, including its reversals; or `reversal` for all reversals. */
    recordType: filter(z.union([eventTypeSchema, z.literal('reversal')])),
    /** A complete click id. */
    clickId: textFilter(64),
    /** An order number or its beginning, case-insensitive. */
    transactionId: textFilter(128),
    /** An address or part of one, case-insensitive. */
    email: textFilter(254),
    /** Of the click. Not with `after`. */
    ...subCriteria,
    /** Leaves out paid clicks that pay nothing. No effect for viewers who don't see payouts. */
    withoutUnpaid: orStandard(onOffSchema, false),
    /** Reads on by the time of recording, oldest first, instead of by pages: `page` and the order have no effect. */
    after: filter(afterSchema),
  })
  .strict()
  .refine(...startsBeforeItEnds)
  .refine(...subIsNamed)
  .refine(({ sub, after }) => sub === undefined || after === undefined, {
    path: ['sub'],
    message: 'is not a filter for reading on: leave out after',
  })

export type SaleLogsSearch = z.output<typeof saleLogsSearchSchema>

export const saleLogsEndpoints = {
  searchSaleLogs: endpoint({
    method: 'POST',
    path: '/api/sale-logs',
    summary: 'Search sales, bonuses, paid clicks and reversals, newest first',
    ability: 'logs.sales',
    byToken: 'logs',
    action: 'SEARCH',
    body: saleLogsSearchSchema,
    response: z.object({
      items: pagedList(saleLogItemSchema),
      earningVisible: z.boolean(),
      payoutVisible: z.boolean(),
      /** How many `withoutUnpaid` has left out. */
      leftOut: z.int().optional(),
      /** The `after` of the next call, with `after`. `total` is then the number of these rows. */
      next: afterSchema.optional(),
    }),
  }),
}
