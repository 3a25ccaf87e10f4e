import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Day } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import { textAt } from '../../lib/files/read-xml.ts'
import { BadFileError } from '../../lib/files/read-zip.ts'
import { type BankMessage, type Document, readDocument, type Told } from './bank-message.ts'
import { readCamt } from './camt.ts'
import { readPain002 } from './pain-002.ts'
import { likeOf, type Others, type Pending, type Problem, type Result } from './result-file.ts'

/** A transfer of the run that a message is read for. */
export type Transfer = {
  reference: string
  /** In minor units. */
  amount: number
  /** Of the payee; empty if it can’t be decrypted. */
  account: string
  /** The name of its file; null if that is not known. */
  file: string | null
  /** The bank’s day on which that was first downloaded; null before. */
  leftOn: Day | null
  state: 'open' | 'paid' | 'failed' | 'returned'
  /** Who entered, and when, that it was paid after all, in a sentence. */
  settled?: string | undefined
  /** Whether this very message was read before, and what it refuses is settled. */
  isAnswered?: boolean
}

/** What a message is read for. */
export type Asked = {
  run: string
  currency: Currency
  transfers: readonly Transfer[]
  /** The files by the ids of their messages; none if they are no messages. */
  files: ReadonlyMap<string, string>
  /** The account that pays; null if it is not known. */
  account: string | null
  timeZone: string
  today: Day
}

/** Transfers that a message names neither by reference nor one by one, so that a person has to say that they are meant. */
export type Guess = {
  place: number
  references: readonly string[]
  /** By amount and account, or as a sum of all transfers of a file. */
  by: 'account' | 'sum'
  /** In minor units. */
  amount: number
  results: readonly Result[]
}

export type ReadMessage = {
  name: string
  /** As the bank named this one; empty if it did not. */
  id: string
  /** The last characters of the account that it is a statement of; null of an answer to a file. */
  account: string | null
  results: Result[]
  /** Of transfers that the same message has as paid: they came back since. */
  back: Result[]
  /** Refusals of files, for each transfer of theirs that was reported paid before, and stays so. */
  refusals: Result[]
  guesses: Guess[]
  problems: Problem[]
  pending: Pending[]
  others: Others
}

/**
 * What a bank’s message says of a run’s transfers.
 *
 * @throws BadFileError with what it is instead, and if it is about another file or account
 */
export function readMessage(bytes: Uint8Array, asked: Asked): ReadMessage {
  const document = readDocument(bytes)
  const message = messageOf(document, asked)
  const ours = new Map(asked.transfers.map((one) => [likeOf(one.reference), one]))
  const told = message.told.map((one) => ({ one, transfer: transferOf(one, ours) }))
  refuseOther(message, asked, told)
  const read: ReadMessage = {
    name: message.name,
    id: textAt(document.content, 'GrpHdr', 'MsgId'),
    account: accountText(message, asked),
    results: [],
    back: [],
    refusals: [],
    guesses: [],
    problems: [],
    pending: [],
    others: { lines: 0, amount: 0, references: [] },
  }
  const isStatement = message.accounts !== null
  const named = new Map<Transfer, Told[]>()
  for (const { one, transfer } of told)
    if (transfer) named.set(transfer, [...(named.get(transfer) ?? []), one])
  const { refused, contradicted } = isStatement ? NONE_REFUSED : refusalsIn(told, asked)
  for (const [transfer, all] of named) {
    const contradiction = contradicted.get(transfer.file ?? '')
    if (contradiction !== undefined) {
      read.problems.push(...all.map(({ place }) => ({ line: place, problem: contradiction })))
      continue
    }
    addNamed(read, { transfer, all, isStatement, refusal: refused.get(transfer.file ?? '') }, asked)
  }
  const free = new Set(
    asked.transfers.filter((one) => !named.has(one) && !contradicted.has(one.file ?? '')),
  )
  // What is said of an instruction counts before what is said of its file, which comes before it.
  for (const { one } of told.filter(({ transfer }) => !transfer).toReversed()) {
    const file = fileOf(one, asked)
    const contradiction = contradicted.get(file ?? '')
    if (contradiction !== undefined) read.problems.push({ line: one.place, problem: contradiction })
    else if (file !== undefined) addFile(read, { one, file, isStatement, free }, asked)
    else if (!addByAccount(read, { one, free }, asked)) addOther(read, one)
  }
  read.problems.sort((one, other) => one.line - other.line)
  read.guesses.sort((one, other) => one.place - other.place)
  return read
}

type Refusals = {
  /** What says that the bank refused a file as a whole, by its name. */
  refused: ReadonlyMap<string, Told>
  /** What is wrong with what the message says of a file, by its name. Nothing of it counts. */
  contradicted: ReadonlyMap<string, string>
}

const NONE_REFUSED: Refusals = { refused: new Map(), contradicted: new Map() }

/**
 * The files that an answer refuses as a whole. It contradicts itself if it has the file or a part of it as paid, or, after the
 * refusal, as under way: the state of a message stands before that of its instruction, which may be later.
 */
function refusalsIn(
  told: readonly { one: Told; transfer: Transfer | undefined }[],
  asked: Asked,
): Refusals {
  const refused = new Map<string, Told>()
  const contradicted = new Map<string, string>()
  for (const { one } of told) {
    const file = one.means === 'failed' ? fileOf(one, asked) : undefined
    if (file === undefined) continue
    const against = told.find(
      ({ one: other, transfer }) =>
        (other.means === 'paid' || (other.means === 'pending' && other.place > one.place)) &&
        (transfer ? transfer.file === file : fileOf(other, asked) === file),
    )
    const ofFile = asked.transfers.filter((transfer) => transfer.file === file)
    if (against)
      contradicted.set(
        file,
        `entry ${one.place} refuses ${file} as a whole, and entry ${against.one.place} does not`,
      )
    else if (whyOtherFile(one, file, ofFile, asked) === undefined) refused.set(file, one)
  }
  return { refused, contradicted }
}

function messageOf(document: Document, { account, timeZone }: Asked): BankMessage {
  if (document.kind === 'pain.002') return readPain002(document, timeZone)
  return readCamt(document, {
    timeZone,
    isOurs: (one) => account === null || one === '' || isSameAccount(one, account),
  })
}

/** The transfer that has one of the references. */
const transferOf = (
  { references }: Told,
  ours: ReadonlyMap<string, Transfer>,
): Transfer | undefined => references.flatMap((one) => ours.get(likeOf(one)) ?? [])[0]

/** The name of the file that something is said of as a whole; undefined if it is of none of ours. */
const fileOf = ({ fileOf: about }: Told, { files }: Asked): string | undefined =>
  about?.ids.flatMap((id) => files.get(likeOf(id)) ?? [])[0]

/** @throws BadFileError if a message is about another file or account */
function refuseOther(
  { accounts, answers, name }: BankMessage,
  { run, account, files }: Asked,
  told: readonly { one: Told; transfer: Transfer | undefined }[],
): void {
  if (account !== null && accounts?.every((one) => one !== '' && !isSameAccount(one, account)))
    throw new BadFileError(
      `it is a ${name} of ${accounts.map(lastOf).join(', ') || 'no account'}, and this run is paid from ${lastOf(account)}`,
    )
  const isOurs = answers === null || files.has(likeOf(answers))
  if (!isOurs && !told.some(({ transfer }) => transfer))
    throw new BadFileError(
      `it answers “${answers.slice(0, 40)}”, which is no file of ${run}, and has none of its references`,
    )
}

const accountText = ({ accounts }: BankMessage, { account }: Asked): string | null => {
  if (!accounts) return null
  const read = accounts.filter((one) => account === null || isSameAccount(one, account))
  return read.map(lastOf).join(', ')
}

const lastOf = (account: string): string => `••${plainAccount(account).slice(-4)}`

/** Without what banks write between digits, and without zeros before them. */
const plainAccount = (account: string): string =>
  account
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .replace(/^0+/, '')

/** An IBAN ends with the number that it is made of. */
function isSameAccount(one: string, other: string): boolean {
  const [short = '', long = ''] = [plainAccount(one), plainAccount(other)].toSorted(
    (a, b) => a.length - b.length,
  )
  return short === long ? short !== '' : short.length >= 6 && long.endsWith(short)
}

type Named = {
  transfer: Transfer
  all: readonly Told[]
  /** Whether it is of an account, and not the answer to a file. */
  isStatement: boolean
  /** What says that the bank refused the whole file that has it. */
  refusal: Told | undefined
}

/** What is said of a transfer by its reference. */
function addNamed(
  read: ReadMessage,
  { transfer, all, isStatement, refusal }: Named,
  asked: Asked,
): void {
  const { reference } = transfer
  if (refusal && wasPaid(transfer)) {
    // Its own reason says more than that of its file.
    const one = all.findLast(({ means }) => means === 'failed') ?? refusal
    if (isPending(refusal, asked)) read.pending.push(pendingOf(refusal, reference, asked))
    else addRefusal(read, { transfer, one, places: all.map(({ place }) => place) }, asked)
    return
  }
  const said: Told[] = []
  for (const one of all) {
    const problem = problemWith(one, transfer, { isStatement, ...asked })
    if (problem !== undefined) read.problems.push({ line: one.place, problem })
    else if (isPending(one, asked)) read.pending.push(pendingOf(one, reference, asked))
    else said.push(one)
  }
  const out = said.filter(({ means }) => means === 'paid')
  const back = said.filter(({ means }) => means !== 'paid')
  const twice = [out, back].find((same) => !isOnce(same))
  const differs = !isStatement && out.length > 0 && back.length > 0 ? said : undefined
  const wrong = twice ?? differs
  if (wrong) {
    const places = wrong.map(({ place }) => place).join(' and ')
    const what = twice ? 'is there more than once' : 'is there with different states'
    read.problems.push(
      ...wrong.map(({ place }) => ({
        line: place,
        problem: `${reference} ${what}: entries ${places}`,
      })),
    )
    return
  }
  const results = [out[0], back[0]].flatMap((one) =>
    one ? [{ ...resultOf(one, reference, asked), refusesFile: refusal !== undefined }] : [],
  )
  const [first, second] = results
  if (first) read.results.push(first)
  if (second) read.back.push(second)
}

const wasPaid = ({ state }: Transfer): boolean => state === 'paid' || state === 'returned'

/**
 * Adds what refuses a transfer that was reported paid. Of one that came back before, which is owed already, and of a message that is
 * settled, nobody has to ask.
 */
function addRefusal(
  read: ReadMessage,
  { transfer, one, places }: { transfer: Transfer; one: Told; places: readonly number[] },
  asked: Asked,
): void {
  const { reference, state, isAnswered = false } = transfer
  read.refusals.push({ ...resultOf(one, reference, asked), refusesFile: true })
  if (state === 'paid' && !isAnswered)
    read.problems.push(...places.map((place) => staysPaid(place, transfer)))
}

/** A result that was reported before is not taken back by the refusal of its file: somebody has to ask the bank. */
const staysPaid = (place: number, { reference, file, settled }: Transfer): Problem => ({
  line: place,
  problem:
    settled === undefined
      ? `${reference} was reported paid, and this refuses ${file} as a whole. It stays as it was reported: ask your bank which is true`
      : `${reference} was reported paid, and this refuses ${file} as a whole once more. ${settled}. It stays paid: ask your bank again`,
})

/** The same transaction, however often a message has it. */
const isOnce = (said: readonly Told[]): boolean =>
  new Set(
    said.map(({ bankReference, amounts, on }) => JSON.stringify([bankReference, amounts, on])),
  ).size <= 1

function problemWith(
  { means, amounts, on }: Told,
  { reference, leftOn, file }: Transfer,
  { isStatement, currency }: Asked & { isStatement: boolean },
): string | undefined {
  if (typeof means === 'object') return `${reference}: ${means.problem}`
  if (isStatement && amounts.length === 0)
    return `the entry does not say how much of it ${reference} is`
  const other = amounts.find((one) => one.currency !== '' && one.currency !== currency)
  if (other && amountsIn(currency, amounts).length === 0)
    return `the amount of ${reference} is in ${other.currency.slice(0, 3)}, not in ${currency}`
  if (on !== null && leftOn !== null && on < leftOn)
    return `${reference} is of ${on}, before ${leftOn}, when ${file ?? 'its file'} was downloaded`
  return undefined
}

const amountsIn = (currency: Currency, amounts: Told['amounts']): number[] =>
  amounts.flatMap((one) => (one.currency === '' || one.currency === currency ? [one.amount] : []))

/** What is booked for a later day has not happened yet. */
const isPending = ({ means, on }: Told, { today }: Asked): boolean =>
  means === 'pending' || (on !== null && on > today)

const pendingOf = (
  { place, means, status, on }: Told,
  reference: string,
  { today }: Asked,
): Pending => ({
  place,
  reference,
  status: means !== 'pending' && on !== null && on > today ? `booked for ${on}` : status,
})

/** What is said as a result. Neither reason nor reference is longer than those that are typed. */
const resultOf = (
  { place, means, amounts, reason, bankReference, on }: Told,
  reference: string,
  { currency }: Asked,
): Result => ({
  place,
  reference,
  paid: means === 'paid',
  reason: means === 'paid' ? '' : reason.slice(0, 300),
  bankReference: bankReference.slice(0, 60),
  ...(amounts.length > 0 && { amounts: amountsIn(currency, amounts) }),
  on,
})

type OfFile = {
  one: Told
  file: string
  isStatement: boolean
  /** The transfers of which nothing else is said. */
  free: Set<Transfer>
}

/** What is said of all transfers of a file of which nothing else is said. */
function addFile(read: ReadMessage, { one, file, isStatement, free }: OfFile, asked: Asked): void {
  const { place, means } = one
  const ofFile = asked.transfers.filter((transfer) => transfer.file === file)
  const fresh = ofFile.filter((transfer) => free.has(transfer))
  const problem =
    typeof means === 'object'
      ? `${file}: ${means.problem}`
      : isStatement
        ? whyNoSum(one, ofFile, asked)
        : whyOtherFile(one, file, ofFile, asked)
  if (problem !== undefined) {
    read.problems.push({ line: place, problem })
    return
  }
  for (const transfer of fresh) free.delete(transfer)
  if (isPending(one, asked)) {
    read.pending.push(...fresh.map(({ reference }) => pendingOf(one, reference, asked)))
    return
  }
  const refusesFile = !isStatement && means === 'failed'
  const kept = refusesFile ? fresh.filter(wasPaid) : []
  for (const transfer of kept) addRefusal(read, { transfer, one, places: [place] }, asked)
  const results = fresh
    .filter(
      (transfer) => !kept.includes(transfer) && (!isStatement || isMeant(one, transfer.state)),
    )
    .map(({ reference }) => ({
      ...resultOf({ ...one, amounts: [] }, reference, asked),
      refusesFile,
    }))
  if (!isStatement) read.results.push(...results)
  else if (results.length > 0)
    read.guesses.push({
      place,
      references: results.map(({ reference }) => reference),
      by: 'sum',
      amount: one.fileOf?.sum ?? 0,
      results,
    })
}

/** Whether a transfer of this state can be one that was paid or came back. */
const isMeant = ({ means }: Told, state: Transfer['state']): boolean =>
  means === 'returned' ? state === 'paid' : state === 'open'

/** Why a state is not that of a file of ours; undefined if it can be. */
function whyOtherFile(
  { fileOf: told, on }: Told,
  file: string,
  ofFile: readonly Transfer[],
  { currency }: Asked,
): string | undefined {
  const sum = sumOf(ofFile)
  if (told?.count != null && told.count !== ofFile.length)
    return `${file} has ${ofFile.length} transfers, and this is of ${told.count}`
  if (told?.sum != null && told.sum !== sum)
    return `${file} has ${moneyText(sum, currency)}, and this is of ${moneyText(told.sum, currency)}`
  return whyEarly(on, file, ofFile)
}

/** Why an entry is not the sum of a file of ours; undefined if it can be. */
function whyNoSum(
  { means, fileOf: told, amounts, on }: Told,
  ofFile: readonly Transfer[],
  { currency }: Asked,
): string | undefined {
  const left = ofFile.filter(({ state }) =>
    means === 'returned' ? state === 'paid' || state === 'returned' : state !== 'failed',
  )
  const [file = ''] = ofFile.map((one) => one.file ?? '')
  const other = amounts.find((one) => one.currency !== currency)
  if (other) return `the sum of ${file} is in ${other.currency.slice(0, 3)}, not in ${currency}`
  const sum = sumOf(left)
  if (told?.sum !== sum)
    return `${file} is ${moneyText(sum, currency)}, and the entry is ${moneyText(told?.sum ?? 0, currency)}`
  return whyEarly(on, file, ofFile)
}

function whyEarly(on: Day | null, file: string, [first]: readonly Transfer[]): string | undefined {
  const leftOn = first?.leftOn
  return on !== null && leftOn != null && on < leftOn
    ? `this is of ${on}, before ${leftOn}, when ${file} was downloaded`
    : undefined
}

const sumOf = (transfers: readonly Transfer[]): number =>
  transfers.reduce((sum, { amount }) => sum + amount, 0)

/** A transaction without a reference that has amount and account of a transfer. False: none of ours. */
function addByAccount(
  read: ReadMessage,
  { one, free }: { one: Told; free: Set<Transfer> },
  asked: Asked,
): boolean {
  const { means, accounts, amounts, on, place } = one
  if (means !== 'paid' && means !== 'returned') return false
  // It names a transfer of another run.
  if (one.references.some((text) => /^p\d+r\d+n\d+$/i.test(text))) return false
  if (isPending(one, asked)) return false
  const transfer = [...free].find(
    ({ account, amount, state, leftOn }) =>
      isMeant(one, state) &&
      amountsIn(asked.currency, amounts).includes(amount) &&
      leftOn !== null &&
      (on === null || on >= leftOn) &&
      accounts.some((told) => isSameAccount(told, account)),
  )
  if (!transfer) return false
  free.delete(transfer)
  read.guesses.push({
    place,
    references: [transfer.reference],
    by: 'account',
    amount: transfer.amount,
    results: [resultOf(one, transfer.reference, asked)],
  })
  return true
}

function addOther(read: ReadMessage, { references }: Told): void {
  read.others.lines += 1
  read.others.references.push(
    ...references.map(likeOf).filter((text) => text !== '' && text.length <= 60),
  )
}
