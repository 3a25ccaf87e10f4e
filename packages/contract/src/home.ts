import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { avpStandingSchema, closeAgentsSchema } from './avp-week.ts'
import { idSchema } from './list.ts'
import { STATEMENT_STATES } from './statements.ts'
import { dateRangeSchema, daySchema } from './periods.ts'
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

const homeTierSchema = z.object({
  from: z.int(),
  /** 1000 or more means no upper limit. */
  to: z.int(),
  index: z.int(),
  /** Pesos per sale. Only if payouts are visible. */
  payoutPhp: z.number().optional(),
})

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
  /**
   * Whether the last half-month's pay is closed, and the caller's statement, if there is one. For offices and agents
   * who see payouts, while pay is on.
   */
  lastPay: z
    .object({
      isClosed: z.boolean(),
      statement: z
        .object({ id: idSchema, number: z.string(), state: z.enum(STATEMENT_STATES) })
        .nullable(),
    })
    .optional(),
  /** The current week's sales on AVP sites. Null if no schedule is in force. */
  avpWeek: dateRangeSchema
    .extend({
      avpSales: z.int(),
      /** Agents with AVP sales; 1 or 0 for an agent. */
      agents: z.int(),
      /** An agent's own tier. Null for everybody else. */
      tier: homeTierSchema.nullable(),
      /**
       * The next tier, and how many sales it takes to reach it. Null in the top tier, and for
       * everybody but agents.
       */
      next: homeTierSchema.extend({ missing: z.int().positive() }).nullable(),
      course: z.array(z.int()),
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
        /** Of the last 14 days, from `postbacksFrom` on. Only with the ability to see postbacks. */
        conflict: needSchema.nullable(),
        unmatched: needSchema.nullable(),
        waiting: needSchema.nullable(),
        /** Only with the ability to approve agents. */
        unapproved: needSchema.nullable(),
        /** Only with the ability to manage pay, while it is on: periods to close, accounts to confirm, runs to approve. */
        pay: z
          .object({
            periods: needSchema.nullable(),
            accounts: needSchema.nullable(),
            runs: needSchema.nullable(),
          })
          .optional(),
      }),
      postbacksFrom: daySchema,
      /**
       * Active sites without a sale for at least three hours, and for as long as five sales usually
       * take.
       */
      silentSites: z.array(
        z.object({
          siteId: idSchema,
          sitename: z.string(),
          /** Null: none in 14 days. */
          lastSaleAt: z.iso.datetime().nullable(),
          /** Sales in the 14 days before today. */
          usualSales: z.int(),
        }),
      ),
    })
    .optional(),
  /** For superadmins, until the first click counts: what a new network still needs. */
  setup: z
    .object({
      done: z.array(z.enum(setupSteps)),
      /** The first site, with which the next steps work. */
      siteId: idSchema.nullable(),
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
}
