import { CURRENCIES, isPayPeriodName, PAYEE_KINDS } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { doneSchema, idSchema, idTextSchema, required } from './list.ts'
import { resultColumnsSchema } from './pay-files.ts'

/** Why a payee is not paid. */
const leftOutCauses = [
  'on hold',
  'below minimum',
  'negative',
  'nothing owed',
  'no confirmed account',
  'in another run',
  'not in the file',
] as const
export type LeftOutCause = (typeof leftOutCauses)[number]

/** `prepared` waits for approval, `approved` for its files, `sent` for results. */
const runStates = ['prepared', 'approved', 'sent', 'finished', 'cancelled'] as const
export type RunState = (typeof runStates)[number]

const payeeFields = {
  kind: z.enum(PAYEE_KINDS),
  id: idSchema,
  name: z.string(),
}

/** In minor units of the run's currency: centavos or cents. */
const amountSchema = z.int()

const candidateSchema = z.object({
  ...payeeFields,
  amount: amountSchema,
  institutionName: z.string(),
  lastCharacters: z.string(),
  /** The template's channel that the transfer goes through. */
  channel: z.string(),
})
export type Candidate = z.infer<typeof candidateSchema>

const leftOutSchema = z.object({
  ...payeeFields,
  balance: amountSchema,
  cause: z.enum(leftOutCauses),
  /** The cause, in words. */
  why: z.string(),
})
export type LeftOut = z.infer<typeof leftOutSchema>

const runItemSchema = z.object({
  id: idSchema,
  number: z.string(),
  state: z.enum(runStates),
  currency: z.enum(CURRENCIES),
  /** The name of a closed period; null for all balances. */
  period: z.string().nullable(),
  lines: z.int(),
  /** Of the lines that were not taken out. */
  amount: amountSchema,
  paid: z.int(),
  failed: z.int(),
  preparedAt: z.iso.datetime(),
  preparedBy: z.string(),
})
export type RunItem = z.infer<typeof runItemSchema>

const runLineSchema = z.object({
  id: idSchema,
  payee: z.object(payeeFields),
  amount: amountSchema,
  reference: z.string(),
  institutionName: z.string(),
  lastCharacters: z.string(),
  state: z.enum(['open', 'paid', 'failed', 'removed', 'cancelled']),
  /**
   * Who took the line out, or entered its result. Null if approving the run took it out.
   */
  by: z.string().nullable(),
  reason: z.string().nullable(),
  bankReference: z.string().nullable(),
})
export type RunLine = z.infer<typeof runLineSchema>

const fileSchema = z.object({
  /** Also the name of the file. */
  name: z.string(),
  channel: z.string(),
  lines: z.int(),
  amount: amountSchema,
  /** Oldest first. */
  downloads: z.array(z.object({ id: idSchema, at: z.iso.datetime(), by: z.string() })),
})
export type RunFile = z.infer<typeof fileSchema>

const paymentRunSchema = runItemSchema.extend({
  template: z.object({ id: idSchema, name: z.string() }),
  results: resultColumnsSchema.nullable(),
  lines: z.array(runLineSchema),
  leftOut: z.array(leftOutSchema),
  steps: z.array(
    z.object({
      step: z.enum(['approved', 'files taken', 'cancelled', 'finished']),
      at: z.iso.datetime(),
      by: z.string(),
      reason: z.string().nullable(),
    }),
  ),
  files: z.array(fileSchema),
  /**
   * Values that the files can't carry, by payee. The run cannot be approved until the template or
   * the line is changed.
   */
  fileProblems: z.array(z.string()),
  /** Who may approve, and why other people who may pay cannot. */
  approvers: z.array(z.object({ name: z.string(), whyNot: z.string().nullable() })),
  /** Why the caller can't approve; null if they can, or if approval is not due. */
  whyYouCannotApprove: z.string().nullable(),
})
export type PaymentRun = z.infer<typeof paymentRunSchema>

const prepareFields = {
  /** The name of a closed period, or null for all balances. */
  period: z.string().refine(isPayPeriodName, 'must be the name of a period').nullable(),
  currency: z.enum(CURRENCIES),
  templateId: idSchema,
}

export const runParams = z.object({ id: idTextSchema })

/** Balances that are paid together: prepared by one person, approved by another, sent as files. */
export const paymentRunsEndpoints = {
  paymentRuns: endpoint({
    method: 'GET',
    path: '/api/pay/runs',
    summary: 'List the payment runs, newest first, and the closed periods',
    ability: 'pay.manage',
    action: 'VIEW',
    response: z.object({ runs: z.array(runItemSchema), periods: z.array(z.string()) }),
  }),
  paymentRunCandidates: endpoint({
    method: 'POST',
    path: '/api/pay/runs/candidates',
    summary: 'Preview whom a payment run would pay, and whom it would leave out, with the reason',
    ability: 'pay.manage',
    action: 'SEARCH',
    body: z.strictObject(prepareFields),
    response: z.object({ paid: z.array(candidateSchema), leftOut: z.array(leftOutSchema) }),
  }),
  preparePaymentRun: endpoint({
    method: 'PUT',
    path: '/api/pay/runs',
    summary: 'Prepare a payment run. Its amounts are fixed from now on.',
    ability: 'pay.manage',
    action: 'CREATE',
    body: z.strictObject(prepareFields),
    response: z.object({ id: idSchema }),
  }),
  paymentRun: endpoint({
    method: 'GET',
    path: '/api/pay/runs/:id',
    summary: 'Get a payment run with its lines, steps and files',
    ability: 'pay.manage',
    action: 'VIEW',
    params: runParams,
    response: paymentRunSchema,
  }),
  removePaymentRunLine: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/remove-line',
    summary:
      'Take a line out of a run that is not approved yet. Whoever does so can’t approve the run.',
    ability: 'pay.manage',
    action: 'UPDATE',
    params: runParams,
    body: z.strictObject({ lineId: idSchema, reason: required(1000) }),
    response: doneSchema,
  }),
  approvePaymentRun: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/approve',
    summary:
      'Approve a run that somebody else has prepared. Lines whose hold, account or balance has changed are refused.',
    ability: 'pay.manage',
    action: 'STATUS',
    params: runParams,
    /** The amount that the approver has seen. */
    body: z.strictObject({ amount: amountSchema }),
    response: z.object({
      approved: z.int(),
      refused: z.array(z.object({ name: z.string(), why: z.string() })),
    }),
  }),
  cancelPaymentRun: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/cancel',
    summary: 'Cancel a run whose files nobody has downloaded. Its balances are owed again.',
    ability: 'pay.manage',
    action: 'STATUS',
    params: runParams,
    body: z.strictObject({ reason: required(1000) }),
    response: doneSchema,
  }),
  takePaymentFile: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/file',
    summary:
      'Download a file for the bank. From then on, the run can’t be cancelled. Refused if the file was downloaded before, unless the call asks for it again.',
    ability: 'pay.manage',
    action: 'UPDATE',
    params: runParams,
    body: z.strictObject({
      name: required(100),
      /** Whether the caller knows that the file was downloaded before. */
      again: z.boolean().optional(),
    }),
    /** The file, in the template’s encoding. */
    response: z.string(),
  }),
}
