import { CURRENCIES } from '@tallyroom/domain/pay'
import { isQuarter } from '@tallyroom/domain/quarters'
import { isRevenueDistrict } from '@tallyroom/domain/tax-number'
import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { exportFormats } from '../../export-formats.ts'
import { payeeInPath, payeeSchema } from '../terms/payees.ts'

/** A quarter of the calendar. A statement is of the one that has the last day of its period. */
const quarterSchema = z.string().refine(isQuarter, 'must be a quarter, such as 2026-Q4')

/** In minor units of the line's currency. Negative if more was taken back than earned. */
const taxSumsSchema = z.object({
  /** What was earned. */
  base: z.int(),
  /** The tax withheld from it, less what was given back. */
  withheld: z.int(),
})

/** What was withheld of one taxpayer in a quarter, in one currency and under one code. */
const taxLineSchema = z.object({
  /** Those who have the tax number, by their last statements of the quarter; the one with the newest is first. */
  payees: z.array(payeeSchema).min(1),
  /** As the tax details of the last of its statements say. */
  registeredName: z.string(),
  taxNumber: z.string(),
  address: z.string(),
  /** The tax office's code of the kind of income. */
  code: z.string(),
  /** Hundredths of a percent, in the order in which they were in force. */
  ratesBp: z.array(z.int()),
  currency: z.enum(CURRENCIES),
  /** The months of the quarter, by the last days of the statements' periods. */
  months: z.tuple([taxSumsSchema, taxSumsSchema, taxSumsSchema]),
  ...taxSumsSchema.shape,
})
export type TaxLine = z.infer<typeof taxLineSchema>

const taxQuarterSchema = z.object({
  quarter: z.string(),
  /** Whether all periods that end in the quarter are closed. */
  isComplete: z.boolean(),
  lines: z.array(taxLineSchema),
})
export type TaxQuarter = z.infer<typeof taxQuarterSchema>

/** What was withheld in a quarter, as closed statements say. */
export const withholdingEndpoints = {
  taxQuarter: endpoint({
    method: 'GET',
    path: '/api/pay/withholding',
    summary: 'List the tax withheld in a quarter, by taxpayer, code and currency',
    ability: 'pay.manage',
    action: 'VIEW',
    query: z.object({ quarter: quarterSchema }),
    response: taxQuarterSchema.extend({
      /** Those in which tax was withheld, newest first. */
      quarters: z.array(z.string()),
    }),
  }),
  exportTaxQuarter: endpoint({
    method: 'POST',
    path: '/api/pay/withholding/export',
    summary: 'Export the tax withheld in a quarter to a spreadsheet file',
    ability: 'pay.manage',
    action: 'EXPORT',
    body: z.strictObject({ quarter: quarterSchema, format: z.enum(exportFormats) }),
    /** The file. */
    response: z.string(),
  }),
  alphalist: endpoint({
    method: 'GET',
    path: '/api/pay/withholding/alphalist',
    summary: 'Get what the file of a quarter for the Philippine tax office leaves to a person',
    ability: 'pay.manage',
    action: 'VIEW',
    query: z.object({ quarter: quarterSchema }),
    response: z.object({
      /** Why there is no file yet, in a sentence; null if there is one. */
      problem: z.string().nullable(),
      /** What is not in it, or may be refused there, each in a sentence. */
      notes: z.array(z.string()),
    }),
  }),
  exportAlphalist: endpoint({
    method: 'POST',
    path: '/api/pay/withholding/alphalist',
    summary:
      'Export the tax withheld in a quarter as the alphalist of form 1601-EQ, which the program of the Philippine tax office reads',
    ability: 'pay.manage',
    action: 'EXPORT',
    refuses: [409],
    body: z.strictObject({
      quarter: quarterSchema,
      /** The network's revenue district. */
      district: z.string().refine(isRevenueDistrict, 'must be three digits, such as 043'),
    }),
    /** The file. */
    response: z.string(),
  }),
  taxCertificates: endpoint({
    method: 'GET',
    path: '/api/pay/balances/:kind/:id/tax-certificates',
    summary: 'List the quarters in which tax was withheld of a payee, newest first',
    ability: 'pay.view',
    action: 'VIEW',
    params: z.object(payeeInPath),
    response: z.array(taxQuarterSchema),
  }),
  taxCertificate: endpoint({
    method: 'POST',
    path: '/api/pay/balances/:kind/:id/tax-certificates/:quarter',
    summary: 'Download a payee’s certificate of the tax withheld in a quarter (PDF)',
    ability: 'pay.view',
    action: 'EXPORT',
    refuses: [409],
    params: z.object({ ...payeeInPath, quarter: quarterSchema }),
    /** The file. */
    response: z.string(),
  }),
}
