import { childrenOf, elementAt, textAt, type XmlElement } from '../../lib/files/read-xml.ts'
import {
  accountAt,
  type BankMessage,
  countAt,
  dayAt,
  type Document,
  type FileTold,
  isReference,
  type Money,
  moneyAt,
  reasonIn,
  type Told,
} from './bank-message.ts'

/**
 * A statement (camt.053) or a notification of debits and credits (camt.054): of each entry its transfers, or the entry itself if
 * it names none. A debit that is booked was paid on its value day, and a credit that is a return came back.
 *
 * @param isOurs whether the statement of an account is to be read
 */
export function readCamt(
  { kind, name, content }: Document,
  { timeZone, isOurs }: { timeZone: string; isOurs: (account: string) => boolean },
): BankMessage {
  const statements = childrenOf(content, kind === 'camt.053' ? 'Stmt' : 'Ntfctn')
  const accounts = statements.map((one) => accountAt(elementAt(one, 'Acct')))
  const told = statements
    .filter((_, place) => isOurs(accounts[place] ?? ''))
    .flatMap((one) => childrenOf(one, 'Ntry'))
    .flatMap((entry) => entryOf(entry, timeZone))
  return {
    name,
    accounts: [...new Set(accounts)],
    told: told.map((one, index) => ({ ...one, place: index + 1 })),
    answers: null,
  }
}

type Entry = {
  entry: XmlElement
  isBooked: boolean
  on: Told['on']
  /** How many transfers it is the sum of. */
  count: number
}

function entryOf(entry: XmlElement, timeZone: string): Omit<Told, 'place'>[] {
  const details = childrenOf(entry, 'NtryDtls')
  const transfers = details.flatMap((one) => childrenOf(one, 'TxDtls'))
  const status = textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')
  // For information only.
  if (status === 'INFO') return []
  const about: Entry = {
    entry,
    isBooked: status === 'BOOK',
    on: dayAt(elementAt(entry, 'ValDt'), timeZone) ?? dayAt(elementAt(entry, 'BookgDt'), timeZone),
    count: transfers.length,
  }
  const isWhole = !transfers.some(
    (one) => referencesOf(one).length > 0 || accountsOf(one).length > 0,
  )
  if (!isWhole) return transfers.map((one) => ({ ...toldOf(one, about), fileOf: null }))
  const [first] = transfers
  const fileOf = fileIn(elementAt(first, 'Refs'), elementAt(details[0], 'Btch'), entry)
  return [{ ...toldOf(first, { ...about, count: 1 }), fileOf }]
}

function toldOf(
  transfer: XmlElement | undefined,
  { entry, isBooked, on, count }: Entry,
): Omit<Told, 'place' | 'fileOf'> {
  const refs = elementAt(transfer, 'Refs')
  const side = textAt(transfer, 'CdtDbtInd') || textAt(entry, 'CdtDbtInd')
  const isReversal = /^(?:true|1)$/.test(textAt(entry, 'RvslInd'))
  const returned = elementAt(transfer, 'RtrInf')
  const kinds = [transfer, entry].map((one) => textAt(one, 'BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd'))
  const isReturn = isReversal || returned !== undefined || kinds.some((one) => RETURNS.has(one))
  const reason =
    (returned ? reasonIn([returned]) : '') ||
    textAt(transfer, 'AddtlTxInf') ||
    textAt(entry, 'AddtlNtryInf')
  return {
    means: meansOf({ side, isReturn, isBooked }),
    status: isBooked ? 'booked' : 'not booked yet',
    reason: reason || 'returned without a reason',
    references: referencesOf(transfer),
    accounts: accountsOf(transfer),
    amounts: amountsOf(transfer, entry, count),
    bankReference:
      textAt(refs, 'AcctSvcrRef') || textAt(entry, 'AcctSvcrRef') || textAt(entry, 'NtryRef'),
    on,
  }
}

const isCredit = (side: string): boolean => side === 'CRDT'

/** Kinds of transactions that are a return of a payment: returned, reversed, rejected. */
const RETURNS: ReadonlySet<string> = new Set(['RRTN', 'RPCR', 'ARET', 'PRTN', 'RVSL', 'RJCT'])

function meansOf({
  side,
  isReturn,
  isBooked,
}: {
  side: string
  isReturn: boolean
  isBooked: boolean
}): Told['means'] {
  if (side !== 'CRDT' && side !== 'DBIT') return { problem: 'it is neither a debit nor a credit' }
  if (isCredit(side) && !isReturn)
    return { problem: 'it is a credit that does not say that it is a return' }
  if (!isCredit(side) && isReturn) return { problem: 'it is a debit that says that it is a return' }
  if (!isBooked) return 'pending'
  return isCredit(side) ? 'returned' : 'paid'
}

const referencesOf = (transfer: XmlElement | undefined): string[] =>
  ['EndToEndId', 'InstrId'].map((name) => textAt(transfer, 'Refs', name)).filter(isReference)

/** Whoever gets a payment, and whoever gives it back. */
const accountsOf = (transfer: XmlElement | undefined): string[] =>
  ['CdtrAcct', 'DbtrAcct']
    .map((name) => accountAt(elementAt(transfer, 'RltdPties', name)))
    .filter(Boolean)

/** The message or instruction of which an entry is the sum; null if it names none. */
function fileIn(
  refs: XmlElement | undefined,
  batch: XmlElement | undefined,
  entry: XmlElement,
): FileTold | null {
  const ids = [refs, batch]
    .flatMap((one) => [textAt(one, 'MsgId'), textAt(one, 'PmtInfId')])
    .filter(isReference)
  if (ids.length === 0) return null
  const sum = moneyAt(elementAt(entry, 'Amt'))
  return { ids, count: countAt(textAt(batch, 'NbOfTxs')), sum: sum ? sum.amount : null }
}

/** What the amount of a transfer can be: its own, the one that was ordered, or that of an entry which has it alone. */
const amountsOf = (transfer: XmlElement | undefined, entry: XmlElement, count: number): Money[] => {
  const own = [
    elementAt(transfer, 'Amt'),
    elementAt(transfer, 'AmtDtls', 'TxAmt', 'Amt'),
    elementAt(transfer, 'AmtDtls', 'InstdAmt', 'Amt'),
  ].flatMap((one) => moneyAt(one) ?? [])
  const whole = count <= 1 ? moneyAt(elementAt(entry, 'Amt')) : undefined
  return own.length > 0 || !whole ? own : [whole]
}
