import { FACTOR_EVENTS } from '@tallyroom/domain/factors'
import type { FactKind } from '@tallyroom/domain/facts'
import { CURRENCIES, OUTSIDE_WAYS, PAYEE_KINDS, RECEIVED_WAYS } from '@tallyroom/domain/pay'
import { SIGN_IN_EVENTS } from '@tallyroom/domain/sign-ins'
import { z } from 'zod'
import { idSchema } from '../list.ts'
import { daySchema } from '../periods.ts'

const agentSchema = z.object({ agentId: idSchema, username: z.string() })

const payeeSchema = z.object({
  payee: z.object({ kind: z.enum(PAYEE_KINDS), id: idSchema, name: z.string() }),
})

/** In centavos or cents, as it was then. */
const amountSchema = payeeSchema.extend({ amount: z.int(), currency: z.enum(CURRENCIES) })

/** What was raised, in the words that people read, and the page of it. */
const alarmSchema = z.object({
  alarmId: idSchema,
  /** Such as “Lantern Live is silent”. */
  title: z.string(),
  /** Such as “No sale since 09:12. About 11 were expected.” */
  text: z.string(),
  /** Begins with `/app/`. */
  page: z.string().startsWith('/app/'),
})

/** What was verified, in the words that people read. */
const proofSchema = z.object({
  title: z.string(),
  /** The first findings; of what was verified, the heads of its chains. */
  text: z.string(),
})

/** What is kept of a fact, and told to whoever may hear of it. */
export const factSubjects = {
  'agent.approved': agentSchema,
  'agent.suspended': agentSchema,
  'statement.closed': amountSchema.extend({ statementId: idSchema, number: z.string() }),
  'payment.sent': amountSchema.extend({ executionDay: daySchema }),
  'payment.failed': amountSchema,
  'payment.returned': amountSchema,
  /** Of a run, by one message of the bank: it refuses transfers that were reported paid. */
  'payment.contradicted': z.object({
    runId: idSchema,
    /** Of the run. */
    number: z.string(),
    transfers: z.int(),
    /** Of these, in centavos or cents. */
    amount: z.int(),
    currency: z.enum(CURRENCIES),
  }),
  'payment.outside': amountSchema.extend({
    way: z.enum(OUTSIDE_WAYS),
    paidOn: daySchema,
    voucher: z.string(),
  }),
  'money.received': amountSchema.extend({
    way: z.enum(RECEIVED_WAYS),
    paidOn: daySchema,
    voucher: z.string(),
  }),
  /** `told`: what staff wrote for the payee. */
  'pay.held': payeeSchema.extend({ told: z.string() }),
  'pay.released': payeeSchema.extend({ told: z.string() }),
  'account.changed': z.object({
    changed: z.array(z.enum(['password', 'email address', 'payment account'])),
  }),
  /** Of an account of anybody, by the operator. */
  'factor.reset': z.object({ username: z.string() }),
  /** Of somebody who may pay, with a recovery code. */
  'factor.recovered': z.object({ username: z.string() }),
  'factor.changed': z.object({ happened: z.enum(FACTOR_EVENTS) }),
  /** `browser`: such as `Chrome on Windows`. */
  'sign-in.noticed': z.object({
    happened: z.enum(SIGN_IN_EVENTS),
    browser: z.string(),
    ip: z.string(),
  }),
  /** All of an account, by somebody who manages it. */
  'sessions.ended': z.object({}),
  /** By somebody who typed the username of an agent or office, with the id of that. */
  'password.asked': z.object({
    accountId: idSchema,
    username: z.string(),
    whose: z.enum(['agent', 'office']),
    id: idSchema,
  }),
  /** Likewise of an account of staff. Only the operator sets a superadmin's. */
  'staff-password.asked': z.object({
    accountId: idSchema,
    username: z.string(),
    role: z.enum(['admin', 'superadmin']),
  }),
  'postback.failed': z.object({
    format: z.enum(['postback', 'webhook']),
    targetId: idSchema,
    host: z.string(),
    /** Nothing is sent to it any more. */
    isOff: z.boolean(),
  }),
  'decision.wanted': z.object({
    postbackId: z.uuid(),
    /** Site and order number. */
    name: z.string(),
    /** Who asks. */
    by: z.string(),
    /** Why it is held, or why what `by` decided was not done. */
    reason: z.string(),
    /** A decision was not carried out, so that it waits again. */
    notDone: z.boolean().optional(),
  }),
  'rate.changed': z.object({
    siteId: idSchema,
    typeId: idSchema,
    /** Site and link type. */
    name: z.string(),
    /** Null: the default rates. */
    office: z.string().nullable(),
    /** From when they are in force. */
    from: z.iso.datetime(),
  }),
  'alarm.raised': alarmSchema,
  'alarm.ended': alarmSchema,
  'proof.broken': proofSchema,
  'proof.mended': proofSchema,
  'proof.verified': proofSchema,
} as const satisfies Record<FactKind, z.ZodType>

export type FactSubjects = { [Kind in FactKind]: z.infer<(typeof factSubjects)[Kind]> }

/** A fact's kind with what is kept of it. */
export type FactContent = {
  [Kind in FactKind]: { kind: Kind; subject: FactSubjects[Kind] }
}[FactKind]
