import { AVP_RULES, CURRENCIES, PAYEES } from '@tallyroom/domain/pay'
import { TAX_COUNTRIES } from '@tallyroom/domain/tax-number'
import { z } from 'zod'
import { idSchema } from '../../list.ts'
import { daySchema } from '../../periods.ts'
import { payeeSchema } from '../terms/payees.ts'

/*
 * What a statement contains, stored forever. To change a shape here, add a new format number next
 * to the old one, because `cli pay verify` recomputes the bytes of every statement.
 */

const agentOfLine = { agentId: idSchema, agentName: z.string() }
const officeOfLine = { officeId: idSchema, officeName: z.string() }

/** Events of one agent, site and link type that were paid in the same way. */
const rateLineSchema = z.object({
  ...agentOfLine,
  ...officeOfLine,
  siteId: idSchema,
  siteName: z.string(),
  typeId: idSchema,
  typeName: z.string(),
  /** Per event, in centavos. */
  rateCentavos: z.int(),
  /** `type`: the link type's rates. `office`: the office's own. */
  rateSource: z.enum(['type', 'office']),
  /**
   * The Monday of the week whose tier pays these sales, on a line of its own; null if their rate
   * pays them.
   */
  tierWeek: daySchema.nullable(),
  /** Reversals or differences of sales that were paid before pay was switched on. */
  settledOutside: z.boolean(),
  /** Marked for fraud. */
  fraud: z.boolean(),
  sales: z.int(),
  bonuses: z.int(),
  reversals: z.int(),
  /**
   * Differences from backdated rates, `rateCentavos` each. A line with differences has nothing
   * else.
   */
  differences: z.int().optional(),
  /** Refunded parts of sales, `rateCentavos` each. A line with parts has nothing else. */
  parts: z.int().optional(),
  /** What they pay; 0 if a tier pays. */
  centavos: z.int(),
  /**
   * Whether its sales are Day#1 Approvals and its bonuses Day#2 Sales, as on the last of its days. Only in answers, as is
   * `backdatings`: neither is stored.
   */
  useApproveSale: z.boolean().optional(),
  /** Why there are differences, and on which days their sales were made. */
  backdatings: z
    .array(
      z.object({
        /** Null if it was written for staff alone, or its agent was deleted. */
        reason: z.string().nullable(),
        differences: z.int(),
        start: daySchema,
        end: daySchema,
      }),
    )
    .optional(),
})
export type RateLine = z.infer<typeof rateLineSchema>

/**
 * What an AVP week pays for an agent's sales for one office, less what earlier statements paid for
 * it.
 */
const tierLineSchema = z.object({
  ...agentOfLine,
  ...officeOfLine,
  /** Its Monday. */
  week: daySchema,
  /** The agent's AVP sales of the whole week, which decide the tier. */
  sales: z.int(),
  /** How many of them are paid here: those made for this office. */
  paidSales: z.int(),
  tier: z.int(),
  rateCentavos: z.int(),
  rateCents: z.int(),
  /** The week's line on an earlier statement, which this one corrects; null for the first. */
  before: z.object({ sales: z.int(), paidSales: z.int(), tier: z.int() }).nullable(),
  /** The same pay in both currencies. `currency` says which one counts. */
  centavos: z.int(),
  cents: z.int(),
  currency: z.enum(CURRENCIES),
})
export type TierLine = z.infer<typeof tierLineSchema>

const adjustmentLineSchema = z.object({
  id: idSchema,
  currency: z.enum(CURRENCIES),
  /** In minor units. */
  amount: z.int(),
  reason: z.string(),
  /** Absent from what counts as earned. */
  countsAs: z.literal('not income').optional(),
  /** Empty in an answer to a payee. */
  by: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
})

/** What a statement takes back of an advance. */
const instalmentLineSchema = z.object({
  /** Of the advance. */
  id: idSchema,
  paidOn: daySchema,
  voucher: z.string(),
  /** It is the nth statement after the advance, and `of` were agreed; later ones take the rest. */
  place: z.int(),
  of: z.int(),
  /** What is taken; 0 if the statement adds nothing to the balance. */
  amount: z.int(),
  /** What stays owed of the advance. */
  owed: z.int(),
})

/** What a statement withholds from what was earned, or gives back. */
const taxSchema = z.object({
  /** The payee's tax details in force on the period's last day. */
  detailsId: idSchema,
  /** The tax office's code of the kind of income. */
  code: z.string(),
  /** In hundredths of a percent, as in force on that day. */
  rateBp: z.int(),
  /** The calendar's quarter of that day: `2026-Q4`. */
  quarter: z.string(),
  /** What was earned: `amount` without what is not income. */
  base: z.int(),
  /** What earlier statements withheld of the payee in this quarter and currency, whatever the rate. */
  before: z.int(),
  /** Negative if it is given back, which is at most `before`. */
  withheld: z.int(),
})

/** Who pays or is paid, as their tax details said on the last day of the period. */
const taxPartySchema = z.object({
  registeredName: z.string(),
  country: z.enum(TAX_COUNTRIES),
  taxNumber: z.string(),
  address: z.string(),
})

export const statementContentSchema = z.object({
  format: z.literal(1),
  number: z.string(),
  period: z.object({
    name: z.string(),
    start: daySchema,
    end: daySchema,
    payees: z.enum(PAYEES),
    avp: z.enum(AVP_RULES),
  }),
  zone: z.literal('America/New_York'),
  payee: payeeSchema,
  currency: z.enum(CURRENCIES),
  closedBy: z.string(),
  /** ISO 8601, UTC. */
  closedAt: z.string(),
  /** Events of the period. */
  lines: z.array(rateLineSchema),
  /** The same, for events marked for fraud. */
  fraud: z.array(rateLineSchema),
  /**
   * Events of earlier periods that were booked now, by the period of their day, whether marked for
   * fraud or not.
   */
  late: z.array(
    z.object({
      name: z.string(),
      start: daySchema,
      end: daySchema,
      lines: z.array(rateLineSchema),
    }),
  ),
  tiers: z.array(tierLineSchema),
  adjustments: z.array(adjustmentLineSchema),
  /** Amounts in the other currency, summed first and converted once; null if there are none. */
  conversion: z
    .object({
      from: z.enum(CURRENCIES),
      amount: z.int(),
      pesosE4: z.int(),
      source: z.string(),
      converted: z.int(),
    })
    .nullable(),
  /** The sum of the lines, in minor units of `currency`. */
  amount: z.int(),
  /** What adjustments that are not income add to `amount`. Absent without any. */
  notIncome: z.int().optional(),
  /** The payee's balance before this statement. */
  carried: z.int(),
  /** Absent unless tax is withheld from the payee. */
  tax: taxSchema.optional(),
  /** What is taken back of advances. Absent without any. */
  advances: z.array(instalmentLineSchema).optional(),
  /** `amount` and `carried`, less the tax withheld and what is taken back of advances. */
  due: z.int(),
  /** The first day on which what it adds to the balance can be paid. Absent if nothing holds it. */
  paidFrom: daySchema.optional(),
  /** The minimum that is paid. A smaller sum is carried to the next period. */
  minimum: z.int(),
  /** What makes it a self-billed document. Absent unless both had tax details on the last day of the period. */
  document: z
    .object({
      /** The payee's first has 1, and there are no gaps. */
      serial: z.int().min(1),
      payer: taxPartySchema,
      payee: taxPartySchema,
    })
    .optional(),
})
export type StatementContent = z.infer<typeof statementContentSchema>
