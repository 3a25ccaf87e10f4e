import { REVERSALS } from '@tallyroom/domain/event-types'
import { z } from 'zod'
import { rateDifferenceSchema } from '../pay/backdating/backdating.ts'
import { rateOriginSchema } from '../catalogue/rates.ts'
import { CLICK_NOTES, UNCOUNTED } from './click-logs.ts'
import { endpoint } from '../endpoint.ts'
import { holdSchema } from '../tracking/held-postbacks.ts'
import { likelyDoubleSchema } from '../tracking/postbacks.ts'
import { idSchema } from '../list.ts'
import { postbackOutcomes } from '../list-choices.ts'
import { daySchema } from '../periods.ts'
import { saleTierPaySchema } from '../sale-tier-pay.ts'
import { eventTypeSchema } from './sale-logs.ts'
import { avpTierSchema } from '../catalogue/avp-schedules.ts'

const rangeSchema = z.object({ start: daySchema, end: daySchema })

/** The statement that the event was booked on, either to pay it or to take it back. */
const bookedSchema = z.object({
  number: z.string(),
  /** When its period was closed. */
  closedAt: z.iso.datetime(),
  paidBy: z.enum(['rate', 'tier']),
  /** For those who may open it. */
  statementId: idSchema.optional(),
})

/** What an event added to the figures, and when. Negative for a reversal. */
const countedSchema = z.object({
  eventId: z.uuid(),
  /** The time at which it counts. */
  occurredAt: z.iso.datetime(),
  recordedAt: z.iso.datetime(),
  /** The New York day on which it counts, and the half-month of that day. */
  day: daySchema,
  halfMonth: rangeSchema,
  /** Dollars, for those who see earnings. */
  earning: z.number().optional(),
  /** Pesos, for those who see payouts. */
  payout: z.number().optional(),
  /**
   * With `payout`: what pays for it. `outside`: it was recorded before pay was switched on, and is settled elsewhere; `off`:
   * pay is not switched on.
   */
  paidBy: z.enum(['rate', 'tier', 'both', 'outside', 'off']).optional(),
  /** For those who see points. */
  lpp: z.int().optional(),
  /** Present once its pay period is closed. Offices and agents see only their own statements. */
  booked: bookedSchema.optional(),
})

const clickSchema = z.object({
  clickedAt: z.iso.datetime(),
  /** The tracked link that was opened, with its sub ids. */
  url: z.string(),
  uncounted: z.enum(UNCOUNTED).nullable(),
  /** As in the click log. */
  note: z.enum(CLICK_NOTES).nullable(),
  /** The address was reduced to its network, because the click is old. */
  isCut: z.boolean(),
  /** Only if the brand shows IP addresses. */
  ip: z.string().optional(),
  isUnique: z.boolean().optional(),
  /** Only if the brand shows referrers. */
  referrer: z.string().nullable().optional(),
  /** Staff only. */
  userAgent: z.string().nullable().optional(),
})

const salePostbackSchema = z.object({
  receivedAt: z.iso.datetime(),
  event: z.string().nullable(),
  /** The current outcome. */
  outcome: z.enum(postbackOutcomes),
  /** The event that it recorded or repeated. */
  eventId: z.uuid().nullable(),
  /** As on the Postbacks page. Staff only. */
  detail: z
    .object({
      id: z.uuid(),
      reason: z.string().nullable(),
      settledAt: z.iso.datetime().nullable(),
      /** Set while it waits for a decision. */
      hold: holdSchema.nullable(),
      clickId: z.string().nullable(),
      transactionId: z.string().nullable(),
      method: z.string(),
      ip: z.string(),
      /** As received, without secrets, as JSON text. */
      params: z.string(),
      doubles: z.array(likelyDoubleSchema).optional(),
    })
    .optional(),
})
export type SalePostback = z.infer<typeof salePostbackSchema>

/** One sale, bonus or paid click, with everything that led to it and resulted from it. */
const saleSchema = countedSchema.extend({
  eventType: eventTypeSchema,
  /** True if the site's event 0 is an approval and event 1 the sale. */
  useApproveSale: z.boolean(),
  /** The merchant's transaction id. */
  transactionId: z.string().nullable(),
  customerEmail: z.string().nullable(),
  companyId: idSchema.nullable(),
  officeName: z.string(),
  agentId: idSchema,
  agent: z.string(),
  siteId: idSchema,
  sitename: z.string(),
  typeId: idSchema,
  typename: z.string(),
  clickId: z.string(),
  /** The click came from a black-listed address. */
  fraud: z.boolean(),
  /** Whose rate it was recorded at: the link type's default, or the office's own. */
  rateSource: z.enum(['default', 'office']),
  /** Left out if the rate has always been in force. */
  rate: rateOriginSchema.optional(),
  /** On an AVP site, the tier of the agent's week so far. */
  tier: z
    .object({
      week: rangeSchema,
      /** Left out for offices: some of the sales may have been made for another one. */
      agentAvpSales: z.int().optional(),
      /** Null before the first schedule. */
      reached: avpTierSchema.nullable(),
      /** Pesos per sale, for those who see payouts. */
      payoutPhp: z.number().optional(),
    })
    .nullable(),
  /** As in the sale log: with `payout`, for what tiers pay while the sale counts. `payout` is then the rate. */
  tierPay: saleTierPaySchema.optional(),
  /** The coupon code by which it was reported, in place of a click. */
  coupon: z.string().nullable(),
  /** Null if no such click is stored. */
  click: clickSchema.nullable(),
  /** The click has been archived: its details are in a file. */
  clickIsArchived: z.boolean(),
  /** Where the link type leads now, without the click id. Staff only. */
  destination: z.string().nullable().optional(),
  /** Whether a postback reported it. */
  hasPostback: z.boolean(),
  /** Every postback about it, oldest first. */
  postbacks: z.array(salePostbackSchema),
  /** How it was taken back, in whole or in part, and counted again, in the order in which it was recorded. */
  life: z.array(
    countedSchema.extend({
      kind: z.enum(['reversed', 'restored', 'part']),
      reversal: z.enum(REVERSALS).nullable(),
      /** For a part: how much of the sale, in percent. */
      partPercent: z.number().optional(),
    }),
  ),
  /** What the merchant says that its customer paid; it changes no rate. Only if the viewer sees earnings. */
  reported: z.object({ amount: z.number(), currency: z.string().nullable() }).optional(),
  /** The agent was suspended when it came. */
  agentSuspended: z.boolean(),
  /** Its reversal; null while it counts. */
  reversal: countedSchema.extend({ kind: z.enum(REVERSALS) }).nullable(),
  /** How backdated rates have changed its amounts, oldest first. */
  differences: z.array(
    countedSchema.extend(rateDifferenceSchema.omit({ of: true, at: true }).shape),
  ),
  /** Other events of the same click: another order, or the order's bonus. */
  others: z.array(
    z.object({
      eventId: z.uuid(),
      occurredAt: z.iso.datetime(),
      eventType: eventTypeSchema,
      transactionId: z.string().nullable(),
      isReversed: z.boolean(),
    }),
  ),
})
export type Sale = z.infer<typeof saleSchema>

export const salesEndpoints = {
  sale: endpoint({
    method: 'GET',
    path: '/api/sales/:eventId',
    summary: 'Get a sale, from its click to its reversal. The id of a reversal returns its sale.',
    ability: 'logs.sales',
    byToken: 'logs',
    action: 'VIEW',
    params: z.object({ eventId: z.uuid() }),
    response: saleSchema,
  }),
}
