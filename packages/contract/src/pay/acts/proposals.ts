import { COUNTS_AS, CURRENCIES, OUTSIDE_WAYS, RECEIVED_WAYS } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { doneSchema, idSchema, idTextSchema, pagedList } from '../../list.ts'
import { daySchema } from '../../periods.ts'
import { reasonSchema, payeeSchema } from '../terms/payees.ts'
import { approversSchema } from '../runs/runs.ts'
import { adjustmentLimitsSchema, minorUnitsSchema } from '../terms/settings.ts'
import { taxRateFields } from './tax-details.ts'

const transferFields = {
  payee: payeeSchema,
  currency: z.enum(CURRENCIES),
  amount: z.int(),
  run: z.object({ id: idSchema, number: z.string() }),
  reference: z.string(),
}

/** The act that waits. */
const doesSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('adjustment'),
    payee: payeeSchema,
    currency: z.enum(CURRENCIES),
    amount: z.int(),
    countsAs: z.enum(COUNTS_AS),
    /** Whether it takes back an earlier adjustment. */
    takesBack: z.boolean(),
    /** The name of the agent whose doubtful sales it holds back until they are cleared of fraud. */
    heldBackFor: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('exchange rate'),
    period: z.string(),
    /** Ten-thousandths of a peso for a dollar. */
    pesosE4: z.int().positive(),
  }),
  /** A transfer failed, so that its amount goes back into the payee's balance. */
  z.object({ kind: z.literal('result'), ...transferFields }),
  /** A transfer that was paid came back. */
  z.object({ kind: z.literal('return'), ...transferFields, returnedOn: daySchema }),
  /** The bank refused a file, so that its transfers without a result failed. */
  z.object({
    kind: z.literal('refused file'),
    currency: z.enum(CURRENCIES),
    /** Of its lines that had no result. */
    amount: z.int(),
    run: z.object({ id: idSchema, number: z.string() }),
    file: z.string(),
    refusedOn: daySchema,
  }),
  /** What a payee was paid without a payment run. */
  z.object({
    kind: z.literal('payment outside'),
    payee: payeeSchema,
    currency: z.enum(CURRENCIES),
    amount: z.int(),
    way: z.enum(OUTSIDE_WAYS),
    paidOn: daySchema,
    voucher: z.string(),
    /** What of it was not owed yet, and over how many statements it is taken back. */
    advance: z.object({ amount: z.int(), instalments: z.int() }).nullable(),
  }),
  /** What a payee paid back: of advances first, then of a negative balance. */
  z.object({
    kind: z.literal('money received'),
    payee: payeeSchema,
    currency: z.enum(CURRENCIES),
    amount: z.int(),
    way: z.enum(RECEIVED_WAYS),
    paidOn: daySchema,
    voucher: z.string(),
  }),
  /** Of a balance in a currency that its payee has left. */
  z.object({
    kind: z.literal('correction'),
    payee: payeeSchema,
    currency: z.enum(CURRENCIES),
    amount: z.int(),
    countsAs: z.enum(COUNTS_AS),
  }),
  /** Of all of such a balance, into the other currency. */
  z.object({
    kind: z.literal('conversion'),
    payee: payeeSchema,
    currency: z.enum(CURRENCIES),
    amount: z.int(),
    /** Ten-thousandths of a peso for a dollar. */
    pesosE4: z.int().positive(),
    converted: z.int(),
  }),
  /** At which tax is withheld from what a payee earns. */
  z.object({ kind: z.literal('tax rate'), payee: payeeSchema, ...taxRateFields }),
  z.object({ kind: z.literal('limits'), limits: adjustmentLimitsSchema }),
])

const proposalFields = {
  id: idSchema,
  does: doesSchema,
  /** Why it was entered; the source of an exchange rate or of a conversion's rate. */
  reason: z.string(),
  /** Why it waits for a second person, in a sentence. */
  why: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
}

const waitingProposalSchema = z.object({
  ...proposalFields,
  /** Why it can't be approved any more, in a sentence. It can still be refused or withdrawn. */
  outdated: z.string().nullable(),
  isYours: z.boolean(),
  /** Who may approve it, and why other people who may pay cannot, as a predicate. */
  approvers: approversSchema,
  /** Why the caller can't approve it, as a predicate; null if they can. */
  whyYouCannotApprove: z.string().nullable(),
})
export type WaitingProposal = z.infer<typeof waitingProposalSchema>

const decidedProposalSchema = z.object({
  ...proposalFields,
  decision: z.object({
    kind: z.enum(['approved', 'refused', 'withdrawn']),
    by: z.string(),
    at: z.iso.datetime(),
    /** Null if it was approved. */
    reason: z.string().nullable(),
  }),
})
export type DecidedProposal = z.infer<typeof decidedProposalSchema>

const params = z.object({ id: idTextSchema })

/** Acts of pay that need a second person, most of them above a limit. None of them does anything until a second person approves it. */
export const payProposalsEndpoints = {
  payProposals: endpoint({
    method: 'GET',
    path: '/api/pay/proposals',
    summary: 'List what waits for a second person, oldest first, and who can approve it',
    ability: 'pay.manage',
    action: 'VIEW',
    response: z.array(waitingProposalSchema),
  }),
  decidedPayProposals: endpoint({
    method: 'GET',
    path: '/api/pay/proposals/decided',
    summary: 'List what was approved, refused or withdrawn, newest decision first',
    ability: 'pay.manage',
    action: 'VIEW',
    query: z.object({
      page: z.coerce.number().pipe(z.int().min(1).max(1_000_000)).default(1),
      pageSize: z.coerce.number().pipe(z.int().min(1).max(500)).default(20),
    }),
    response: pagedList(decidedProposalSchema),
  }),
  approvePayProposal: endpoint({
    method: 'POST',
    path: '/api/pay/proposals/:id/approve',
    summary:
      'Approve what somebody else has entered above its limit, and do it. Refused to whoever entered it, and to everybody who is one person with them.',
    ability: 'pay.manage',
    action: 'STATUS',
    refuses: [429],
    once: true,
    params,
    response: doneSchema,
  }),
  refusePayProposal: endpoint({
    method: 'POST',
    path: '/api/pay/proposals/:id/refuse',
    summary: 'Refuse what somebody else has entered above its limit: nothing is done',
    ability: 'pay.manage',
    action: 'STATUS',
    once: true,
    params,
    body: z.strictObject({ reason: reasonSchema }),
    response: doneSchema,
  }),
  withdrawPayProposal: endpoint({
    method: 'POST',
    path: '/api/pay/proposals/:id/withdraw',
    summary: 'Withdraw what the caller has entered above its limit: nothing is done',
    ability: 'pay.manage',
    action: 'STATUS',
    once: true,
    params,
    body: z.strictObject({ reason: reasonSchema }),
    response: doneSchema,
  }),
  proposePayLimits: endpoint({
    method: 'PUT',
    path: '/api/pay/limits',
    summary:
      'Propose other limits, above which an adjustment waits for a second person. They act once a second person has approved them.',
    ability: 'pay.manage',
    action: 'CREATE',
    once: true,
    body: z.strictObject({
      adjustmentCentavos: minorUnitsSchema.min(0),
      adjustmentCents: minorUnitsSchema.min(0),
      reason: reasonSchema,
    }),
    response: z.object({ proposalId: idSchema }),
  }),
}
