import { CURRENCIES } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { onOffSchema } from '../../forms.ts'
import { doneSchema, idTextSchema, required } from '../../list.ts'
import { reportDaySchema, startsBeforeItEnds } from '../../periods.ts'
import { payeeInBody, payeeInPath, payeeSchema } from '../terms/payees.ts'

/** What the journal debits and credits. */
const JOURNAL_ACCOUNTS = [
  'commissions',
  'reimbursements',
  'payable',
  'bank',
  'transit',
  'outside',
  'advances',
  'clearing',
  'withheld',
  'givenUp',
] as const
export type JournalAccount = (typeof JOURNAL_ACCOUNTS)[number]

const accountFields = {
  /** The expense: what statements are for. */
  commissions: required(80),
  /** What statements pay that is not income. */
  reimbursements: required(80),
  /** The liability: what is owed to payees in pesos. */
  payable: required(80),
  /** The same in dollars: in QuickBooks, an account of payables has one currency. */
  payableUsd: required(80),
  /** What payment runs are paid from. */
  bank: required(80),
  /** What has left the payable and not yet the bank: transfers until the bank's day. */
  transit: required(80),
  /** Cash that is paid outside payment runs, or received. */
  outside: required(80),
  /** The claim: what payees got in advance, and statements take back or payees give back. */
  advances: required(80),
  /** What leaves one currency and enters the other. */
  clearing: required(80),
  /** The liability to the tax office: what statements withhold. */
  withheld: required(80),
  /** The gain or loss: what was owed to deleted payees, and by them. */
  givenUp: required(80),
  /** The tax rate of lines without tax, for software that wants one in each line. */
  taxRate: required(80),
  /** What the software calls payees. Those who are not among them have their own names. */
  vendors: z.array(z.strictObject({ ...payeeInBody, name: required(100) })).max(10_000),
}
const journalAccountsSchema = z.object(accountFields)
export type JournalAccounts = z.infer<typeof journalAccountsSchema>

/** Until somebody names them. */
export const USUAL_ACCOUNTS: JournalAccounts = {
  commissions: 'Commissions',
  reimbursements: 'Reimbursements',
  payable: 'Commissions payable',
  payableUsd: 'Commissions payable in dollars',
  bank: 'Bank',
  transit: 'Payments in transit',
  outside: 'Cash',
  advances: 'Advances to payees',
  clearing: 'Currency clearing',
  withheld: 'Withholding tax payable',
  givenUp: 'Balances given up',
  taxRate: 'Tax Exempt',
  vendors: [],
}

/** What the software calls the account of a line. */
export const accountName = (
  accounts: JournalAccounts,
  { account, currency }: Pick<JournalLine, 'account' | 'currency'>,
): string => accounts[account === 'payable' && currency === 'USD' ? 'payableUsd' : account]

const journalLineSchema = z.object({
  /** Lines of one entry have the same, and balance. That of a transfer on the bank’s day ends in b, if it was in transit before. */
  entry: z.string(),
  /** The day on which it is booked: `belongs`, or the first day that was open when it was entered. */
  day: z.string(),
  /** Of a statement, its tax and its instalments the last day of the period in New York; where money moved, the bank's day. */
  belongs: z.string(),
  account: z.enum(JOURNAL_ACCOUNTS),
  /** In minor units of the currency. One of both is 0. */
  debit: z.int().min(0),
  credit: z.int().min(0),
  currency: z.enum(CURRENCIES),
  payee: z.string(),
  payeeKey: z.object(payeeInBody),
  /** That of the transfer, as the bank has it. */
  reference: z.string(),
  /** The number of the statement or run, or the voucher. */
  document: z.string(),
  text: z.string(),
})
export type JournalLine = z.infer<typeof journalLineSchema>

const monthSchema = z.string().regex(/^2\d{3}-(0[1-9]|1[0-2])$/, 'must be a month, YYYY-MM')

/** The journal as others read it. */
export const JOURNAL_FORMATS = {
  plain: 'CSV',
  quickbooks: 'QuickBooks',
  xero: 'Xero',
  bills: 'Bills, CSV',
  quickbooksBills: 'Bills, QuickBooks',
  xeroBills: 'Bills, Xero',
  plainBeside: 'CSV without bills',
  quickbooksBeside: 'QuickBooks without bills',
  xeroBeside: 'Xero without bills',
} as const
export type JournalFormat = keyof typeof JOURNAL_FORMATS

/** Formats with a bill for each statement, and nothing else of the journal. */
export const isOfBills = (format: JournalFormat): boolean =>
  format === 'bills' || format === 'quickbooksBills' || format === 'xeroBills'

/** Journals without what a file of bills has, so that who imports both books nothing twice: as which one, and beside which bills. */
export const BESIDE_BILLS = {
  plainBeside: { as: 'plain', bills: 'bills' },
  quickbooksBeside: { as: 'quickbooks', bills: 'quickbooksBills' },
  xeroBeside: { as: 'xero', bills: 'xeroBills' },
} as const satisfies Partial<Record<JournalFormat, { as: JournalFormat; bills: JournalFormat }>>

export const isBesideBills = (format: JournalFormat): format is keyof typeof BESIDE_BILLS =>
  Object.hasOwn(BESIDE_BILLS, format)

/** Dollars would be booked as pesos there. */
export const isLeftOutOfXero = ({ currency }: Pick<JournalLine, 'currency'>): boolean =>
  currency !== 'PHP'

const journalFormatSchema = z.enum(
  Object.keys(JOURNAL_FORMATS) as [JournalFormat, ...JournalFormat[]], // Object.keys forgets the key type
)

const journalExportSchema = z.object({
  id: z.int(),
  month: z.string(),
  format: journalFormatSchema,
  /** What it has: the month, or what was new since the export of this month and format before it. */
  what: z.enum(['all', 'new']),
  /** How many entries it has. */
  entries: z.int(),
  /** The SHA-256 of its files, in hex, in their order. */
  sha256: z.array(z.string()),
  at: z.string(),
  by: z.string(),
  /** Of the last one of a format: how many entries are new since, or differ. Null of those before it. */
  since: z.int().nullable(),
})
export type JournalExport = z.infer<typeof journalExportSchema>

/** The last month that an accountant closed. All before it are closed as well. */
const closedMonthSchema = z.object({
  month: z.string(),
  closedAt: z.string(),
  closedBy: z.string(),
})

const rangeSchema = z
  .object({ start: reportDaySchema, end: reportDaySchema })
  .refine(...startsBeforeItEnds)

const yearFields = {
  currency: z.enum(CURRENCIES),
  /** What was owed before. */
  before: z.int(),
  /** The sums of statements, on the last days of their periods, and corrections of former balances, but for what is not income. */
  earned: z.int(),
  /** Adjustments that are not income, on the same days. */
  notIncome: z.int(),
  /** What statements withheld, less what they gave back. */
  tax: z.int(),
  /** What was sent, on the bank's days, less what failed or was cancelled; advances once they are taken, given back or given up. */
  paid: z.int(),
  /** What came back after it was paid. */
  returned: z.int(),
  /** What the payee paid back. */
  received: z.int(),
  /** What came from the payee's other currency, less what went there. */
  converted: z.int(),
  /** What they owed when they were deleted, less what was owed to them, and what they paid of it since. */
  givenUp: z.int(),
  /** What is owed then: before + earned + not income − tax − paid + returned + received + converted + given up. */
  carried: z.int(),
}
const yearSchema = z.object({ payee: payeeSchema, ...yearFields })
export type PayeeYear = z.infer<typeof yearSchema>
const yearMonthSchema = z.object({
  /** Its first day within the range. */
  month: z.string(),
  ...yearFields,
})
export type PayeeMonth = z.infer<typeof yearMonthSchema>

/** What an accountant books: the journal, and what payees earned and were paid from a day to a day. */
export const booksEndpoints = {
  journal: endpoint({
    method: 'GET',
    path: '/api/pay/journal',
    summary: 'Get the journal of a month: each change of a balance, debited and credited',
    ability: 'pay.manage',
    action: 'VIEW',
    query: z.object({ month: monthSchema }),
    response: z.object({
      accounts: journalAccountsSchema,
      /** The months that have entries, newest first. */
      months: z.array(z.string()),
      /** Null while no month is closed. */
      closed: closedMonthSchema.nullable(),
      /** Whether the month is over and open, so that it can be closed. */
      canClose: z.boolean(),
      /** If it can: the pay periods up to its end that are not closed. Once it is, what they pay is booked after it. */
      unclosed: z.array(z.string()),
      lines: z.array(journalLineSchema),
      /** Of the month, newest first. */
      exports: z.array(journalExportSchema),
    }),
  }),
  exportJournal: endpoint({
    method: 'POST',
    path: '/api/pay/journal/exports',
    summary:
      'Export a month of the journal: all of it, or what is new since the last export in this format',
    ability: 'pay.manage',
    action: 'EXPORT',
    once: true,
    refuses: [409],
    body: z.strictObject({
      month: monthSchema,
      format: journalFormatSchema,
      what: z.enum(['all', 'new']),
      /** The last export of this month and format that the caller knows; null: none. Refused if there is a later one. */
      since: z.int().nullable(),
    }),
    response: z.object({ id: z.int() }),
  }),
  journalExport: endpoint({
    method: 'GET',
    path: '/api/pay/journal/exports/:id',
    summary: 'Get the files of an export of the journal, as they were',
    ability: 'pay.manage',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: z.object({
      files: z.array(z.object({ name: z.string(), text: z.string() })),
    }),
  }),
  closeMonth: endpoint({
    method: 'POST',
    path: '/api/pay/journal/close',
    summary:
      'Close a month of the journal, and all before it: what is entered later is booked after it',
    ability: 'pay.manage',
    action: 'UPDATE',
    once: true,
    body: z.strictObject({
      month: monthSchema,
      evenUnclosed: onOffSchema
        .default(false)
        .describe(
          'Although pay periods up to its end are not closed: what they pay is booked after it. Refused without it then.',
        ),
    }),
    response: doneSchema,
  }),
  journalAccounts: endpoint({
    method: 'GET',
    path: '/api/pay/journal-accounts',
    summary: 'Get what the accounts of the journal are called',
    ability: 'pay.manage',
    action: 'VIEW',
    response: journalAccountsSchema,
  }),
  saveJournalAccounts: endpoint({
    method: 'PUT',
    path: '/api/pay/journal-accounts',
    summary: 'Name the accounts of the journal as the accountant’s software does',
    ability: 'pay.manage',
    action: 'UPDATE',
    once: true,
    body: z.strictObject(accountFields),
    response: doneSchema,
  }),
  payeeYears: endpoint({
    method: 'GET',
    path: '/api/pay/years',
    summary: 'List what each payee earned and was paid from a day to a day',
    ability: 'pay.manage',
    action: 'VIEW',
    query: rangeSchema,
    response: z.array(yearSchema),
  }),
  payeeYear: endpoint({
    method: 'GET',
    path: '/api/pay/years/:kind/:id',
    summary: 'Get what a payee earned and was paid from a day to a day, by month and currency',
    ability: 'pay.view',
    action: 'VIEW',
    params: z.object(payeeInPath),
    query: rangeSchema,
    response: z.object({ payee: payeeSchema, months: z.array(yearMonthSchema) }),
  }),
}
