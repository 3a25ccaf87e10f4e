import {
  nameAtBank,
  type PayFileField,
  type PayFileLayout,
} from '@tallyroom/contract/pay/files/files'
import { enteredDetails, knownDetails } from '@tallyroom/contract/pay/accounts/payee-details'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { separators } from '@tallyroom/contract/table-files'
import { looksLikeFormula } from '@tallyroom/domain/csv'
import { institutionName } from '@tallyroom/domain/institutions'
import { hasInvisible } from '@tallyroom/domain/invisible'
import { atNewYork, type Day } from '@tallyroom/domain/new-york'
import { windows1252 } from '../../lib/files/windows-1252.ts'
import {
  type Column,
  columnsOf,
  edgeValueOf,
  type PayFile,
  type Transfer,
  valueOf,
} from './file-values.ts'

/** The files of a run: one for each channel, split into parts of at most `mostLines`. */
export function filesOf(
  layout: PayFileLayout,
  run: string,
  transfers: readonly Transfer[],
): PayFile[] {
  const extension = extensionOf(layout)
  const files = layout.channels.flatMap(({ name: channel }, index) => {
    const all = transfers.filter((one) => channelIndex(layout, one) === index)
    const parts = Math.ceil(all.length / layout.mostLines)
    return Array.from({ length: parts }, (_, part) => ({
      name: `${run}_${index + 1}-${asciiOf(channel)}${parts > 1 ? `_${part + 1}` : ''}.${extension}`,
      channel,
      run,
      transfers: all.slice(part * layout.mostLines, (part + 1) * layout.mostLines),
    }))
  })
  return files.map((file, index) => ({ ...file, sequence: index + 1 }))
}

function extensionOf({ format, separator }: PayFileLayout): string {
  if (format === 'fixed') return 'txt'
  if (format === 'xlsx') return 'xlsx'
  if (format === 'pain.001') return 'xml'
  return separator === 'comma' || separator === 'semicolon' ? 'csv' : 'txt'
}

/** The name of the first channel that accepts a transfer. */
export const channelOf = (layout: PayFileLayout, transfer: Transfer): string | undefined =>
  layout.channels[channelIndex(layout, transfer)]?.name

/**
 * The transfers that pay an amount: one, if a channel takes it whole. Otherwise, the first channel that splits takes as many
 * full ones as it can, and leaves none below its least. Undefined if no channel takes it.
 */
export function partsOf(layout: PayFileLayout, transfer: Transfer): number[] | undefined {
  if (channelIndex(layout, transfer) >= 0) return [transfer.amount]
  const { amount, currency, channel } = transfer
  for (const { split, takes, currency: unit, over, upTo } of layout.channels) {
    if (!split || !upTo || unit !== currency || (takes !== 'any' && takes !== channel)) continue
    const least = (over ?? 0) + 1
    const count = Math.ceil(amount / upTo)
    if (count < 2 || count > MOST_PARTS || amount < count * least) continue
    let rest = amount
    return Array.from({ length: count }, (_, index) => {
      const part = Math.min(upTo, rest - (count - index - 1) * least)
      rest -= part
      return part
    })
  }
  return undefined
}

/** More transfers than this to one payee are a mistake in the template. */
const MOST_PARTS = 100

/** Why a transfer doesn't fit into a file, naming the value; undefined if it does. */
export function problemOf(layout: PayFileLayout, transfer: Transfer): string | undefined {
  const { amount, currency, channel } = transfer
  if (channelIndex(layout, transfer) < 0) {
    const what = channel === 'wallet' ? 'an e-wallet' : 'a bank account'
    return `no channel takes ${moneyText(amount, currency)} to ${what}`
  }
  for (const column of columnsOf(layout)) {
    const { field, header } = column
    const unnamed = unnamedIn(layout, transfer, column)
    if (unnamed) return unnamed
    const value = valueOf(layout, transfer, column)
    const source = sources[field]
    if (source && value === '') return `${header || NAMES[field]} is missing: ${source}`
    const problem = problemWith(layout, value, column)
    if (problem) return `${header || NAMES[field]} “${hidden(field, value)}” ${problem}`
  }
  return undefined
}

/** Why a column has no word for a transfer's institution; undefined if it has one, or needs none. */
function unnamedIn(
  { institutions }: PayFileLayout,
  { institution }: Transfer,
  { field, header }: Column,
): string | undefined {
  const of = nameFields[field]
  if (!of || nameAtBank(institutions, institution, of)) return undefined
  const name = institutionName(institution)
  const which = name === institution ? name : `${name}, ${institution},`
  return `${header || NAMES[field]} of ${which} is not in the template’s names at the bank`
}

/** Where a value comes from that a payee may lack. */
const sources: Partial<Record<PayFileField, string>> = {
  ...Object.fromEntries(
    knownDetails.map((detail) => [detail, 'add it on the page of the office or agent']),
  ),
  ...Object.fromEntries(
    enteredDetails.map((detail) => [
      detail,
      'the payee enters it with the payment account, by changing it',
    ]),
  ),
}

const nameFields: Partial<Record<PayFileField, 'name' | 'code'>> = {
  bankName: 'name',
  bankCode: 'code',
}

/** Why a file's first or last line can't carry a value, naming it; undefined if both can. */
export function problemOfFile(layout: PayFileLayout, file: PayFile): string | undefined {
  if (layout.format === 'pain.001') return undefined
  for (const [edge, line] of [
    ['first line', layout.firstLine],
    ['last line', layout.lastLine],
  ] as const) {
    for (const one of line) {
      const value = edgeValueOf(layout, file, one)
      const problem = problemWith(layout, value, one)
      if (problem) return `${file.channel}: “${value}” in the ${edge} ${problem}`
    }
  }
  return undefined
}

/** Why a layout's own headings or texts don't fit into its files; undefined if they do. */
export function problemOfLayout(layout: PayFileLayout): string | undefined {
  if (layout.format === 'pain.001') {
    const { name = '', letters } = layout.payer ?? {}
    const problem = problemWith(layout, name, { letters })
    return problem && `has a payer whose “${name}” ${problem}`
  }
  for (const file of filesOf(layout, 'R-2026-0001', sampleTransfers(layout, '2026-01-01'))) {
    const problem = problemOfFile(layout, file)
    if (problem) return `makes a file that it can’t: ${problem}`
  }
  for (const column of layout.columns) {
    const { header, field, text = '', letters, width } = column
    const name = nameFields[field]
    const values: [string, Parameters<typeof problemWith>[2]][] = [
      [layout.headings ? header : '', { width }],
      [text, { letters, width }],
      ...layout.institutions.map((one): [string, Column] => [name ? one[name] : '', column]),
    ]
    for (const [value, limits] of values) {
      const problem = problemWith(layout, value, limits)
      if (problem) return `has a column whose “${value}” ${problem}`
    }
  }
  return undefined
}

/** Sample transfers for a preview, on both sides of every channel's limits. */
export function sampleTransfers(layout: PayFileLayout, day: Day): Transfer[] {
  const named = (bic: string) =>
    nameAtBank(layout.institutions, bic, 'name') === undefined
      ? (layout.institutions[0]?.bic ?? bic)
      : bic
  return layout.channels.flatMap(({ takes, currency, over, upTo }, index) => {
    const amount = upTo ?? (over === null ? 1_234_50 : over + 1)
    const kinds = takes === 'any' ? (['bank', 'wallet'] as const) : [takes]
    return kinds.map((channel, at) => ({
      reference: `P1R4N${index * 2 + at + 1}`,
      kind: 'office',
      payee: 'Manila',
      person: { firstName: 'Maria', lastName: 'Santos', email: 'maria@manila.example' },
      details: {
        address: '1 Rizal Street',
        city: 'Manila',
        postcode: '1000',
        mobile: '09171234567',
        taxNumber: '000-123-456-000',
      },
      amount,
      currency,
      channel,
      institution: named(channel === 'bank' ? 'BOPIPHMM' : 'GXCHPHM2'),
      number: channel === 'bank' ? '1000200030' : '09171234567',
      accountName: 'Maria Peña Santos',
      remarks: 'Pay R-2026-0004',
      day,
      preparedAt: atNewYork(day, '09:00'),
    }))
  })
}

const channelIndex = (layout: PayFileLayout, { amount, currency, channel }: Transfer): number =>
  layout.channels.findIndex(
    (one) =>
      one.currency === currency &&
      (one.takes === 'any' || one.takes === channel) &&
      (one.over === null || amount > one.over) &&
      (one.upTo === null || amount <= one.upTo),
  )

const NAMES: Record<PayFileField, string> = {
  reference: 'reference',
  payee: 'payee',
  institution: 'institution',
  institutionCode: 'institution code',
  bankName: 'name at the bank',
  bankCode: 'code at the bank',
  accountNumber: 'account number',
  accountName: 'account name',
  amount: 'amount',
  currency: 'currency',
  remarks: 'remarks',
  payeeKind: 'kind of payee',
  firstName: 'first name',
  lastName: 'last name',
  email: 'email address',
  address: 'address',
  city: 'city',
  postcode: 'postcode',
  mobile: 'mobile number',
  taxNumber: 'tax number',
  date: 'date',
  text: 'text',
}

function problemWith(
  { format, encoding, separator, quotes }: PayFileLayout,
  value: string,
  { longest, letters, width = 0 }: Pick<Column, 'longest' | 'letters' | 'width'>,
): string | undefined {
  if (longest && value.length > longest) return `has more than ${longest} characters`
  if (format === 'fixed' && value.length > width)
    return `has more than ${width} characters, the width of its column`
  // A spreadsheet would evaluate the value as a formula, and escaping it would change what the bank reads.
  if (looksLikeFormula(value)) return 'begins like a formula'
  if (/[\r\n]/.test(value)) return 'has a line break'
  if (hasInvisible(value)) return 'has invisible characters'
  if (
    format === 'separated' &&
    !quotes &&
    (value.includes(separators[separator]) || value.includes('"'))
  )
    return 'has the separator or a quotation mark in it'
  const refused = letters && Array.from(value).find((character) => !taken[letters].test(character))
  if (refused) return `has “${refused}”, which the bank does not take`
  if (format === 'fixed' && encoding === 'utf-8') {
    // Some banks count characters, others bytes.
    const wide = Array.from(value).find((character) => character > '~')
    if (wide) return `has “${wide}”, which is two places wide in UTF-8: choose Windows-1252`
  }
  if ((format === 'separated' || format === 'fixed') && encoding === 'windows-1252') {
    const foreign = Array.from(value).find((character) => !windows1252.has(character))
    if (foreign) return `has “${foreign}”, which Windows-1252 does not have`
  }
  return undefined
}

/** What a bank takes: letters, digits and spaces, or the characters of SEPA. */
const taken = { ascii: /[A-Za-z0-9 ]/, sepa: /[A-Za-z0-9 /?:().,'+-]/ }

/** Masks account numbers, and mobile numbers, which e-wallets have for one, down to the last four characters. */
const hidden = (field: PayFileField, value: string): string =>
  field === 'accountNumber' || field === 'mobile' ? `•••• ${value.slice(-4)}` : value

const asciiOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
