import type { AnswerOf } from '@tallyroom/contract/endpoint'
import type { ResultColumns } from '@tallyroom/contract/pay/files/files'
import type { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { BadFileError } from '../../lib/files/read-zip.ts'
import { type Asked, readMessage } from '../files/message-results.ts'
import { messageIdOf } from '../files/pain-bytes.ts'
import {
  likeOf,
  type Others,
  type Pending,
  type Problem,
  readResults,
  readTable,
  type Result,
  whyUnreadable,
} from '../files/result-file.ts'
import { sha256Of } from '../runs/approved-files.ts'
import { leftOn, type LineRow, type RefusalRow } from '../runs/payment-runs.queries.ts'
import { currencyOf, fileOf, linesToPay, type Run } from '../runs/run.ts'
import type { Bank } from '../terms/bank.ts'
import { compare, compareMessage, type Taken } from './compare-results.ts'

type ReadFile = Pick<
  AnswerOf<(typeof paymentResultsEndpoints)['readResultFile']>,
  'refused' | 'format' | 'headings' | 'headingsLine' | 'sample' | 'problems' | 'pending' | 'guesses'
> & {
  taken: Taken[]
  others: Others
  refusals: Refusals
}

/** What a message refuses although it was reported paid before, and which message it is. */
export type Refusals = {
  message: string
  messageId: string
  /** Of the message's bytes. */
  sha256: Buffer
  of: { line: LineRow; result: Result }[]
}

const nothing: ReadFile = {
  refused: null,
  format: null,
  headings: [],
  headingsLine: 1,
  sample: [],
  problems: [],
  pending: [],
  guesses: [],
  taken: [],
  others: { lines: 0, amount: 0, references: [] },
  refusals: { message: '', messageId: '', sha256: Buffer.alloc(0), of: [] },
}

/** How many lines, and how many cells of each, are shown. */
const MOST_SHOWN = 5
const MOST_CELLS = 100

/** What a table says of a run's lines, or only its first lines without columns. */
export function readFile(run: Run, bytes: Buffer, columns: ResultColumns | null): ReadFile {
  const ours = new Map(linesToPay(run).map(({ reference }) => [likeOf(reference), reference]))
  const table = orWhyNot(() => readTable(bytes, columns, new Set(ours.keys())))
  if (typeof table === 'string') return { ...nothing, refused: table }
  const shown = {
    ...nothing,
    format: table.format,
    headings: table.headings,
    headingsLine: table.headingsLine,
    sample: table.rows
      .slice(0, MOST_SHOWN)
      .map(({ cells }) => cells.slice(0, MOST_CELLS).map(({ text }) => text.slice(0, 200))),
  }
  if (!columns) return shown
  const refused = whyUnreadable(table, columns)
  if (refused !== undefined) return { ...shown, refused }
  const { results, problems, pending, others } = readResults(table, columns, ours, {
    currency: currencyOf(run),
    isMinor: columns.minorUnits ?? run.template.layout.decimals === 'none',
  })
  const once = withoutRepeats(results)
  const compared = compare(run, once.results, { byHand: false })
  return {
    ...shown,
    problems: [...problems, ...once.problems, ...compared.problems].toSorted(
      (one, other) => one.line - other.line,
    ),
    pending: underWay(run, pending, results),
    taken: compared.taken,
    others,
  }
}

/** What a file has, or why it can't be read. */
function orWhyNot<Read>(read: () => Read): Read | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof BadFileError) return error.message
    throw error
  }
}

/** The lines without a result that are under way at the bank. */
function underWay(
  run: Run,
  pending: readonly Pending[],
  results: readonly Result[],
): ReadFile['pending'] {
  const lines = new Map(linesToPay(run).map((line) => [line.reference, line]))
  const decided = new Set(results.map(({ reference }) => reference))
  return pending.flatMap(({ place, reference, status }) => {
    const line = lines.get(reference)
    if (!line || line.paid !== null || decided.has(reference)) return []
    return [{ line: place, reference, payee: line.payee_name, status }]
  })
}

/** What a bank's message says of a run's lines. A guess counts once somebody has seen it. */
export function readBankMessage(
  run: Run,
  bytes: Buffer,
  {
    bank,
    accounts,
    seen,
  }: { bank: Bank; accounts: ReadonlyMap<string, string>; seen: ReadonlySet<number> },
): ReadFile {
  const lines = new Map(linesToPay(run).map((line) => [line.reference, line]))
  const sha256 = sha256Of(bytes)
  const asked: Asked = {
    run: run.number,
    currency: currencyOf(run),
    transfers: [...lines.values()].map((line) => ({
      ...transferFor(run, line, accounts),
      ...answerOf(run.refusals.get(line.id), sha256),
    })),
    files: messagesOf(run),
    account: run.layout.format === 'pain.001' ? (run.layout.payer?.account ?? null) : null,
    ...bank,
  }
  const message = orWhyNot(() => readMessage(bytes, asked))
  if (typeof message === 'string') return { ...nothing, refused: message }
  const guessed = message.guesses.flatMap(({ place, results }) => (seen.has(place) ? results : []))
  const { problems, taken } = compareMessage(run, {
    results: [...message.results, ...guessed],
    back: message.back,
  })
  return {
    ...nothing,
    format: { kind: 'message', name: message.name, account: message.account },
    problems: [...message.problems, ...problems].toSorted((one, other) => one.line - other.line),
    pending: underWay(run, message.pending, message.results),
    guesses: message.guesses.map(({ place, by, amount, results }) => ({
      entry: place,
      by,
      amount,
      paid: results.every(({ paid }) => paid),
      on: results[0]?.on ?? null,
      transfers: results.map(({ reference }) => ({
        reference,
        payee: lines.get(reference)?.payee_name ?? '',
      })),
    })),
    taken,
    others: message.others,
    refusals: {
      message: message.name,
      messageId: message.id.slice(0, MOST_OF_ID),
      sha256,
      of: message.refusals.flatMap((result) => {
        const line = lines.get(result.reference)
        return line ? [{ line, result }] : []
      }),
    },
  }
}

/** Longer than any that the standard has. */
const MOST_OF_ID = 60

function transferFor(
  run: Run,
  line: LineRow,
  accounts: ReadonlyMap<string, string>,
): Asked['transfers'][number] {
  const file = fileOf(run, line)
  const left = run.downloads.find(({ name }) => file === null || name === file)
  return {
    reference: line.reference,
    amount: line.amount,
    account: accounts.get(line.reference) ?? '',
    file,
    leftOn: left ? leftOn(left) : null,
    state: stateOfTransfer(line),
  }
}

/** Whether somebody has asked the bank about a refusal: this message's or an earlier one. */
function answerOf(
  refusal: RefusalRow | undefined,
  sha256: Buffer,
): Pick<Asked['transfers'][number], 'settled' | 'isAnswered'> {
  if (!refusal?.settled_at) return {}
  return {
    settled: `${refusal.settled_by} entered on ${formatDateTime(refusal.settled_at)} that it was paid after all`,
    isAnswered: refusal.sha256.equals(sha256),
  }
}

function stateOfTransfer({ paid, returned_on }: LineRow): Asked['transfers'][number]['state'] {
  if (paid === null) return 'open'
  if (!paid) return 'failed'
  return returned_on === null ? 'paid' : 'returned'
}

/** A run's files by the ids of their messages. Other files are no messages. */
const messagesOf = ({ number, layout, files }: Run): ReadonlyMap<string, string> =>
  new Map(
    layout.format === 'pain.001'
      ? files.map(({ place, name }) => [likeOf(messageIdOf(number, place)), name])
      : [],
  )

/** Results of one reference that say the same are one. If they differ, none of them counts. */
function withoutRepeats(all: readonly Result[]): { results: Result[]; problems: Problem[] } {
  const results: Result[] = []
  const problems: Problem[] = []
  for (const [reference, same] of Map.groupBy(all, (one) => one.reference)) {
    const [first, ...rest] = same
    const isSame = rest.every(
      ({ paid, amounts }) =>
        paid === first!.paid && String(amounts ?? '') === String(first!.amounts ?? ''),
    )
    if (isSame) results.push(first!)
    else
      problems.push(
        ...same.map(({ place }) => ({
          line: place,
          problem: `${reference} is on the lines ${same.map((one) => one.place).join(', ')}, which say different things`,
        })),
      )
  }
  return { results, problems }
}
