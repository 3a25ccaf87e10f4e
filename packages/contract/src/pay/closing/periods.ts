import { AVP_RULES, CURRENCIES, PAYEES } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { idSchema } from '../../list.ts'
import {
  periodNameSchema,
  payPeriodSchema,
  exchangeRateSchema,
  rateFields,
} from '../terms/periods.ts'
import { payeeInPath, payeeSchema } from '../terms/payees.ts'
import { leftOutSchema } from '../runs/runs.ts'
import { statementContentSchema } from '../statements/statement.ts'

/**
 * A site's postbacks that a period lacks. `centavos` is what they would pay at today's rates, as
 * far as known.
 */
const openPostbacksSchema = z.object({
  siteId: idSchema,
  siteName: z.string(),
  waiting: z.int(),
  conflicts: z.int(),
  centavos: z.int(),
})

/**
 * What to check before closing a period. Everything here only warns, except that open postbacks
 * must be confirmed.
 */
const payChecksSchema = z.object({
  postbacks: z.array(openPostbacksSchema),
  /** Agents with money in this period who are marked for fraud, or have sales that are. */
  fraudAgents: z.array(
    z.object({
      agentId: idSchema,
      agentName: z.string(),
      /** False if only some of the agent's sales are marked. */
      marked: z.boolean(),
      /** Whose pay would be held: one row for each payee of the agent's sales. */
      payee: payeeSchema,
      /** What the payee's statement has for the agent: pesos, and dollars of tiers. */
      centavos: z.int(),
      cents: z.int(),
    }),
  ),
  /** Agents with sales in this period that came while they were suspended. */
  suspendedAgents: z.array(
    z.object({
      agentId: idSchema,
      agentName: z.string(),
      sales: z.int(),
      /** At the tiers that their weeks have reached. */
      centavos: z.int(),
      cents: z.int(),
    }),
  ),
  /** Adjustments that closing would put on a statement, and that have the same payee, amount and reason. */
  equalAdjustments: z.array(
    z.object({
      payee: payeeSchema,
      currency: z.enum(CURRENCIES),
      amount: z.int(),
      reason: z.string(),
      times: z.int(),
    }),
  ),
  /** Payees whose sum is less than half or more than twice the mean of their last three. */
  unusual: z.array(
    z.object({
      payee: payeeSchema,
      currency: z.enum(CURRENCIES),
      amount: z.int(),
      usual: z.int(),
    }),
  ),
  /**
   * The totals of the period's days against its clicks and sales. Null while it is not over; 'too many' clicks to
   * compare while somebody waits.
   */
  totals: z.union([
    z.object({
      /** How many sums differ; counting stops at 40. */
      differences: z.int(),
      /** The first of them, in the words of `totals verify`. */
      first: z.string().nullable(),
    }),
    z.literal('too many'),
    z.null(),
  ]),
  /** Who is paid in the other currency, while no exchange rate has been entered. */
  needExchangeRate: z.array(payeeSchema),
  /**
   * Whom a payment run after this closing would leave out, and why. The balance is what the statement has to pay. Files are those of the
   * template that the last run in the currency had.
   */
  notPaid: z.array(leftOutSchema.extend({ currency: z.enum(CURRENCIES) })),
  /**
   * What waits for a second person and would act on this period. Closing leaves it out: an adjustment that is approved
   * later goes on the next statement, an exchange rate or a rate of tax can't be approved any more.
   */
  waiting: z.array(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('adjustment'),
        id: idSchema,
        payee: payeeSchema,
        currency: z.enum(CURRENCIES),
        amount: z.int(),
        by: z.string(),
      }),
      z.object({
        kind: z.literal('exchange rate'),
        id: idSchema,
        pesosE4: z.int().positive(),
        by: z.string(),
      }),
      z.object({
        kind: z.literal('tax rate'),
        id: idSchema,
        payee: payeeSchema,
        rateBp: z.int(),
        by: z.string(),
      }),
    ]),
  ),
})
export type PayChecks = z.infer<typeof payChecksSchema>

const periodItemSchema = payPeriodSchema.extend({
  /**
   * `open`: not over. `ready`: over, and the next one to close. `waits`: over, but an earlier one
   * must be closed first.
   */
  state: z.enum(['open', 'ready', 'waits', 'closed']),
  payees: z.enum(PAYEES),
  avp: z.enum(AVP_RULES),
  exchangeRate: exchangeRateSchema.nullable(),
  /**
   * The exchange rate of the last period before it that has one. One that differs by more than 5 % from it waits for a
   * second person.
   */
  rateBefore: z.object({ period: z.string(), pesosE4: z.int().positive() }).nullable(),
  /** Null unless it is closed. */
  closed: z
    .object({
      at: z.iso.datetime(),
      by: z.string(),
      statements: z.int(),
      /** Sums of the statements in pesos and of those in dollars. */
      centavos: z.int(),
      cents: z.int(),
    })
    .nullable(),
})
export type PayPeriodItem = z.infer<typeof periodItemSchema>

/** A statement that closing would produce. */
const previewedSchema = z.object({
  payee: payeeSchema,
  currency: z.enum(CURRENCIES),
  amount: z.int(),
  carried: z.int(),
  due: z.int(),
  /** The amount of the payee's statement of the last closed period in the same currency; 0 if there is none. */
  before: z.int(),
  /** `amount` less `before`. */
  change: z.int(),
  held: z.boolean(),
  /** Whether it stays on the balance, because it is negative or below the payee's minimum. */
  carriedOn: z.boolean(),
})
export type PreviewedStatement = z.infer<typeof previewedSchema>

/** Periods: preview, checks, closing and exchange rates. */
export const payEndpoints = {
  payPeriods: endpoint({
    method: 'GET',
    path: '/api/pay/periods',
    summary: 'List the pay periods, newest first: those that are open, and all that were closed',
    ability: 'pay.manage',
    byToken: 'statements',
    action: 'VIEW',
    response: z.array(periodItemSchema),
  }),
  payChecks: endpoint({
    method: 'GET',
    path: '/api/pay/periods/:name/checks',
    summary: 'Check an open period before it is closed',
    ability: 'pay.manage',
    action: 'none',
    refuses: [409],
    params: z.object({ name: periodNameSchema }),
    response: payChecksSchema,
  }),
  payPreview: endpoint({
    method: 'GET',
    path: '/api/pay/periods/:name/preview',
    summary:
      'Preview the statements that closing a period would make. Only the next period to close has a preview.',
    ability: 'pay.manage',
    action: 'VIEW',
    refuses: [409],
    params: z.object({ name: periodNameSchema }),
    response: z.array(previewedSchema),
  }),
  payPreviewOf: endpoint({
    method: 'GET',
    path: '/api/pay/periods/:name/preview/:kind/:id',
    summary: 'Preview the statement of one payee',
    ability: 'pay.manage',
    action: 'VIEW',
    refuses: [409],
    params: z.object({ name: periodNameSchema, ...payeeInPath }),
    response: statementContentSchema,
  }),
  closePayPeriod: endpoint({
    method: 'POST',
    path: '/api/pay/periods/:name/close',
    summary:
      'Close a pay period: book its events and make its statements. It can’t be opened again.',
    ability: 'pay.manage',
    action: 'CREATE',
    refuses: [429],
    once: true,
    params: z.object({ name: periodNameSchema }),
    body: z.strictObject({
      /** The period's name, typed. */
      typed: z.string().max(20),
      /** The numbers of open postbacks that the checks showed, for each site that has any. */
      postbacks: z
        .array(
          z.strictObject({ siteId: idSchema, waiting: z.int().min(0), conflicts: z.int().min(0) }),
        )
        .max(10_000)
        .default([]),
    }),
    response: z.object({ name: z.string(), statements: z.int(), events: z.int() }),
  }),
  latestExchangeRate: endpoint({
    method: 'GET',
    path: '/api/pay/exchange-rate',
    summary:
      'Get the exchange rate that was entered last, to compare what rates earn with what they pay',
    ability: 'earning.see',
    action: 'none',
    response: z.object({
      /** Null if none has been entered yet. */
      latest: z.object({ period: z.string(), pesosE4: z.int() }).nullable(),
    }),
  }),
  savePayExchangeRate: endpoint({
    method: 'POST',
    path: '/api/pay/periods/:name/exchange-rate',
    summary:
      'Enter the exchange rate of a period that is not closed. If it differs by more than 5 % from the last, it waits for a second person.',
    ability: 'pay.manage',
    action: 'UPDATE',
    once: true,
    params: z.object({ name: periodNameSchema }),
    body: z.strictObject(rateFields),
    /** The proposal that waits; null if the rate was saved. */
    response: z.object({ proposalId: idSchema.nullable() }),
  }),
}
