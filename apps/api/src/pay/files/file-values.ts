import {
  dateStyles,
  kindWords,
  nameAtBank,
  type PayFileLayout,
} from '@tallyroom/contract/pay/files/files'
import { institutionName } from '@tallyroom/domain/institutions'
import { fromMinorUnits } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import type { EnteredDetail, KnownDetail } from '@tallyroom/contract/pay/accounts/payee-details'
import type { Currency, PayeeKind } from '@tallyroom/domain/pay'

/** One transfer of a run, with the account's number in full. */
export type Transfer = {
  reference: string
  kind: PayeeKind
  payee: string
  /** What the payee's page has of them. Empty texts are unknown. */
  person: Record<KnownDetail, string>
  /** What the payee entered with the account. */
  details: Partial<Record<EnteredDetail, string>>
  /** Minor units. */
  amount: number
  currency: Currency
  channel: 'bank' | 'wallet'
  institution: string
  number: string
  accountName: string
  remarks: string
  /** The execution date. */
  day: Day
  /** When its run was prepared. */
  preparedAt: Date
}

export type Column = PayFileLayout['columns'][number]
export type Edge = PayFileLayout['firstLine'][number]

/** A file of a run, before it has bytes. */
export type PayFile = {
  name: string
  channel: string
  /** Its run's number. */
  run: string
  /** Its number in the run, 1 for the first. */
  sequence: number
  transfers: readonly Transfer[]
}

/** The values of a transfer's line. */
export const cellsOf = (layout: PayFileLayout, transfer: Transfer): string[] =>
  columnsOf(layout).map((column) => fitted(layout, valueOf(layout, transfer, column), column))

/** Of a message by ISO 20022, what it says of each transfer. */
export const columnsOf = ({ format, columns, payer }: PayFileLayout): readonly Column[] =>
  format === 'pain.001'
    ? messageColumns.map((column) => ({ ...column, letters: payer?.letters }))
    : columns

const messageColumns: readonly Column[] = [
  { header: '', field: 'reference', longest: 35 },
  { header: '', field: 'amount' },
  { header: '', field: 'currency' },
  { header: '', field: 'institutionCode', longest: 11 },
  { header: '', field: 'accountNumber', longest: 34 },
  { header: '', field: 'accountName', longest: 140 },
  { header: '', field: 'remarks', longest: 140 },
  { header: '', field: 'date' },
]

export const headingsOf = (layout: PayFileLayout): string[] =>
  layout.columns.map(({ header, width }) => fitted(layout, header, { width }))

/** A value as wide as its column, if the file has columns of fixed width. */
export function fitted(
  { format }: PayFileLayout,
  value: string,
  { width = 0, align = 'left', fill = 'space' }: Pick<Column, 'width' | 'align' | 'fill'>,
): string {
  if (format !== 'fixed') return value
  return align === 'left' ? value.padEnd(width) : value.padStart(width, fill === 'zero' ? '0' : ' ')
}

/** The values of a file's first or last line. */
export const edgeCellsOf = (
  layout: PayFileLayout,
  file: Pick<PayFile, 'run' | 'sequence' | 'transfers'>,
  edge: readonly Edge[],
): string[] => edge.map((one) => fitted(layout, edgeValueOf(layout, file, one), one))

export function edgeValueOf(
  layout: PayFileLayout,
  { run, sequence, transfers }: Pick<PayFile, 'run' | 'sequence' | 'transfers'>,
  edge: Edge,
): string {
  const [first] = transfers // files have at least one
  switch (edge.field) {
    case 'text':
      return edge.text ?? ''
    case 'count':
      return String(transfers.length)
    case 'total':
      return amountText(
        layout,
        transfers.reduce((sum, { amount }) => sum + amount, 0),
      )
    case 'date':
      return dateText(first?.day ?? null, edge)
    case 'sequence':
      return String(sequence)
    case 'run':
      return run
    case 'currency':
      return first?.currency ?? ''
  }
}

export const valueOf = (layout: PayFileLayout, transfer: Transfer, column: Column): string =>
  values[column.field](transfer, column, layout)

type ValueOf = (transfer: Transfer, column: Column, layout: PayFileLayout) => string

const values: Record<Column['field'], ValueOf> = {
  amount: ({ amount }, _, layout) => amountText(layout, amount),
  currency: ({ currency }) => currency,
  institution: ({ institution }) => institutionName(institution),
  institutionCode: ({ institution }) => institution,
  bankName: ({ institution }, _, layout) =>
    nameAtBank(layout.institutions, institution, 'name') ?? '',
  bankCode: ({ institution }, _, layout) =>
    nameAtBank(layout.institutions, institution, 'code') ?? '',
  accountNumber: ({ number }) => number,
  accountName: ({ accountName }) => accountName,
  date: ({ day }, column) => dateText(day, column),
  text: (_, { text = '' }) => text,
  payee: ({ payee }) => payee,
  payeeKind: ({ kind }, { words = kindWords }) => words[kind],
  reference: ({ reference }) => reference,
  remarks: ({ remarks }) => remarks,
  firstName: ({ person }) => person.firstName,
  lastName: ({ person }) => person.lastName,
  email: ({ person }) => person.email,
  mobile: ({ channel, number, details }) =>
    channel === 'wallet' ? number : (details.mobile ?? ''),
  address: ({ details }) => details.address ?? '',
  city: ({ details }) => details.city ?? '',
  postcode: ({ details }) => details.postcode ?? '',
  taxNumber: ({ details }) => details.taxNumber ?? '',
}

function amountText({ decimals }: PayFileLayout, amount: number): string {
  if (decimals === 'none') return String(amount)
  const point = fromMinorUnits(amount).toFixed(2)
  return decimals === 'comma' ? point.replace('.', ',') : point
}

/** In a column's style. Null: none. */
export const dateText = (
  day: Day | null,
  { dateStyle = dateStyles[0] }: Pick<Column, 'dateStyle'>,
): string => {
  if (day === null) return ''
  const [year = '', month = '', ofMonth = ''] = day.split('-')
  return dateStyle
    .replace('YYYY', year)
    .replace('YY', year.slice(-2))
    .replace('MM', month)
    .replace('DD', ofMonth)
}
