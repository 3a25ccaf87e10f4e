import type { Payer } from '@tallyroom/contract/pay/files/files'
import type { Day } from '@tallyroom/domain/new-york'
import { fromMinorUnits } from '@tallyroom/domain/money'
import type { PayFile, Transfer } from './file-values.ts'

/**
 * A customer credit transfer initiation by ISO 20022, `pain.001.001.09`, in UTF-8: one payment instruction, and a transaction
 * for each transfer. It is dated by when the run was prepared, so that equal transfers give equal bytes.
 */
export function painOf(
  { name, account, bic }: Payer,
  { run, sequence, transfers }: Pick<PayFile, 'run' | 'sequence' | 'transfers'>,
): Buffer {
  const [first] = transfers
  if (!first) throw new RangeError('a message has at least one transaction')
  const message = messageIdOf(run, sequence)
  const sums =
    tag('NbOfTxs', String(transfers.length)) +
    tag('CtrlSum', amountOf(transfers.reduce((sum, one) => sum + one.amount, 0)))
  const header = within(
    'GrpHdr',
    tag('MsgId', message) +
      tag('CreDtTm', timeOf(first.preparedAt)) +
      sums +
      within('InitgPty', tag('Nm', name)),
  )
  const payment = within(
    'PmtInf',
    tag('PmtInfId', message) +
      tag('PmtMtd', 'TRF') +
      sums +
      dateOf(first.day) +
      within('Dbtr', tag('Nm', name)) +
      within(
        'DbtrAcct',
        within('Id', within('Othr', tag('Id', account))) + tag('Ccy', first.currency),
      ) +
      within('DbtrAgt', agentOf(bic)) +
      transfers.map(transactionOf).join(''),
  )
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}">\n${within('CstmrCdtTrfInitn', header + payment)}</Document>\n`,
  )
}

/** The id of the message that is a run's file of this place, from 1. */
export const messageIdOf = (run: string, place: number): string => `${run}-${place}`

/** The same message with another execution date. Null: with none. */
export const painWithDate = (bytes: Buffer, day: Day | null): Buffer =>
  Buffer.from(
    String(bytes).replaceAll(/<ReqdExctnDt>\n<Dt>[^<]*<\/Dt>\n<\/ReqdExctnDt>\n/g, () =>
      dateOf(day),
    ),
  )

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'

const transactionOf = (one: Transfer): string =>
  within(
    'CdtTrfTxInf',
    within('PmtId', tag('InstrId', one.reference) + tag('EndToEndId', one.reference)) +
      within('Amt', `<InstdAmt Ccy="${one.currency}">${amountOf(one.amount)}</InstdAmt>\n`) +
      within('CdtrAgt', agentOf(one.institution)) +
      within('Cdtr', tag('Nm', one.accountName)) +
      within('CdtrAcct', within('Id', within('Othr', tag('Id', one.number)))) +
      within('RmtInf', tag('Ustrd', one.remarks)),
  )

const agentOf = (bic: string): string => within('FinInstnId', tag('BICFI', bic))

const dateOf = (day: Day | null): string => within('ReqdExctnDt', tag('Dt', day ?? ''))

/** To the second. */
const timeOf = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`

const amountOf = (amount: number): string => fromMinorUnits(amount).toFixed(2)

const within = (name: string, content: string): string => `<${name}>\n${content}</${name}>\n`

const tag = (name: string, text: string): string => `<${name}>${escapedXml(text)}</${name}>\n`

const escapedXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
