import { looksLikeFormula } from '@tallyroom/domain/csv'
import { isIban } from '@tallyroom/domain/iban'
import { INSTITUTIONS, isBic } from '@tallyroom/domain/institutions'
import { MAX_MINOR_UNITS } from '@tallyroom/domain/money'
import { CURRENCIES } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { onOffSchema } from '../../forms.ts'
import { enteredDetails, knownDetails } from '../accounts/payee-details.ts'
import { doneSchema, idSchema, idTextSchema, line, required, versionSchema } from '../../list.ts'
import { separators } from '../../table-files.ts'

/**
 * What a column of a bank's file can contain. `institution` and `institutionCode` are our name and the BIC; `bankName` and
 * `bankCode` are what this bank calls the institution. `text` is the same in every line.
 */
export const payFileFields = [
  'reference',
  'payee',
  'institution',
  'institutionCode',
  'bankName',
  'bankCode',
  'accountNumber',
  'accountName',
  'amount',
  'currency',
  'remarks',
  'payeeKind',
  ...knownDetails,
  ...enteredDetails,
  'date',
  'text',
] as const
export type PayFileField = (typeof payFileFields)[number]

/**
 * `separated`: values between separators. `fixed`: each value in as many characters as its column is wide. `xlsx`: an Excel
 * workbook whose cells are all text. `pain.001`: an ISO 20022 message, `pain.001.001.09`, which has no columns of its own.
 */
const fileFormats = ['separated', 'fixed', 'xlsx', 'pain.001'] as const
export type FileFormat = (typeof fileFormats)[number]

/** Of a column in a file of fixed width. Values that are longer are refused, never cut. */
const fixedWidth = {
  width: z.int().min(1).max(200).optional(),
  /** `left` if omitted: filled on the right. */
  align: z.enum(['left', 'right']).optional(),
  /** Spaces if omitted. */
  fill: z.enum(['space', 'zero']).optional(),
}

const encodings = ['utf-8', 'windows-1252'] as const
/** 1234.50, 1234,50, or 123450. */
const decimalStyles = ['point', 'comma', 'none'] as const

/** How a date is written, such as 2026-11-25, 11/25/2026 or 251126. */
export const dateStyles = [
  'YYYY-MM-DD',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'DD.MM.YYYY',
  'DD-MM-YYYY',
  'YYYY/MM/DD',
  'YYYYMMDD',
  'MMDDYYYY',
  'DDMMYYYY',
  'YYMMDD',
  'MMDDYY',
  'DDMMYY',
] as const

/** Presets of what a bank takes in a value. `sepa` has some marks as well. */
export const letterSets = ['ascii', 'sepa'] as const

const plainText = (longest: number) =>
  line(longest)
    .trim()
    .refine((value) => !looksLikeFormula(value), 'must not begin with = + - or @')

/** What a column says for a payee of each kind, unless it has words of its own: a company and an individual. */
export const kindWords = { office: 'C', agent: 'I' } as const

const columnSchema = z
  .strictObject({
    header: plainText(60).default(''),
    field: z.enum(payFileFields),
    /** The value of a `text` column. */
    text: plainText(60).optional(),
    /** Of a `date` column; the first one if omitted. */
    dateStyle: z.enum(dateStyles).optional(),
    /** Of a `payeeKind` column: what the bank calls an office and an agent. */
    words: z
      .strictObject({
        office: plainText(20).default(kindWords.office),
        agent: plainText(20).default(kindWords.agent),
      })
      .optional(),
    /** The only characters that the bank takes. Others are refused, never replaced. */
    letters: z.enum(letterSets).optional(),
    /** The most characters. Longer values are refused, never cut. */
    longest: z.int().min(1).max(200).nullish(),
    ...fixedWidth,
  })
  .refine(({ field, text }) => field !== 'text' || text, {
    path: ['text'],
    message: 'is required',
  })
  .refine(({ field, dateStyle }) => field === 'date' || dateStyle === undefined, {
    path: ['dateStyle'],
    message: 'is only for a date',
  })

/**
 * What the first and the last line of a file can contain: how many transfers it has, their sum, the execution date, the number
 * of the file in its run, the run's number, and texts.
 */
export const edgeFields = ['text', 'count', 'total', 'date', 'sequence', 'run', 'currency'] as const
export type EdgeField = (typeof edgeFields)[number]

const edgeSchema = z
  .strictObject({
    field: z.enum(edgeFields),
    /** The value of a `text`, which may be empty. */
    text: plainText(60).optional(),
    /** Of a `date`; the first one if omitted. */
    dateStyle: z.enum(dateStyles).optional(),
    ...fixedWidth,
  })
  .refine(({ field, dateStyle }) => field === 'date' || dateStyle === undefined, {
    path: ['dateStyle'],
    message: 'is only for a date',
  })

/** In minor units of the channel's currency: centavos or cents. */
const limitSchema = z.int().min(0, 'must not be negative').max(MAX_MINOR_UNITS)

/** One file for each channel. A transfer goes through the first channel that takes it. */
const channelSchema = z
  .strictObject({
    name: required(30),
    takes: z.enum(['bank', 'wallet', 'any']),
    currency: z.enum(CURRENCIES),
    /** Transfers above this amount only; null for all. */
    over: limitSchema.nullable(),
    /** Transfers up to this amount, inclusive; null for all. */
    upTo: limitSchema.nullable(),
    /** Whether it takes more in several transfers, if no channel takes it whole. */
    split: z.boolean().optional(),
  })
  .refine(({ split, over, upTo }) => !split || (upTo !== null && upTo > (over ?? 0)), {
    path: ['split'],
    message: 'needs a limit: the most that one transfer may be, above its least',
  })

const headingSchema = required(200)
const statusesSchema = z.array(required(60)).max(20)

/** The columns of a bank's result file, by heading. Its encoding and separator are recognised. */
export const resultColumnsSchema = z.strictObject({
  reference: headingSchema,
  status: headingSchema,
  /** The statuses, in any case, that mean that the transfer arrived. */
  paid: statusesSchema.min(1, 'is required'),
  /** The statuses that mean that it failed, or came back if it was paid before. */
  failed: statusesSchema.min(1, 'is required'),
  /** The statuses that mean that the money is still on its way. A line with any other status is refused. */
  pending: statusesSchema.default([]),
  /** Whether a status only begins with one of these words, as in `Failed - AC01`. */
  beginsWith: onOffSchema.default(false),
  amount: headingSchema.nullable(),
  /** Whether amounts without decimals are centavos or cents; null: as in the file for the bank. */
  minorUnits: onOffSchema.nullable().default(null),
  reason: headingSchema.nullable(),
  bankReference: headingSchema.nullable(),
})
export type ResultColumns = z.infer<typeof resultColumnsSchema>

/** Who pays, in a message by ISO 20022. */
const payerSchema = z.strictObject({
  name: required(70),
  /** The account that pays: digits and letters. */
  account: line(34).regex(/^[A-Za-z0-9]+$/, 'must have digits and letters only'),
  bic: line(11).refine(isBic, 'must be a bank’s code (BIC) of 8 or 11 characters'),
  /** The only characters that the bank takes. */
  letters: z.enum(letterSets).optional(),
})
export type Payer = z.infer<typeof payerSchema>

/** What this bank calls an institution. Empty: nobody has said. */
const institutionSchema = z.strictObject({
  bic: line(11).refine(isBic, 'must be a bank’s code (BIC) of 8 or 11 characters'),
  name: plainText(70),
  code: plainText(35),
})

/** The banks and e-wallets that we know, by their own names and BICs: what a bank calls otherwise is edited. */
export const knownInstitutions = (): PayFileLayout['institutions'] =>
  INSTITUTIONS.map(({ code, name }) => ({
    bic: code,
    name: name.replace(/ \([A-Z]+\)$/, ''),
    code,
  }))

/** Kept for ever with the runs that were prepared with it, so a new field needs a default. */
export const payFileLayoutSchema = z.strictObject({
  format: z.enum(fileFormats).default('separated'),
  columns: z.array(columnSchema).min(1, 'must have a column').max(40),
  /** The values of a line before all others; none if empty. */
  firstLine: z.array(edgeSchema).max(40).default([]),
  /** The values of a line after all others; none if empty. */
  lastLine: z.array(edgeSchema).max(40).default([]),
  /** Whether a line above the transfers has the headings. */
  headings: z.boolean(),
  separator: z.enum(Object.keys(separators) as (keyof typeof separators)[]),
  encoding: z.enum(encodings),
  /**
   * Whether values that contain the separator are quoted (RFC 4180). Otherwise, they are refused.
   */
  quotes: z.boolean(),
  decimals: z.enum(decimalStyles),
  /** Maximum transfers of one file. */
  mostLines: z.int().min(1).max(100_000),
  channels: z.array(channelSchema).min(1, 'must have a channel').max(10),
  institutions: z
    .array(institutionSchema)
    .max(300)
    .refine(
      (all) => new Set(all.map(({ bic }) => bic)).size === all.length,
      'must name each BIC once',
    )
    .default([]),
  /** Needed for `pain.001` alone. */
  payer: payerSchema.nullable().default(null),
  results: resultColumnsSchema.nullable(),
})
export type PayFileLayout = z.infer<typeof payFileLayoutSchema>
type Column = PayFileLayout['columns'][number]

/** Whether a file has the date on which the bank is to carry it out. */
export const hasDate = ({
  format,
  columns,
  firstLine,
  lastLine,
}: Pick<PayFileLayout, 'format' | 'columns' | 'firstLine' | 'lastLine'>): boolean =>
  format === 'pain.001' ||
  [...columns, ...firstLine, ...lastLine].some(({ field }) => field === 'date')

/**
 * What the bank calls an institution, from the row of its BIC. A row of 8 characters, or with the branch XXX, is for every
 * branch that has no row. Undefined without a row, and if it is empty there.
 */
export function nameAtBank(
  institutions: PayFileLayout['institutions'],
  institution: string,
  of: 'name' | 'code',
): string | undefined {
  const bank = institution.slice(0, 8)
  const row =
    institutions.find(({ bic }) => bic === institution) ??
    institutions.find(({ bic }) => bic === bank || bic === `${bank}XXX`)
  return row?.[of] || undefined
}

/** What makes a line one transfer and no other: each of them is in exactly one column. */
const transferFields = {
  accountNumber: 'the account number',
  amount: 'the amount',
  reference: 'the reference',
} as const

/**
 * What keeps columns from paying each payee what is theirs, and each of them once. A text is the same in every line, so
 * it must not be what a bank could take for the account, the amount or the reference.
 */
export function problemsOfColumns(
  columns: readonly Column[],
): { path: (string | number)[]; message: string }[] {
  const wrongCounts = Object.entries(transferFields).flatMap(([field, name]) => {
    const count = columns.filter((column) => column.field === field).length
    if (count === 1) return []
    const has = count === 0 ? 'none has it' : `${count} have it`
    return [{ path: ['columns'], message: `must have ${name} in exactly one column: ${has}` }]
  })
  const constants = columns.flatMap(({ field, text = '' }, index) => {
    if (field !== 'text') return []
    const like = lookOf(text)
    const path = ['columns', index, 'text']
    if (like) return [{ path, message: `must not look like ${like}: “${text}”` }]
    // Whoever reads the columns side by side reads one text.
    const joined = textFrom(columns, index)
    const together = joined === text || isText(columns[index - 1]) ? undefined : lookOf(joined)
    return together
      ? [{ path, message: `must not look like ${together} with the columns after it: “${joined}”` }]
      : []
  })
  return [...wrongCounts, ...constants, ...problemsOfHeadings(columns)]
}

const isText = (column: Column | undefined): boolean => column?.field === 'text'

/** The texts of a column and of those after it, up to the next one that is no text. */
function textFrom(columns: readonly Column[], index: number): string {
  const rest = columns.slice(index)
  const end = rest.findIndex((column) => !isText(column))
  return (end < 0 ? rest : rest.slice(0, end)).map(({ text = '' }) => text).join('')
}

/** How banks head the columns that make a transfer. */
const headings = {
  accountNumber: /\b(?:account|acct)\.?\s*(?:numbers?|nos?\b|#)|\biban\b/i,
  amount: /\bamount\b/i,
  reference: /\b(?:reference|ref)\b/i,
} as const satisfies Record<keyof typeof transferFields, RegExp>

/** A heading that looks like an account number, or that names another part of the transfer than its column has. */
function problemsOfHeadings(
  columns: readonly Column[],
): { path: (string | number)[]; message: string }[] {
  return columns.flatMap(({ header, field }, index) => {
    const path = ['columns', index, 'header']
    if (lookOf(header) === LIKE_AN_ACCOUNT)
      return [{ path, message: `must not look like ${LIKE_AN_ACCOUNT}: “${header}”` }]
    if (!(field in headings)) return []
    const own = field as keyof typeof headings // it is in them
    const other = (['accountNumber', 'amount', 'reference'] as const).find(
      (one) => one !== own && headings[one].test(header),
    )
    return other && !headings[own].test(header)
      ? [
          {
            path,
            message: `says ${transferFields[other]}, but the column has ${transferFields[own]}: “${header}”`,
          },
        ]
      : []
  })
}

/**
 * What keeps a first or last line from being a transfer that is on no list. The account that pays may be in it, as banks ask
 * for it there.
 */
const problemsOfEdges = (
  layout: Pick<PayFileLayout, 'firstLine' | 'lastLine'>,
): { path: (string | number)[]; message: string }[] =>
  (['firstLine', 'lastLine'] as const).flatMap((edge) =>
    layout[edge].flatMap(({ text = '' }, index) => {
      const like = lookOf(text)
      return like === undefined || like === LIKE_AN_ACCOUNT
        ? []
        : [{ path: [edge, index, 'text'], message: `must not look like ${like}: “${text}”` }]
    }),
  )

const LIKE_AN_ACCOUNT = 'an account number'

/** What a bank could take a text for. Zero fees and short codes are neither. */
function lookOf(text: string): string | undefined {
  const bare = text.replaceAll(/[\s.-]/g, '')
  if (/^\d{6,}$/.test(bare) && /[1-9]/.test(bare)) return LIKE_AN_ACCOUNT
  if (isIban(text)) return LIKE_AN_ACCOUNT
  if (/^[₱$]?\d[\d,.]*[.,]\d\d$/.test(text) && /[1-9]/.test(text)) return 'an amount'
  if (/^P\d+R\d+N\d+$/i.test(bare)) return 'a reference'
  return isMixed(bare) ? LIKE_AN_ACCOUNT : undefined
}

/** Letters among at least five digits, over eight characters: an account number in disguise. BICs and years have fewer. */
const isMixed = (bare: string): boolean =>
  /^[a-z\d]{9,}$/i.test(bare) && /[a-z]/i.test(bare) && (bare.match(/\d/g)?.length ?? 0) >= 5

/** Of what zeros in front change nothing. */
const numbers: ReadonlySet<string> = new Set([
  'accountNumber',
  'amount',
  'text',
  'count',
  'total',
  'sequence',
])

/** What keeps a file of fixed width from having each value in its place, whole. */
const problemsOfWidths = (
  layout: Pick<PayFileLayout, 'format' | 'columns' | 'firstLine' | 'lastLine'>,
): { path: (string | number)[]; message: string }[] =>
  layout.format !== 'fixed'
    ? []
    : (['columns', 'firstLine', 'lastLine'] as const).flatMap((list) =>
        layout[list].flatMap(({ field, width, align = 'left', fill = 'space' }, index) => {
          const problem = (name: string, message: string) => [
            { path: [list, index, name], message },
          ]
          if (width === undefined) return problem('width', 'needs a width')
          if (fill === 'space') return []
          if (align === 'left') return problem('fill', 'can’t have zeros after a value')
          return numbers.has(field) ? [] : problem('fill', 'can’t have zeros: it is no number')
        }),
      )

/** A layout that may be saved. Those of earlier runs are kept as they are. */
const savedLayoutSchema = payFileLayoutSchema.superRefine((layout, context) => {
  const problems = problemsOfLayout(layout)
  for (const problem of problems) context.addIssue({ code: 'custom', ...problem })
})

/** Why a layout can't be saved, by place. */
export const problemsOfLayout = (layout: PayFileLayout): Problem[] =>
  layout.format === 'pain.001'
    ? layout.payer
      ? []
      : [{ path: ['payer'], message: 'is required: the message says who pays' }]
    : [
        ...problemsOfColumns(layout.columns),
        ...problemsOfEdges(layout),
        ...problemsOfWidths(layout),
      ]

type Problem = { path: (string | number)[]; message: string }

const payFileTemplateSchema = z.object({
  id: idSchema,
  name: z.string(),
  version: z.int(),
  layout: payFileLayoutSchema,
})
export type PayFileTemplate = z.infer<typeof payFileTemplateSchema>

const listedTemplateSchema = payFileTemplateSchema.extend({
  /** The newest payment run that uses it. Such a template can't be deleted. */
  usedBy: z.string().nullable(),
})
export type ListedPayFileTemplate = z.infer<typeof listedTemplateSchema>

/** How the files for banks look. Templates are data, not code. */
export const payFilesEndpoints = {
  payFileTemplates: endpoint({
    method: 'GET',
    path: '/api/pay/file-templates',
    summary: 'List the bank file templates',
    ability: 'pay.manage',
    action: 'VIEW',
    response: z.array(listedTemplateSchema),
  }),
  createPayFileTemplate: endpoint({
    method: 'PUT',
    path: '/api/pay/file-templates',
    summary: 'Add a bank file template',
    ability: 'pay.manage',
    action: 'CREATE',
    body: z.strictObject({ name: required(60), layout: savedLayoutSchema }),
    response: z.object({ id: idSchema }),
  }),
  updatePayFileTemplate: endpoint({
    method: 'POST',
    path: '/api/pay/file-templates/:id',
    summary: 'Change a bank file template. Runs that are already prepared keep theirs as it was.',
    ability: 'pay.manage',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    /** `id` and `usedBy` are accepted as the list returns them, and ignored. */
    body: listedTemplateSchema
      .pick({ id: true })
      .extend({ usedBy: line(40).nullable(), name: required(60), layout: savedLayoutSchema })
      .partial()
      .extend({ version: versionSchema })
      .strict(),
    response: doneSchema,
  }),
  deletePayFileTemplate: endpoint({
    method: 'DELETE',
    path: '/api/pay/file-templates/:id',
    summary: 'Delete a bank file template that no payment run has used',
    ability: 'pay.manage',
    action: 'DELETE',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
  previewPayFile: endpoint({
    method: 'POST',
    path: '/api/pay/file-templates/preview',
    summary: 'Preview the first lines of a template’s files, with made-up payees',
    ability: 'pay.manage',
    action: 'none',
    body: z.strictObject({ layout: savedLayoutSchema }),
    response: z.object({ files: z.array(z.object({ channel: z.string(), text: z.string() })) }),
  }),
}
