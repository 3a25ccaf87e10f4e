import { type Day, isDay } from '@tallyroom/domain/new-york'
import { dayIn } from '@tallyroom/domain/time-zones'
import { BadFileError } from '../../lib/files/read-zip.ts'
import {
  childrenOf,
  elementAt,
  readXml,
  textAt,
  type XmlElement,
} from '../../lib/files/read-xml.ts'
import { reasonText } from './bank-codes.ts'

/** What a bank's message says of a transfer, or of all transfers of a file that it does not say otherwise of. */
export type Told = {
  /** Its number in the message, from 1. */
  place: number
  /** `paid` and `returned` are booked. An unknown meaning has what is wrong with it. */
  means: 'paid' | 'failed' | 'returned' | 'pending' | { problem: string }
  /** Ours, as the bank gives them back. Empty: none, so that it is of a whole file, or the bank has dropped them. */
  references: readonly string[]
  /** The file of ours that it is about as a whole; null if it is about one transfer. */
  fileOf: FileTold | null
  /** The accounts that can be the payee's. */
  accounts: readonly string[]
  /** What its amount can mean, in the minor units of a currency. Empty: it says none. */
  amounts: readonly Money[]
  /** Its state in words. */
  status: string
  /** Why it failed or came back. */
  reason: string
  bankReference: string
  /** On which day of the bank; null if it does not say. */
  on: Day | null
}

export type Money = { amount: number; currency: string }

/** A file of ours that a message is about. */
export type FileTold = {
  ids: readonly string[]
  /** How many transfers it says that the file has; null if it does not say. */
  count: number | null
  /** The sum of it in minor units; null if it does not say. */
  sum: number | null
}

export type BankMessage = {
  /** Such as `pain.002.001.10`. */
  name: string
  /** The accounts that it has statements of; null of an answer to a file. */
  accounts: readonly string[] | null
  told: Told[]
  /** What it answers, as it names it; null of a statement. */
  answers: string | null
}

/** What each kind of message that is read has in its document. */
const MESSAGES = {
  'pain.002': { root: 'CstmrPmtStsRpt', since: 3 },
  'camt.053': { root: 'BkToCstmrStmt', since: 2 },
  'camt.054': { root: 'BkToCstmrDbtCdtNtfctn', since: 2 },
} as const
export type MessageKind = keyof typeof MESSAGES

const isKind = (text: string): text is MessageKind => Object.hasOwn(MESSAGES, text)

/** The document of a message: what kind it is, by its namespace, and its content. */
export type Document = { kind: MessageKind; name: string; content: XmlElement }

const READ = 'Results are read from pain.002, camt.053 and camt.054'

/**
 * The message in an XML file.
 *
 * @throws BadFileError with what it is instead
 */
export function readDocument(bytes: Uint8Array): Document {
  const root = readXml(bytes)
  const document = root.name === 'Document' ? root : elementAt(root, 'Document')
  if (!document)
    throw new BadFileError(
      `it is XML, but no bank’s message by ISO 20022: it begins with “${cut(root.name)}”`,
    )
  const [content] = document.children
  if (!content) throw new BadFileError('it is an empty message')
  // Some banks' namespaces only contain the name.
  const name = /\b([a-z]{4})\.(\d{3})\.(\d{3})\.(\d{2})\b/.exec(document.space)
  if (!name)
    throw new BadFileError(
      `its namespace “${cut(document.space)}” is that of no message by ISO 20022`,
    )
  const kind = `${name[1]}.${name[2]}`
  if (!isKind(kind)) throw new BadFileError(`it is a ${name[0]}. ${READ}`)
  const { root: expected, since } = MESSAGES[kind]
  if (content.name !== expected)
    throw new BadFileError(
      `its namespace is that of ${name[0]}, but it has “${cut(content.name)}” instead of “${expected}”`,
    )
  if (Number(name[4]) < since)
    throw new BadFileError(`it is a ${name[0]}, which is too old. ${READ}`)
  return { kind, name: name[0], content }
}

const cut = (text: string): string => text.slice(0, 100)

/** A day of the bank: a date as it is, or an instant where the bank is. Null if it is neither. */
export function dayAt(element: XmlElement | undefined, timeZone: string): Day | null {
  const text = textAt(element, 'Dt') || textAt(element, 'DtTm') || (element?.text ?? '')
  const day = text.slice(0, 10)
  if (!isDay(day)) return null
  const isInstant = /^.{10}T[\d:.]{5,20}(?:Z|[+-]\d{2}:?\d{2})$/.test(text)
  const instant = new Date(text)
  return isInstant && !Number.isNaN(instant.getTime()) ? dayIn(timeZone, instant) : day
}

/** An amount with a point and its currency. Undefined without one, and if it has parts of a centavo. */
export function moneyAt(element: XmlElement | undefined): Money | undefined {
  const match = /^(\d{1,13})(?:\.(\d{1,10}))?$/.exec(element?.text ?? '')
  if (!element || !match) return undefined
  const [, whole = '', fraction = ''] = match
  if (/[1-9]/.test(fraction.slice(2))) return undefined
  const amount = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'))
  return { amount, currency: element.attributes.get('Ccy') ?? '' }
}

/** A count or a sum without a currency; null without one. */
export const countAt = (text: string): number | null =>
  /^\d{1,9}$/.test(text) ? Number(text) : null

/** An account by IBAN or otherwise. */
export const accountAt = (element: XmlElement | undefined): string =>
  textAt(element, 'Id', 'IBAN') || textAt(element, 'Id', 'Othr', 'Id')

/** The reasons that stand in elements, each by code or in the bank's own words. */
export const reasonIn = (elements: readonly XmlElement[]): string =>
  elements
    .map((one) =>
      reasonText(
        textAt(one, 'Rsn', 'Cd') || textAt(one, 'Rsn', 'Prtry'),
        childrenOf(one, 'AddtlInf').map(({ text }) => text),
      ),
    )
    .filter(Boolean)
    .join('; ')

/** What a bank writes where it has no reference. */
export const isReference = (text: string): boolean =>
  text !== '' && !/^(?:not ?provided|nonref|none)$/i.test(text)
