import { z } from 'zod'
import { onOffSchema } from '../../forms.ts'
import { endpoint } from '../../endpoint.ts'
import { idSchema, line, required } from '../../list.ts'
import { resultColumnsSchema } from '../files/files.ts'
import { daySchema } from '../../periods.ts'
import { runParams } from '../runs/runs.ts'
import { secret } from '../../secrets.ts'
import { tableFormats } from '../../table-files.ts'

/** 650 kB, some 10,000 lines. */
const RESULT_FILE_BASE64 = 900_000

/** What a bank's file was recognised as. */
const resultFormatSchema = z.discriminatedUnion('kind', [
  ...tableFormats,
  z.object({
    kind: z.literal('message'),
    /** Such as `pain.002.001.10`. */
    name: z.string(),
    /** The last characters of the account that it is a statement of; null of an answer to a file. */
    account: z.string().nullable(),
  }),
])
export type ResultFormat = z.infer<typeof resultFormatSchema>

/** What became of the transfers of a payment run: entered by hand, or read from the bank's file. */
export const paymentResultsEndpoints = {
  enterPaymentResults: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/results',
    summary:
      'Enter the results of transfers: of some lines, or all open ones as paid. A failure waits for a second person, because it puts money back without the bank’s file.',
    ability: 'pay.manage',
    action: 'UPDATE',
    once: true,
    params: runParams,
    body: z.union([
      z.strictObject({ allPaid: z.literal(true) }),
      z.strictObject({
        lines: z
          .array(
            z.strictObject({
              reference: required(40),
              paid: z.boolean(),
              reason: line(300).trim().default(''),
              bankReference: line(60).trim().default(''),
            }),
          )
          .min(1, 'is required')
          .max(5000),
      }),
    ]),
    response: z.object({
      paid: z.int(),
      /** Failures that wait for a second person. */
      waiting: z.int(),
      /** Lines whose result had been entered before. */
      known: z.int(),
    }),
  }),
  returnPayment: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/return',
    summary:
      'Enter that a transfer that was paid came back. It waits for a second person, because it puts money back without the bank’s file.',
    ability: 'pay.manage',
    action: 'UPDATE',
    once: true,
    refuses: [409],
    params: runParams,
    body: z.strictObject({
      lineId: idSchema,
      /** The bank’s day. */
      returnedOn: daySchema,
      reason: required(300),
    }),
    response: z.object({ proposalId: idSchema }),
  }),
  enterRefusedFile: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/refused-file',
    summary:
      'Enter that the bank refused a file that was downloaded: each of its lines without a result failed. It waits for a second person, because it puts money back without the bank’s file.',
    ability: 'pay.manage',
    action: 'UPDATE',
    once: true,
    refuses: [409],
    params: runParams,
    body: z.strictObject({
      /** Of the file. */
      name: required(100),
      /** The bank’s day. */
      refusedOn: daySchema,
      reason: required(300),
    }),
    response: z.object({ proposalId: idSchema }),
  }),
  settleRefusals: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/paid-after-all',
    summary:
      'Enter that transfers were paid after all, although a message of the bank refused their file: it was asked. They stay paid, so no money moves.',
    ability: 'pay.manage',
    action: 'UPDATE',
    once: true,
    refuses: [409],
    params: runParams,
    body: z.strictObject({
      lineIds: z.array(idSchema).min(1, 'is required').max(50_000),
      /** What the bank said, and where: a mail, a call, a statement. */
      note: required(300),
    }),
    response: z.object({ settled: z.int() }),
  }),
  readResultFile: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/result-file',
    summary:
      'Read a bank’s result file (CSV, other separated text, XLSX, or pain.002, camt.053 and camt.054 by ISO 20022): check it, or import the lines that are understood. The template remembers its columns.',
    ability: 'pay.manage',
    action: 'UPDATE',
    once: true,
    params: runParams,
    body: z.strictObject({
      /** The file’s bytes in base64. */
      file: secret(
        'bank file',
        z.base64('must be base64').max(RESULT_FILE_BASE64, 'must have at most 650 kB'),
      ),
      /** Null to see the headings only. A message by ISO 20022 has no columns. */
      columns: resultColumnsSchema.nullable(),
      /** False only checks. */
      take: onOffSchema,
      /** Whether the caller has seen how many lines are not of this run. Needed to import if there are any. */
      othersSeen: onOffSchema.default(false),
      /** The entries of a message that the caller says are of the transfers that are guessed. */
      guessesSeen: z.array(z.int().min(1)).max(5000).default([]),
      /** The bank’s day of transfers that were paid and came back, if the file does not say it; today without it. */
      returnedOn: daySchema.optional(),
    }),
    response: z.object({
      /** Why nothing of the file can be read; null if it can. */
      refused: z.string().nullable(),
      /** What the file was recognised as; null if it is none of these. */
      format: resultFormatSchema.nullable(),
      headings: z.array(z.string()),
      headingsLine: z.int(),
      /** The first lines, from which the user maps the columns. */
      sample: z.array(z.array(z.string())),
      /** Lines of this run that are not imported: not understood, or of a transfer that stays as it was reported before. */
      problems: z.array(z.object({ line: z.int(), problem: z.string() })),
      /** Transfers that are still on their way. They stay open. */
      pending: z.array(
        z.object({
          line: z.int(),
          reference: z.string(),
          payee: z.string(),
          status: z.string(),
        }),
      ),
      /** Entries of a message without a reference: they count once they are in `guessesSeen`. */
      guesses: z.array(
        z.object({
          /** Its number in the message. */
          entry: z.int(),
          /** By amount and account of a transfer, or as the sum of all of a file that are open. */
          by: z.enum(['account', 'sum']),
          /** In minor units. */
          amount: z.int(),
          /** False: it came back. */
          paid: z.boolean(),
          on: daySchema.nullable(),
          transfers: z.array(z.object({ reference: z.string(), payee: z.string() })),
        }),
      ),
      /** Lines without a reference of this run: totals, and other transactions. */
      others: z.object({
        lines: z.int(),
        /** Of those that have an amount. */
        amount: z.int(),
        /** Those that have references of other runs, whose files they are as well. */
        ofRuns: z.array(z.object({ number: z.string(), lines: z.int() })),
      }),
      paid: z.int(),
      failed: z.int(),
      /** Transfers that were paid and came back. */
      returned: z.array(
        z.object({
          reference: z.string(),
          payee: z.string(),
          amount: z.int(),
          /** The bank’s day, if the file says it. */
          on: daySchema.nullable(),
        }),
      ),
      /** Transfers that were reported paid, and whose file the message refuses. They stay paid; the run keeps what it says. */
      contradicted: z.int(),
      /** Lines whose result had been entered before. */
      known: z.int(),
    }),
  }),
}
