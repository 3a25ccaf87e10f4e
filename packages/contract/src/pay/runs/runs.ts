import { CURRENCIES, isPayPeriodName, PAYEE_KINDS } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { onOffSchema } from '../../forms.ts'
import { endpoint } from '../../endpoint.ts'
import { doneSchema, idSchema, idTextSchema, line, required } from '../../list.ts'
import { daySchema } from '../../periods.ts'
import { notSecret, secret } from '../../secrets.ts'
import { resultColumnsSchema } from '../files/files.ts'
import { bankSchema, heldPartSchema } from '../terms/settings.ts'

/** Why a payee is not paid. */
const leftOutCauses = [
  'deleted',
  'on hold',
  'new account',
  'below minimum',
  'not free yet',
  'negative',
  'nothing owed',
  'no confirmed account',
  'in another run',
  'not in the file',
  'not chosen',
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
  /** More than the amount if only a part is paid, or can be paid yet. */
  balance: amountSchema,
  /** What of the balance can be paid only later, by day. The rest is free. */
  later: z.array(heldPartSchema),
  /** The amounts of the transfers: one, unless a channel’s limit splits it. */
  parts: z.array(amountSchema),
  institutionName: z.string(),
  lastCharacters: z.string(),
  /** The template's channel that the transfer goes through. */
  channel: z.string(),
})
export type Candidate = z.infer<typeof candidateSchema>

export const leftOutSchema = z.object({
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
  /** Transfers that were not taken out. A payee may get several. */
  lines: z.int(),
  payees: z.int(),
  /** Of the lines that were not taken out. */
  amount: amountSchema,
  paid: z.int(),
  failed: z.int(),
  /** Paid first, then sent back by the bank; not among those paid. */
  returned: z.int(),
  preparedAt: z.iso.datetime(),
  preparedBy: z.string(),
})
export type RunItem = z.infer<typeof runItemSchema>

const returnSchema = z.object({ on: daySchema, by: z.string(), reason: z.string() })

/** The bank's message refused the file of a transfer that was reported paid. It stays paid, unless it comes back. */
const refusalSchema = z.object({
  /** The bank’s day of the refusal. */
  on: daySchema,
  /** In the bank’s words. */
  reason: z.string(),
  /** Who read the message, and when. */
  by: z.string(),
  at: z.iso.datetime(),
  /** What said so: its kind, such as `pain.002.001.10`, its id at the bank, and the SHA-256 of its bytes, in hexadecimal. */
  message: z.object({ name: z.string(), id: z.string().nullable(), sha256: z.string() }),
  /** The day of the payment, as in the journal. */
  paidOn: daySchema,
  /** Whether the bank still has to be asked: the transfer did not come back, and nobody entered that it was paid after all. */
  isOpen: z.boolean(),
  /** Who entered that it was paid after all, and what the bank said; null if nobody did. */
  settled: z.object({ at: z.iso.datetime(), by: z.string(), note: z.string() }).nullable(),
})

const runLineSchema = z.object({
  id: idSchema,
  payee: z.object(payeeFields),
  amount: amountSchema,
  /** Which of the transfers to its payee, if a channel’s limit splits them; each is paid or fails by itself. */
  part: z.int().nullable(),
  /** Of which balance its payee gets only a part, and why; null if it gets all. */
  partOf: z.object({ balance: amountSchema, reason: z.string() }).nullable(),
  reference: z.string(),
  /** The name of its file; null before the approval, and if that is not known. */
  file: z.string().nullable(),
  institutionName: z.string(),
  lastCharacters: z.string(),
  /** As the run while the transfer has no result: `prepared`, `approved` or `sent`. */
  state: z.enum([
    'prepared',
    'approved',
    'sent',
    'paid',
    'failed',
    'returned',
    'removed',
    'cancelled',
  ]),
  /**
   * Who took the line out, or entered its result. Null if approving the run took it out.
   */
  by: z.string().nullable(),
  reason: z.string().nullable(),
  bankReference: z.string().nullable(),
  /** The bank’s day of a payment, if its statement said it. */
  paidOn: daySchema.nullable(),
  /** The bank’s day of a failure, if its message said it. */
  failedOn: daySchema.nullable(),
  /** Somebody entered that it failed, which waits for a second person. */
  failureWaits: z.object({ by: z.string(), reason: z.string() }).nullable(),
  /** It was paid and came back: when, and who entered it. `by` is who entered that it was paid. */
  returned: returnSchema.nullable(),
  /** The bank refused its file after it was reported paid: both can’t be true, so somebody has to ask the bank. Kept also once that is settled. */
  refused: refusalSchema.nullable(),
  /** Somebody entered that it came back, which waits for a second person. */
  returnWaits: returnSchema.nullable(),
})
export type RunLine = z.infer<typeof runLineSchema>

const fileSchema = z.object({
  /** Also the name of the file. */
  name: z.string(),
  channel: z.string(),
  lines: z.int(),
  amount: amountSchema,
  /**
   * SHA-256 of the bytes that were approved, in hexadecimal: no others leave. Null before the approval, and in runs
   * approved before it was kept.
   */
  sha256: z.string().nullable(),
  /** Oldest first. */
  downloads: z.array(z.object({ id: idSchema, at: z.iso.datetime(), by: z.string() })),
  /** Why it can't be downloaded although the run is approved, and what to do. */
  stopped: z.string().nullable(),
  /** The date in its lines; null if they have none. */
  executionDay: daySchema.nullable(),
  /** Whether the first download has to choose another date: this one has passed where the bank is. */
  needsDay: z.boolean(),
  /** Who chose another date because the approved one had passed, and the SHA-256 of what leaves; nothing else differs. */
  redated: z.object({ by: z.string(), at: z.iso.datetime(), sha256: z.string() }).nullable(),
  /** That the bank refused it, as somebody entered it or its message said; null if neither. */
  refused: z
    .object({
      on: daySchema,
      /** Who entered it, or read the message. */
      by: z.string(),
      reason: z.string(),
      /** Whether a second person has yet to approve it. */
      waits: z.boolean(),
      /** Whether the bank’s message said it, and nobody typed it. */
      byMessage: z.boolean(),
    })
    .nullable(),
})
export type RunFile = z.infer<typeof fileSchema>

const newsKinds = [
  'same place',
  'template',
  'exchange rate',
  'terms',
  'account',
  'amount',
  'adjustment',
  'conversion',
  'outside',
  'received',
  'tax rate',
  'hold lifted',
  'failed before',
  'hand',
] as const
export type NewsKind = (typeof newsKinds)[number]

/** Something about a run that is new since its payees were last paid to the same accounts. */
const newsSchema = z.object({
  /** Stands for the whole item: if anything in it changes, so does the key. */
  key: notSecret(z.string()),
  kind: z.enum(newsKinds),
  /** Null for what concerns the whole run. */
  lineId: idSchema.nullable(),
  payee: z.string().nullable(),
  title: z.string(),
  text: z.string(),
})
export type News = z.infer<typeof newsSchema>

/** What somebody who approves a run has to have seen. */
const toApproveSchema = z.object({
  /** Of the lines that would be paid now. */
  amount: amountSchema,
  /** Lines that would not be paid: their hold, account or balance has changed since the run was prepared. */
  refused: z.array(z.object({ lineId: idSchema, name: z.string(), why: z.string() })),
  /** Each has to be ticked. */
  news: z.array(newsSchema),
})

const reviewSchema = z.object({
  amount: amountSchema,
  files: z.array(
    z.object({
      name: z.string(),
      channel: z.string(),
      amount: amountSchema,
      /** Of the bytes that approving now would keep, in hexadecimal. */
      sha256: z.string(),
      /** The values of the line before all others; empty without one. */
      firstLine: secret('account number', z.array(z.string())),
      lastLine: secret('account number', z.array(z.string())),
      headings: z.array(z.string()),
      /** The values of each transfer, with whole account numbers. */
      lines: secret('account number', z.array(z.array(z.string()))),
    }),
  ),
})
export type RunReview = z.infer<typeof reviewSchema>

/** The people who may pay. `from`: when on they can approve, if that is only a matter of time. */
export const approversSchema = z.array(
  z.object({
    name: z.string(),
    whyNot: z.string().nullable(),
    from: z.iso.datetime().nullable(),
  }),
)

const paymentRunSchema = runItemSchema.extend({
  template: z.object({ id: idSchema, name: z.string() }),
  results: resultColumnsSchema.nullable(),
  /** On which day, where the bank is, the transfers are to be carried out. */
  executionDay: daySchema,
  bank: bankSchema,
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
  /** Null unless the run waits for approval. */
  toApprove: toApproveSchema.nullable(),
  /** Who may approve, and why other people who may pay cannot. */
  approvers: approversSchema,
  /** Why the caller can't approve; null if they can, or if approval is not due. */
  whyYouCannotApprove: z.string().nullable(),
})
export type PaymentRun = z.infer<typeof paymentRunSchema>

const payeeKeyFields = { kind: payeeFields.kind, id: idSchema }

const areDistinct = (payees: readonly { kind: string; id: number }[]): boolean =>
  new Set(payees.map(({ kind, id }) => `${kind} ${id}`)).size === payees.length

const prepareFields = {
  /** The name of a closed period, or null for all balances. */
  period: z.string().refine(isPayPeriodName, 'must be the name of a period').nullable(),
  currency: z.enum(CURRENCIES),
  templateId: idSchema,
  /** Payees that get a part of their balance, with the reason. The rest stays owed. */
  parts: z
    .array(
      z.strictObject({ ...payeeKeyFields, amount: amountSchema.min(1), reason: required(300) }),
    )
    .max(5_000)
    .refine(areDistinct, 'must name each payee once')
    .default([]),
}

export const runParams = z.object({ id: idTextSchema })

/** Balances that are paid together: prepared by one person, approved by another, sent as files. */
export const paymentRunsEndpoints = {
  paymentRuns: endpoint({
    method: 'GET',
    path: '/api/pay/runs',
    summary:
      'List the payment runs, newest first, the closed periods, and the day where the bank is',
    ability: 'pay.manage',
    action: 'VIEW',
    response: z.object({
      runs: z.array(runItemSchema),
      periods: z.array(z.string()),
      bank: bankSchema,
    }),
  }),
  paymentRunCandidates: endpoint({
    method: 'POST',
    path: '/api/pay/runs/candidates',
    summary: 'Preview whom a payment run would pay, and whom it would leave out, with the reason',
    ability: 'pay.manage',
    action: 'SEARCH',
    refuses: [404, 409],
    body: z.strictObject(prepareFields),
    response: z.object({ paid: z.array(candidateSchema), leftOut: z.array(leftOutSchema) }),
  }),
  preparePaymentRun: endpoint({
    method: 'PUT',
    path: '/api/pay/runs',
    summary: 'Prepare a payment run. Its amounts are fixed from now on.',
    ability: 'pay.manage',
    action: 'CREATE',
    once: true,
    refuses: [404],
    body: z.strictObject({
      ...prepareFields,
      /** The payees to pay. Everybody if omitted. */
      only: z
        .array(z.strictObject(payeeKeyFields))
        .min(1)
        .max(5_000)
        .refine(areDistinct, 'must name each payee once')
        .optional(),
      /** Today where the bank is, or a later day. Today if omitted. */
      executionDay: daySchema.optional(),
    }),
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
    summary: 'Take a line out of a run that is not approved yet. Its balance stays owed.',
    ability: 'pay.manage',
    action: 'UPDATE',
    once: true,
    params: runParams,
    body: z.strictObject({ lineId: idSchema, reason: required(1000) }),
    response: doneSchema,
  }),
  reviewPaymentRun: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/review',
    summary:
      'Show the lines of a run’s files as they will be, with whole account numbers, to somebody who can approve it',
    ability: 'pay.manage',
    proof: 'recent',
    action: 'VIEW',
    refuses: [409],
    params: runParams,
    response: reviewSchema,
  }),
  approvePaymentRun: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/approve',
    summary:
      'Approve a run that somebody else has prepared: its files as they were shown, and everything new, ticked. Refused if anything has changed since.',
    ability: 'pay.manage',
    action: 'STATUS',
    refuses: [429],
    once: true,
    params: runParams,
    body: z.strictObject({
      /** The amount that the approver has seen. */
      amount: amountSchema,
      /** The files that the approver has seen. */
      files: z
        .array(
          z.strictObject({
            name: required(200),
            sha256: line(64).regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'),
          }),
        )
        .max(1000)
        .default([]),
      /** The keys of everything new that the approver has seen. */
      ticked: z.array(required(40)).max(30_000).default([]),
    }),
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
    once: true,
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
    refuses: [429],
    params: runParams,
    body: z.strictObject({
      name: required(100),
      /** Whether the caller knows that the file was downloaded before. */
      again: onOffSchema.optional(),
      /** Needed for the first download if the approved date has passed where the bank is, and refused otherwise. */
      executionDay: daySchema.optional(),
    }),
    /** The file, in the template’s encoding. */
    response: secret('account number', z.string()),
  }),
}
