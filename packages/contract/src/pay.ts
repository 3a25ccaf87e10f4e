import {
  AVP_RULES,
  CURRENCIES,
  isPayPeriodName,
  PAY_LENGTHS,
  PAYEE_KINDS,
  PAYEES,
} from '@tallyroom/domain/pay'
import { MAX_MINOR_UNITS } from '@tallyroom/domain/money'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { doneSchema, filter, idSchema, idTextSchema, required } from './list.ts'
import { daySchema } from './periods.ts'
import { payeeSchema, statementContentSchema } from './pay-statement.ts'

/*
 * Money of pay is in integers of minor units: centavos, cents, and minor units of a `currency` beside it.
 * Exchange rates are ten-thousandths of a peso for a dollar: 58.25 is 582500.
 */

/** An amount in minor units. Negative ones are owed by the payee. */
export const minorUnitsSchema = z.int().min(-MAX_MINOR_UNITS).max(MAX_MINOR_UNITS)

const periodNameSchema = z
  .string()
  .refine(isPayPeriodName, 'must be a period, such as 2026-11-A, 2026-W48 or 2026-11')

/** A payee as text in a path or query: `office` or `agent`, and its id. */
export const payeeInPath = { kind: z.enum(PAYEE_KINDS), id: idTextSchema }

/** Why a statement, an adjustment or a hold is as it is. */
export const reasonSchema = required(500)

export const payPeriodSchema = z.object({ name: z.string(), start: daySchema, end: daySchema })

const settingsFields = {
  payees: z.enum(PAYEES),
  periodLength: z.enum(PAY_LENGTHS),
  avp: z.enum(AVP_RULES),
  minimumCentavos: minorUnitsSchema.min(0),
  minimumCents: minorUnitsSchema.min(0),
}

/** Settings that act from a day on, and who saved them. */
const savedSettingsSchema = z.object({
  ...settingsFields,
  fromDay: daySchema,
  setAt: z.iso.datetime(),
  setBy: z.string().nullable(),
})

export const paySettingsSchema = z.object({
  /** False until pay is switched on. Only `firstDays` is present then. */
  on: z.boolean(),
  startedAt: z.iso.datetime().nullable(),
  /** The first day of the first period, fixed by the first close. */
  firstDay: daySchema.nullable(),
  firstDayFixed: z.boolean(),
  /** The settings in force today. */
  now: savedSettingsSchema.nullable(),
  /** Settings that act from a later period. */
  next: savedSettingsSchema.nullable(),
  /** The first day from which a change would act; null while pay is off. */
  changesFrom: daySchema.nullable(),
})
export type PaySettings = z.infer<typeof paySettingsSchema>

const exchangeRateSchema = z.object({
  pesosE4: z.int().positive(),
  source: z.string(),
  setBy: z.string().nullable(),
})

/** Postbacks of a site that a period lacks. `centavos` is what they would pay at today's rates, as far as known. */
const openPostbacksSchema = z.object({
  siteId: idSchema,
  siteName: z.string(),
  waiting: z.int(),
  conflicts: z.int(),
  centavos: z.int(),
})

/** What to look at before a period is closed. All of them warn; only open postbacks must be confirmed. */
export const payChecksSchema = z.object({
  postbacks: z.array(openPostbacksSchema),
  /** Agents with money in this period who are marked for fraud, or have sales that are. */
  fraudAgents: z.array(
    z.object({
      agentId: idSchema,
      agentName: z.string(),
      /** False if only some of the agent's sales are marked. */
      marked: z.boolean(),
      /** Whose pay would be held: one line for each payee of the agent's sales. */
      payee: payeeSchema,
      centavos: z.int(),
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
      /** How many sums differ, at most 40. */
      differences: z.int(),
      /** The first of them, as `totals verify` names it. */
      first: z.string().nullable(),
    }),
    z.literal('too many'),
    z.null(),
  ]),
  /** Somebody is paid in the other currency, and no exchange rate has been entered. */
  needsExchangeRate: z.boolean(),
})
export type PayChecks = z.infer<typeof payChecksSchema>

const periodItemSchema = payPeriodSchema.extend({
  /** `open`: not over. `ready`: over, and the next to close. `waits`: over, but an earlier one comes first. */
  state: z.enum(['open', 'ready', 'waits', 'closed']),
  payees: z.enum(PAYEES),
  avp: z.enum(AVP_RULES),
  exchangeRate: exchangeRateSchema.nullable(),
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

/** A statement that closing would make. */
const previewedSchema = z.object({
  payee: payeeSchema,
  currency: z.enum(CURRENCIES),
  amount: z.int(),
  carried: z.int(),
  due: z.int(),
  /** The amount of the payee's statement of the period before, in the same currency; 0 without one. */
  before: z.int(),
  /** `amount` less `before`. */
  change: z.int(),
  held: z.boolean(),
})
export type PreviewedStatement = z.infer<typeof previewedSchema>

/**
 * `paid`, `running` (in an open payment run), `failed` (the transfer failed; it is in the balance again),
 * `held`, `carried` (negative, nothing or under the minimum) or `due`.
 */
export const STATEMENT_STATES = ['paid', 'running', 'failed', 'held', 'carried', 'due'] as const

const statementItemSchema = z.object({
  id: idSchema,
  number: z.string(),
  period: payPeriodSchema,
  payee: payeeSchema,
  currency: z.enum(CURRENCIES),
  /** The sum of the period; for an agent of an office that is paid, of the agent's lines alone. */
  amount: z.int(),
  carried: z.int(),
  due: z.int(),
  state: z.enum(STATEMENT_STATES),
  closedAt: z.iso.datetime(),
})
export type StatementItem = z.infer<typeof statementItemSchema>

export const statementSchema = statementItemSchema.extend({
  /** Lower-case hex of the SHA-256 of the canonical bytes. */
  contentHash: z.string(),
  /** The caller is an agent, and only sees the agent's own lines of an office's statement. */
  isPart: z.boolean(),
  content: statementContentSchema,
})
export type Statement = z.infer<typeof statementSchema>

/** How the rows of the profit page are grouped. */
export const PROFIT_GROUPINGS = ['period', 'site', 'office'] as const

/**
 * Money of closed periods. Tiers and adjustments belong to no site: by site they are the row without an id.
 * Pesos are converted by each period's own exchange rate; dollars are null if one of the periods has none.
 */
const profitRowSchema = z.object({
  /** A period's name, or an id as text; null for what belongs to no site. */
  key: z.string().nullable(),
  name: z.string(),
  events: z.int(),
  earningCents: z.int(),
  ratesCentavos: z.int(),
  tiersCentavos: z.int(),
  adjustmentsCentavos: z.int(),
  payoutCentavos: z.int(),
  payoutCents: z.int().nullable(),
  marginCents: z.int().nullable(),
  exchangeRate: exchangeRateSchema.nullable(),
})
export type ProfitRow = z.infer<typeof profitRowSchema>

/** Settings, periods, statements and profit. */
export const payEndpoints = {
  paySettings: endpoint({
    method: 'GET',
    path: '/api/pay/settings',
    summary: 'Get the pay settings',
    ability: 'pay.manage',
    action: 'VIEW',
    response: paySettingsSchema,
  }),
  avpRules: endpoint({
    method: 'GET',
    path: '/api/pay/avp-rules',
    summary: 'Get what AVP pays, and from which day, oldest first; nothing while pay is off',
    // For everybody who sees tiers: it says how they relate to rates, and no more.
    ability: 'stats.avp',
    action: 'none',
    response: z.array(z.object({ fromDay: daySchema, avp: z.enum(AVP_RULES) })),
  }),
  savePaySettings: endpoint({
    method: 'POST',
    path: '/api/pay/settings',
    summary:
      'Save the pay settings. The first save switches pay on; changes take effect with the next period.',
    ability: 'pay.manage',
    action: 'UPDATE',
    body: z.strictObject({
      ...settingsFields,
      /** The first day of the first period. Required by the first save, fixed once a period is closed. */
      firstDay: daySchema.optional(),
    }),
    response: doneSchema,
  }),
  payPeriods: endpoint({
    method: 'GET',
    path: '/api/pay/periods',
    summary: 'List the pay periods, newest first: those that are open, and all that were closed',
    ability: 'pay.manage',
    action: 'VIEW',
    response: z.array(periodItemSchema),
  }),
  payChecks: endpoint({
    method: 'GET',
    path: '/api/pay/periods/:name/checks',
    summary: 'Check an open period before it is closed',
    ability: 'pay.manage',
    action: 'none',
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
    params: z.object({ name: periodNameSchema }),
    response: z.array(previewedSchema),
  }),
  payPreviewOf: endpoint({
    method: 'GET',
    path: '/api/pay/periods/:name/preview/:kind/:id',
    summary: 'Preview the statement of one payee',
    ability: 'pay.manage',
    action: 'VIEW',
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
    params: z.object({ name: periodNameSchema }),
    body: z.strictObject({
      /** The period's name, typed. */
      typed: z.string().max(20),
      /** The open postbacks as the checks showed them, for each site that has any. */
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
      /** Null if none was entered yet. */
      latest: z.object({ period: z.string(), pesosE4: z.int() }).nullable(),
    }),
  }),
  savePayExchangeRate: endpoint({
    method: 'POST',
    path: '/api/pay/periods/:name/exchange-rate',
    summary: 'Enter the exchange rate of a period that is not closed',
    ability: 'pay.manage',
    action: 'UPDATE',
    params: z.object({ name: periodNameSchema }),
    body: z.strictObject({
      pesosE4: z
        .int()
        .min(10_000, 'must be at least 1 peso')
        .max(10_000_000, 'must be at most 1,000 pesos'),
      source: required(200),
    }),
    response: doneSchema,
  }),
  statements: endpoint({
    method: 'GET',
    path: '/api/pay/statements',
    summary: 'List statements, newest first: all of them, or those that the caller may see',
    ability: 'pay.view',
    action: 'VIEW',
    query: z.object({
      period: periodNameSchema.optional(),
      kind: z.enum(PAYEE_KINDS).optional(),
      id: idTextSchema.optional(),
      page: z.coerce.number().pipe(z.int().min(1).max(1_000_000)).default(1),
      pageSize: z.coerce.number().pipe(z.int().min(1).max(500)).default(50),
    }),
    response: z.object({
      items: z.array(statementItemSchema),
      total: z.int(),
      /** Sums of all that the filter finds, not of this page alone. */
      centavos: z.int(),
      cents: z.int(),
    }),
  }),
  statement: endpoint({
    method: 'GET',
    path: '/api/pay/statements/:id',
    summary: 'Get a statement',
    ability: 'pay.view',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: statementSchema,
  }),
  profit: endpoint({
    method: 'GET',
    path: '/api/pay/profit',
    summary: 'Get the earnings, payouts and margin of closed periods',
    ability: 'pay.profit',
    action: 'VIEW',
    query: z.object({
      groupBy: z.enum(PROFIT_GROUPINGS).default('period'),
      /** Narrows to one period. */
      period: filter(periodNameSchema),
    }),
    response: z.array(profitRowSchema),
  }),
}
