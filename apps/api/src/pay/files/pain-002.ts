import { childrenOf, elementAt, textAt, type XmlElement } from '../../lib/files/read-xml.ts'
import { STATUSES, statusText } from './bank-codes.ts'
import {
  accountAt,
  type BankMessage,
  countAt,
  dayAt,
  type Document,
  type FileTold,
  isReference,
  moneyAt,
  reasonIn,
  type Told,
} from './bank-message.ts'

/**
 * The bank's answer to a file: the state of the whole, of a payment instruction, and of transfers. What is said of a transfer
 * counts before what is said of the instruction or the file that has it.
 */
export function readPain002({ name, content }: Document, timeZone: string): BankMessage {
  const on = dayAt(elementAt(content, 'GrpHdr', 'CreDtTm'), timeZone)
  const group = elementAt(content, 'OrgnlGrpInfAndSts')
  const answers = textAt(group, 'OrgnlMsgId')
  const told: Told[] = []
  const add = (one: Omit<Told, 'place'>) => told.push({ place: told.length + 1, ...one })
  const groupStatus = textAt(group, 'GrpSts')
  if (groupStatus !== '')
    add(stateOf(group, groupStatus, { ids: [answers], element: group, on, above: '' }))
  const groupReason = reasonIn(childrenOf(group, 'StsRsnInf'))
  for (const payment of childrenOf(content, 'OrgnlPmtInfAndSts')) {
    const id = textAt(payment, 'OrgnlPmtInfId')
    const status = textAt(payment, 'PmtInfSts')
    if (status !== '')
      add(stateOf(payment, status, { ids: [id], element: payment, on, above: groupReason }))
    const above = reasonIn(childrenOf(payment, 'StsRsnInf')) || groupReason
    for (const one of childrenOf(payment, 'TxInfAndSts'))
      add(transferOf(one, { on, above, status: status || groupStatus, timeZone }))
  }
  return { name, accounts: null, told, answers }
}

type Around = {
  on: Told['on']
  /** The reason of what has it. */
  above: string
}

function stateOf(
  element: XmlElement | undefined,
  status: string,
  { ids, element: counted, on, above }: Around & { ids: string[]; element: XmlElement | undefined },
): Omit<Told, 'place'> {
  const sum = moneyAt(elementAt(counted, 'OrgnlCtrlSum'))
  const fileOf: FileTold = {
    ids: ids.filter(isReference),
    count: countAt(textAt(counted, 'OrgnlNbOfTxs')),
    sum: sum ? sum.amount : null,
  }
  const said = saidOf(status, reasonIn(childrenOf(element, 'StsRsnInf')) || above)
  return {
    ...said,
    references: [],
    fileOf,
    accounts: [],
    amounts: [],
    bankReference: '',
    // The message is of a day, and so is a refusal; a payment keeps the day that its file asked for.
    on: said.means === 'paid' ? null : on,
  }
}

function transferOf(
  element: XmlElement,
  { on, above, status, timeZone }: Around & { status: string; timeZone: string },
): Omit<Told, 'place'> {
  const original = elementAt(element, 'OrgnlTxRef')
  const written = elementAt(original, 'Amt', 'InstdAmt')
  const amount = moneyAt(written)
  const said = saidOf(
    textAt(element, 'TxSts') || status,
    reasonIn(childrenOf(element, 'StsRsnInf')) || above,
  )
  const settled =
    elementAt(element, 'FctvIntrBkSttlmDt') ??
    elementAt(element, 'PrcgDt') ??
    elementAt(original, 'IntrBkSttlmDt')
  return {
    ...said,
    ...(written && !amount && { means: { problem: `“${written.text}” is not an amount` } }),
    references: ['OrgnlEndToEndId', 'OrgnlInstrId']
      .map((name) => textAt(element, name))
      .filter(isReference),
    fileOf: null,
    accounts: [accountAt(elementAt(original, 'CdtrAcct'))].filter(Boolean),
    amounts: amount ? [amount] : [],
    bankReference: textAt(element, 'AcctSvcrRef'),
    // When it was settled is said apart; else a payment keeps the day that its file asked for.
    on: said.means === 'paid' ? dayAt(settled, timeZone) : on,
  }
}

function saidOf(status: string, reason: string): Pick<Told, 'means' | 'status' | 'reason'> {
  const means = STATUSES[status]?.means
  return {
    means: means ?? { problem: `the status “${status}” is not known` },
    status: [statusText(status), reason].filter(Boolean).join('. '),
    reason: reason || statusText(status),
  }
}
