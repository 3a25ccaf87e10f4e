import { CURRENCIES, PAYEE_KINDS } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { idSchema, idTextSchema } from '../../list.ts'
import { payeeSchema } from '../terms/payees.ts'
import { statementContentSchema } from './statement.ts'
import { payPeriodSchema, periodNameSchema } from '../terms/periods.ts'
import { daySchema } from '../../periods.ts'

/**
 * `paid`, `running` (in an open payment run), `failed` or `returned` (the transfer failed, or came back after it was paid;
 * it is in the balance again), `held`, `later` (held until its day), `carried` (negative, nothing, under the minimum, or
 * contained in the next statement), `converted` or `written-off` (its balance, in a currency that the payee has left, was moved
 * into the other one, or corrected to nothing), `given-up` (its payee was deleted), `paid-back` (its
 * payee owed it, and has paid it) or `due`.
 */
export const STATEMENT_STATES = [
  'paid',
  'running',
  'failed',
  'returned',
  'held',
  'later',
  'carried',
  'converted',
  'written-off',
  'given-up',
  'paid-back',
  'due',
] as const

/** How far a payment is whose result is not known: its run waits for approval, or for its files to be taken, or the bank has it. */
export const OPEN_STEPS = ['prepared', 'approved', 'sent'] as const

/** Why a balance would not be paid now. */
export const PAYMENT_BLOCKS = [
  'held',
  'account-waits',
  'account-new',
  'no-account',
  'deleted',
  'negative',
  'nothing',
  'below-minimum',
  'later',
] as const

const statementItemSchema = z.object({
  id: idSchema,
  number: z.string(),
  period: payPeriodSchema,
  payee: payeeSchema,
  currency: z.enum(CURRENCIES),
  /** The sum for the period. For an agent whose office is paid, only the agent's own lines. */
  amount: z.int(),
  /** The tax withheld from it; negative if some was given back. 0 for an agent whose office is paid. */
  withheld: z.int(),
  carried: z.int(),
  due: z.int(),
  state: z.enum(STATEMENT_STATES),
  /** How far the run is that pays it, while it is `running`; null otherwise. */
  step: z.enum(OPEN_STEPS).nullable(),
  /** The first day on which what it adds to the balance can be paid; null if nothing holds it. */
  paidFrom: daySchema.nullable(),
  /** The day on which it was paid; null unless it was. */
  paidOn: daySchema.nullable(),
  /** Whether some of its transfers were paid, and others failed or came back. */
  paidInPart: z.boolean(),
  /**
   * The payment run that pays it, or has paid it, with everything that was carried into it. Null for other states, for payments
   * outside payment runs, and for an agent whose office is paid.
   */
  payment: z
    .object({
      run: z.string(),
      step: z.enum([...OPEN_STEPS, 'paid']),
      /** On which day the bank is to carry it out, where it is. */
      executionDay: daySchema,
      institutionName: z.string(),
      lastCharacters: z.string(),
      /** Several if a channel’s limit split it; empty if the bank gave none. */
      bankReferences: z.array(z.string()),
    })
    .nullable(),
  /** The period whose statement contains what was still owed; null if there is none. */
  carriedInto: z.string().nullable(),
  closedAt: z.iso.datetime(),
})
export type StatementItem = z.infer<typeof statementItemSchema>

const statementSchema = statementItemSchema.extend({
  /** Lower-case hex of the SHA-256 of the canonical bytes. */
  contentHash: z.string(),
  /** The caller is an agent, who sees only their own lines of the office's statement. */
  isPart: z.boolean(),
  /** What of the balance before was in payment runs that were not approved yet when the statement was made, and are not cancelled. */
  carriedInRuns: z.array(z.object({ run: z.string(), amount: z.int() })),
  content: statementContentSchema,
})
export type Statement = z.infer<typeof statementSchema>

export const statementsEndpoints = {
  statements: endpoint({
    method: 'GET',
    path: '/api/pay/statements',
    summary: 'List statements, newest first: all of them, or those that the caller may see',
    ability: 'pay.view',
    byToken: 'statements',
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
      /** Sums of everything that matches the filter, not only of this page. */
      centavos: z.int(),
      cents: z.int(),
      /** The tax withheld, less what was given back; null if none of them has any. */
      withheld: z.object({ centavos: z.int(), cents: z.int() }).nullable(),
    }),
  }),
  statement: endpoint({
    method: 'GET',
    path: '/api/pay/statements/:id',
    summary: 'Get a statement',
    ability: 'pay.view',
    byToken: 'statements',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: statementSchema,
  }),
}
