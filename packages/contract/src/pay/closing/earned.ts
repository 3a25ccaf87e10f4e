import { AVP_RULES, CURRENCIES, PAYEES } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { onOffSchema } from '../../forms.ts'
import { filter, idSchema, idTextSchema } from '../../list.ts'
import { daySchema, startsBeforeItEnds, withRange } from '../../periods.ts'
import { payeeSchema } from '../terms/payees.ts'
import { statementContentSchema } from '../statements/statement.ts'
import { payPeriodSchema, periodNameSchema } from '../terms/periods.ts'
import { heldPartSchema } from '../terms/settings.ts'
import { OPEN_STEPS, PAYMENT_BLOCKS, STATEMENT_STATES } from '../statements/statements.ts'

/*
 * What was earned in a pay period: what its statements say or, before it is closed, what they would say if it were
 * closed now. Tiers pay at what their weeks have reached so far. Amounts are minor units.
 */

const bothCurrencies = z.object({ PHP: z.int(), USD: z.int() })

const earnedSchema = z.object({
  /** The currency of the statement. */
  currency: z.enum(CURRENCIES),
  /**
   * All parts, in `currency`. Null if some of them are in the other currency and the period has no exchange rate yet.
   */
  amount: z.int().nullable(),
  /** What of `amount` is adjustments that are not income. Null as `amount`. */
  notIncome: z.int().nullable(),
  /** Sales paid by their rates, less reversals. In centavos, like bonuses and differences. */
  rates: z.int(),
  bonuses: z.int(),
  /** What backdated rates and refunds of a part changed. */
  differences: z.int(),
  /** What weeks of AVP sales pay: those that end in the period, and corrections of earlier ones. */
  tiers: bothCurrencies,
  adjustments: bothCurrencies,
})
export type Earned = z.infer<typeof earnedSchema>

const earnedOfPayeeSchema = earnedSchema.extend({
  /** Null for the agents of the caller, an office, which are paid themselves. */
  payee: payeeSchema.nullable(),
  /** The lines of a caller who is not the payee: an agent's part of an office's statement, or what an office's agents are paid. */
  isPart: z.boolean(),
})
export type EarnedOfPayee = z.infer<typeof earnedOfPayeeSchema>

const earnedPeriodSchema = payPeriodSchema.extend({
  isClosed: z.boolean(),
  payees: z.enum(PAYEES),
  avp: z.enum(AVP_RULES),
})

/** What the caller earned in a period: one entry for each payee that is paid for it. */
const ownEarnedSchema = earnedPeriodSchema.extend({ to: z.array(earnedOfPayeeSchema) })
export type OwnEarned = z.infer<typeof ownEarnedSchema>

/** What somebody earned in a period, by the currency of whoever is paid for it. */
const earnedSumsSchema = earnedPeriodSchema.extend({ sums: z.array(earnedSchema) })

/** The earned figures of an office's or agent's first screen, for everybody who may see them. */
const recentEarnedSchema = z.object({
  /** The sum of today's events, at the tiers that their weeks have reached so far. */
  today: bothCurrencies,
  now: earnedSumsSchema,
  /** The period before, and the one before that; null if pay was not on yet. */
  last: earnedSumsSchema.nullable(),
  before: earnedSumsSchema.nullable(),
})
export type RecentEarned = z.infer<typeof recentEarnedSchema>

/** A statement as its payee reads of it. */
const shownStatementSchema = z.object({
  id: idSchema,
  number: z.string(),
  state: z.enum(STATEMENT_STATES),
  /** How far the run is that pays it, while it is `running`; null otherwise. */
  step: z.enum(OPEN_STEPS).nullable(),
  /** The first day on which what it adds can be paid; null if nothing holds it. */
  paidFrom: daySchema.nullable(),
  /** The day on which it was paid. */
  paidOn: daySchema.nullable(),
  /** Whether some of its transfers were paid, and others failed or came back. */
  paidInPart: z.boolean(),
  /** The period whose statement contains what was still owed. */
  carriedInto: z.string().nullable(),
})
export type ShownStatement = z.infer<typeof shownStatementSchema>

const nextPaymentSchema = z.object({
  period: payPeriodSchema,
  /**
   * How far it is: `earning` until its period is closed, `closed` until a run is prepared that pays it, then as that run.
   * What comes next is up to the network, but for the end of the period and for the bank.
   */
  step: z.enum(['earning', 'closed', ...OPEN_STEPS]),
  payee: payeeSchema,
  /** The payee is the caller's office, and the amount is the caller's part. */
  isPart: z.boolean(),
  currency: z.enum(CURRENCIES),
  /** What was earned, less the tax on it, and what was still owed before. Null if that takes an exchange rate that nobody has entered yet. */
  amount: z.int().nullable(),
  /** What of it was owed from earlier periods; 0 for a part. */
  carried: z.int(),
  /** What tax its statement withholds, less what it gives back; 0 for a part, and while it has no statement of its own. */
  withheld: z.int(),
  /** What was paid and came back, and has not been paid again; 0 for a part. */
  returned: z.int(),
  /**
   * If the bank has answered for a part of a payment: what of it arrived, and what failed. The amount is then what is under way. Null otherwise, and for a part.
   */
  answered: z.object({ arrived: z.int(), failed: z.int() }).nullable(),
  /** What of it can be paid only later, by day; none of a part. */
  later: z.array(heldPartSchema),
  /** How many days after the end of a period the payee was usually paid: the median of their last six statements. */
  usualDays: z.int().nullable(),
  /**
   * The day by which to expect it: the bank's of an approved run, otherwise the usual number of days after the period ends. Null if
   * neither is known. May have passed.
   */
  expectedBy: daySchema.nullable(),
  /** Null until the period is closed. */
  statementId: idSchema.nullable(),
  /** Why it would not be paid now; null if it would, and for a part. */
  blocked: z.enum(PAYMENT_BLOCKS).nullable(),
  /** Where the money goes, if the caller is the payee and has a confirmed account. */
  account: z.object({ institution: z.string(), lastCharacters: z.string() }).nullable(),
})
export type NextPayment = z.infer<typeof nextPaymentSchema>

/** An office's or agent's pay, on their first screen. */
export const ownPaySchema = z.object({
  /** The sum of today's events, at the tiers that their weeks have reached so far. */
  today: bothCurrencies,
  now: ownEarnedSchema,
  /** The period before; null if pay was not on yet. */
  last: ownEarnedSchema.extend({ statement: shownStatementSchema.nullable() }).nullable(),
  /** The one before that. */
  before: ownEarnedSchema.nullable(),
  next: nextPaymentSchema.nullable(),
})
export type OwnPay = z.infer<typeof ownPaySchema>

export const earnedEndpoints = {
  earned: endpoint({
    method: 'POST',
    path: '/api/pay/earned',
    summary:
      'Get what the pay periods of these days pay by their rules: as their statements say or, while they are open, as they would if they were closed now',
    ability: 'dashboard.view',
    byToken: 'statements',
    action: 'none',
    refuses: [409],
    body: withRange({
      /** The days are weeks, which belong to the period of their Sunday. */
      isWeekly: onOffSchema.default(false),
      companyId: filter(idSchema),
      agentId: filter(idSchema),
    }).refine(...startsBeforeItEnds),
    response: z.object({
      /**
       * The periods that have these days, oldest first. Empty while pay is off, for days before it, and for more than
       * `MOST_PERIODS`.
       */
      periods: z.array(earnedPeriodSchema),
      /** The sums of all of them by the currency of the payees. */
      sums: z.array(earnedSchema),
    }),
  }),
  recentEarned: endpoint({
    method: 'GET',
    path: '/api/pay/earned/recent',
    summary:
      'Get what an office or agent earned today and in the last pay periods, as their own first screen says it. Of an agent, an office gets what was sold for it',
    ability: 'dashboard.view',
    byToken: 'statements',
    action: 'none',
    query: z.object({ companyId: idTextSchema.optional(), agentId: idTextSchema.optional() }),
    response: z.object({
      /** Null while pay is off, while payouts are hidden from the caller, and for whom they may not see. */
      earned: recentEarnedSchema.nullable(),
    }),
  }),
  estimate: endpoint({
    method: 'GET',
    path: '/api/pay/estimates/:name',
    summary:
      'Get your statement of an open pay period as it would be if it were closed now; one for each payee that is paid for your sales',
    ability: 'pay.view-own',
    byToken: 'statements',
    action: 'VIEW',
    refuses: [409],
    params: z.object({ name: periodNameSchema }),
    response: z.array(z.object({ isPart: z.boolean(), content: statementContentSchema })),
  }),
}

/** So that nobody sums years while others wait. */
export const MOST_PERIODS = 30
