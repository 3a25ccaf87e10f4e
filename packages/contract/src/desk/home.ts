import { POSTBACK_EVENTS } from '@tallyroom/domain/event-types'
import { HOLD_KINDS } from '@tallyroom/domain/holds'
import { z } from 'zod'
import { UNCOUNTED } from './click-logs.ts'
import { alarmSchema } from './alarms.ts'
import { endpoint } from '../endpoint.ts'
import { avpStandingSchema, closeAgentsSchema } from '../figures/avp-week.ts'
import { idSchema } from '../list.ts'
import { ownPaySchema } from '../pay/closing/earned.ts'
import { dateRangeSchema, daySchema } from '../periods.ts'
import { saleLogItemSchema } from './sale-logs.ts'

/**
 * The sums of Sites Statistics for the same days, after reversals. Only amounts that the viewer may
 * see.
 */
const sumsSchema = z.object({
  sales: z.int(),
  bonusSales: z.int(),
  /**
   * Missing if a day is compared up to a certain time: unique visitors are known only for whole
   * days.
   */
  uniques: z.int().optional(),
  payout: z.number().optional(),
  bonusPayout: z.number().optional(),
  earning: z.number().optional(),
  bonusEarning: z.number().optional(),
})
export type HomeSums = z.infer<typeof sumsSchema>

const homePeriodSchema = dateRangeSchema.extend({
  sums: sumsSchema,
  /**
   * For a half-month, what its statistics compare it with (`comparedRange`); for today, the same
   * weekday a week before, up to the same time.
   */
  before: dateRangeSchema.extend({ sums: sumsSchema }).nullable(),
  /** The headline figure by day, oldest first: 14 days for today, otherwise the days of the period so far. */
  course: z.array(z.number()),
})
export type HomePeriod = z.infer<typeof homePeriodSchema>

const agentSchema = z.object({ agentId: idSchema, username: z.string() })

/** Something that waits for a person. `since` is when the oldest one began to wait. */
const needSchema = z.object({ count: z.int().positive(), since: z.iso.datetime() })
export type Need = z.infer<typeof needSchema>

export const setupSteps = [
  'site',
  'type',
  'office',
  'agent',
  'approval',
  'domain',
  'postback',
  'click',
] as const
export type SetupStep = (typeof setupSteps)[number]

/** What a new network needs besides its first sale, until it can pay for it. */
export const paySteps = ['mail', 'contact', 'second', 'visible', 'pay'] as const
export type PayStep = (typeof paySteps)[number]

const homeSchema = z.object({
  today: daySchema,
  /**
   * The figure by which periods are measured and compared: the best one that the viewer may see.
   */
  headline: z.enum(['earning', 'payout', 'sales']),
  periods: z.object({
    today: homePeriodSchema,
    halfMonth: homePeriodSchema,
    lastHalfMonth: homePeriodSchema,
  }),
  /** What offices and agents who see payouts are paid, while pay is on. */
  pay: ownPaySchema.optional(),
  /** The current week's sales on AVP sites. Null if no schedule is in force. */
  avpWeek: dateRangeSchema
    .extend({
      avpSales: z.int(),
      /** Agents with AVP sales; 1 or 0 for an agent. */
      agents: z.int(),
      course: z.array(z.int()),
      /**
       * What they would pay by tier so far, in pesos. For offices and agents who see payouts, while pay is off. It is no
       * part of `payout`, which is by rates.
       */
      byTiers: z.number().optional(),
    })
    .nullable(),
  /** Where an agent's own week stands. Absent before the first schedule. */
  avpStanding: avpStandingSchema.optional(),
  /** An office's agents who are closest to their next tier. */
  avpClose: closeAgentsSchema.pick({ total: true, items: true }).optional(),
  /** Newest first. */
  latestSales: z.array(saleLogItemSchema.omit({ customerEmail: true, referer: true })),
  /** An agent's own links, most used first in 14 days. Links that do not work are left out. */
  links: z
    .array(
      z.object({
        siteId: idSchema,
        typeId: idSchema,
        sitename: z.string(),
        typename: z.string(),
        link: z.url(),
        uniques: z.int(),
        sales: z.int(),
      }),
    )
    .optional(),
  /** An office's own agents. */
  agents: z
    .object({
      /**
       * Approved and active, but without a sale for three days. Whoever stopped last comes first;
       * null: none in 30 days.
       */
      quiet: z.object({
        total: z.int(),
        items: z.array(agentSchema.extend({ lastSaleDay: daySchema.nullable() })),
      }),
      /** Seven whole days, compared with the seven before. */
      compared: dateRangeSchema.extend({ before: dateRangeSchema }),
      best: z.array(agentSchema.extend({ sales: z.int(), salesBefore: z.int() })),
      fallen: z.array(agentSchema.extend({ sales: z.int(), salesBefore: z.int() })),
      unapproved: needSchema.nullable(),
    })
    .optional(),
  /** For staff: the whole network. */
  network: z
    .object({
      /**
       * Today so far, and the same weekday a week before up to the same time; sites with sales on
       * either day.
       */
      sites: z.array(
        z.object({
          siteId: idSchema,
          sitename: z.string(),
          sums: sumsSchema,
          before: sumsSchema,
        }),
      ),
      needs: z.object({
        /** Postbacks to decide about, by what they are held for; the longest wait first. `words` are not among them. Like the next four, only with the ability to see postbacks. */
        held: z.array(needSchema.extend({ kind: z.enum(HOLD_KINDS) })),
        /** What sites have sent for the first time, with the number of postbacks that wait for its meaning; at most 50. */
        words: z.array(
          needSchema.extend({
            siteId: idSchema,
            sitename: z.string(),
            parameter: z.string(),
            value: z.string(),
            /** Beside which it came: the same word beside another is another question. */
            event: z.enum(POSTBACK_EVENTS),
          }),
        ),
        /** Postbacks since `postbacksFrom`, 14 days ago, whose click or sale never came. */
        unmatched: needSchema.nullable(),
        waiting: needSchema.nullable(),
        /** Postbacks that the merchant has not approved for 30 days. */
        pending: needSchema.nullable(),
        /** Only with the ability to approve agents. */
        unapproved: needSchema.nullable(),
        /** Only with the ability to manage pay, while it is on: periods to close, accounts to confirm, accounts that their payees did not enter, runs to approve, what the viewer can approve as a second person, transfers of which the bank says that they were paid and refused. */
        pay: z
          .object({
            periods: needSchema.nullable(),
            accounts: needSchema.nullable(),
            disowned: needSchema.nullable(),
            runs: needSchema.nullable(),
            proposals: needSchema.nullable(),
            /** With the run of the first. */
            contradicted: needSchema.extend({ runId: idSchema }).nullable(),
          })
          .optional(),
      }),
      postbacksFrom: daySchema,
      /** What normally comes and does not, or links that fail, unless it is quiet; the newest first, at most 20. */
      alarms: z.array(alarmSchema),
    })
    .optional(),
  /** For superadmins, until the first click counts: what a new network still needs. */
  setup: z
    .object({
      done: z.array(z.enum(setupSteps)),
      /** The first site, with which the next steps work. */
      siteId: idSchema.nullable(),
      /** Clicks that arrived and were not counted, at most 100, and why the newest was not. Null once one counts. */
      uncounted: z.object({ clicks: z.int(), because: z.enum(UNCOUNTED) }).nullable(),
      /** Postbacks of which none became a sale, at most 100, and why the newest did not. Null once one does. */
      failed: z.object({ postbacks: z.int(), reason: z.string().nullable() }).nullable(),
      /** A working link, once there is one. */
      link: z.url().nullable(),
    })
    .optional(),
})
export type Home = z.infer<typeof homeSchema>

export const homeEndpoints = {
  home: endpoint({
    method: 'GET',
    path: '/api/home',
    summary: 'Get the caller’s own figures, and what waits for them',
    ability: 'dashboard.view',
    action: 'none',
    revalidated: true,
    response: homeSchema,
  }),
  firstPayment: endpoint({
    method: 'GET',
    path: '/api/home/first-payment',
    summary: 'Get which steps towards its first payment a new network has taken',
    ability: 'options.manage',
    action: 'none',
    response: z.object({ done: z.array(z.enum(paySteps)) }),
  }),
}
