import { z } from 'zod'
import { onOffSchema } from '../forms.ts'
import { endpoint } from '../endpoint.ts'
import { idSchema, line, required } from '../list.ts'
import { resultColumnsSchema } from './files.ts'
import { daySchema } from '../periods.ts'
import { runParams } from './runs.ts'
import { secret } from '../secrets.ts'

/** 650 kB, some 10,000 lines. */
const RESULT_FILE_BASE64 = 900_000

/** What became of the transfers of a payment run: entered by hand, or read from the bank's file. */
export const paymentResultsEndpoints = {
  enterPaymentResults: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/results',
    summary:
      'Enter the results of transfers: of some lines, or all open ones as paid. A failure waits for a second person, because it puts money back without the bank’s file.',
    ability: 'pay.manage',
    action: 'UPDATE',
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
  readResultFile: endpoint({
    method: 'POST',
    path: '/api/pay/runs/:id/result-file',
    summary:
      'Read a bank’s result file: check it, or import it as a whole. The template remembers its columns.',
    ability: 'pay.manage',
    action: 'UPDATE',
    params: runParams,
    body: z.strictObject({
      /** The file’s bytes in base64. */
      file: secret(z.base64('must be base64').max(RESULT_FILE_BASE64, 'must have at most 650 kB')),
      /** Null to see the headings only. */
      columns: resultColumnsSchema.nullable(),
      /** False only checks. */
      take: onOffSchema,
      /** The bank’s day of transfers that were paid and came back; today without it. */
      returnedOn: daySchema.optional(),
    }),
    response: z.object({
      headings: z.array(z.string()),
      /** The first lines, from which the user maps the columns. */
      sample: z.array(z.array(z.string())),
      /** If there are any, no results are entered. */
      problems: z.array(z.object({ line: z.int(), problem: z.string() })),
      paid: z.int(),
      failed: z.int(),
      /** Transfers that were paid and came back. */
      returned: z.int(),
      /** Lines whose result had been entered before. */
      known: z.int(),
    }),
  }),
}
