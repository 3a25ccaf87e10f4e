import type { ResultOf } from '@tallyroom/contract/endpoint'
import type { ResultColumns } from '@tallyroom/contract/pay/files/files'
import type { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { formatCount } from '@tallyroom/domain/money'
import type { Currency } from '@tallyroom/domain/pay'
import { countOf, dayText } from './run-words.ts'

/* What the browser makes of a bank’s result file: its columns as they are mapped, and what importing it would do. */

export type ReadResults = ResultOf<typeof paymentResultsEndpoints.readResultFile>
type Problem = ReadResults['problems'][number]

export const NO_COLUMNS: ResultColumns = {
  reference: '',
  status: '',
  paid: [],
  failed: [],
  pending: [],
  beginsWith: false,
  amount: null,
  minorUnits: null,
  reason: null,
  bankReference: null,
}

/** Whether enough is mapped to read the file. */
export const isWhole = ({ reference, status, paid, failed }: ResultColumns): boolean =>
  reference !== '' && status !== '' && paid.length > 0 && failed.length > 0

/** The headings that are mapped. */
export const mappedIn = ({
  reference,
  status,
  amount,
  reason,
  bankReference,
}: ResultColumns): string[] =>
  [reference, status, amount, reason, bankReference].filter((one) => one !== null)

/** The headings to choose from. One may be empty or there twice; the server refuses the latter if it is mapped. */
export const choicesOf = (headings: readonly string[]): string[] =>
  [...new Set(headings)].filter(Boolean)

/** The words that a status column has, separated by commas. */
export const wordsIn = (typed: string): string[] =>
  typed
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

/** The first lines of a file. */
export const linesText = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.join('  |  ')).join('\n')

/** `3 paid, 1 failed, 1 came back, 1 paid and refused, 2 already known.` */
export const countsText = ({
  paid,
  failed,
  returned,
  contradicted,
  known,
}: Pick<ReadResults, 'paid' | 'failed' | 'returned' | 'contradicted' | 'known'>): string =>
  `${[
    `${formatCount(paid)} paid`,
    `${formatCount(failed)} failed`,
    ...(returned.length > 0 ? [`${formatCount(returned.length)} came back`] : []),
    ...(contradicted > 0 ? [`${formatCount(contradicted)} paid and refused`] : []),
    ...(known > 0 ? [`${formatCount(known)} already known`] : []),
  ].join(', ')}.`

const SEPARATOR_NAMES = { comma: 'commas', semicolon: 'semicolons', tab: 'tabs', pipe: 'pipes' }

/** What a file was recognised as: `Windows-1252 text separated by semicolons, headings on line 4`. */
export function formatText({
  format,
  headingsLine,
}: Pick<ReadResults, 'format' | 'headingsLine'>): string {
  if (!format) return ''
  if (format.kind === 'message')
    return format.account === null
      ? `Answer of the bank to a file, ${format.name}.`
      : `Statement of ${format.account}, ${format.name}.`
  const kind =
    format.kind === 'xlsx'
      ? `Excel workbook, sheet “${format.sheet}”`
      : `${format.encoding} text separated by ${SEPARATOR_NAMES[format.separator]}`
  return `${kind}, headings on line ${headingsLine}.`
}

/** What a file consists of. A message has entries, often all on one line. */
type LineWord = 'line' | 'entry'

export const wordOf = ({ format }: Pick<ReadResults, 'format'>): LineWord =>
  format?.kind === 'message' ? 'entry' : 'line'

const countIn = (count: number, word: LineWord): string =>
  word === 'line'
    ? countOf(count, 'line')
    : `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'}`

const MOST_NAMED = 3

/** A transfer that is meant only if whoever reads it says so: it has no reference of ours. To be ticked. */
export function guessText(
  { by, amount, paid, on, transfers, entry }: ReadResults['guesses'][number],
  currency: Currency,
): string {
  const named = transfers
    .slice(0, MOST_NAMED)
    .map(({ reference, payee }) => `${reference} to ${payee}`)
    .join(', ')
  const more = transfers.length > MOST_NAMED ? ` and ${transfers.length - MOST_NAMED} more` : ''
  const day = on === null ? '' : ` on ${dayText(on)}`
  const what = `Entry ${entry}: ${moneyText(amount, currency)} ${paid ? 'paid' : 'came back'}${day}`
  return by === 'sum'
    ? `${what} in one sum, without references. It is as much as ${named}${more}.`
    : `${what}, without a reference. Amount and account are those of ${named}.`
}

/** What in a file is not of its run, and that it is left out: to be ticked. Undefined if there is nothing. */
export function othersText(
  { lines, amount, ofRuns }: ReadResults['others'],
  currency: Currency,
  word: LineWord = 'line',
): string | undefined {
  if (lines === 0) return undefined
  const sum = amount === 0 ? '' : `, ${moneyText(amount, currency)}`
  const runs = ofRuns.map(
    ({ number, lines: of }) =>
      `${countIn(of, word)} ${of === 1 ? 'is' : 'are'} of ${number}: read the file there as well`,
  )
  const what = `${countIn(lines, word)} without a reference of this run${sum}: totals, or other transactions. ${lines === 1 ? 'It is' : 'They are'} left out.`
  return [what, ...runs.map((text) => `${text}.`)].join(' ')
}

/** `P1R2N4 to Makati is still under way: Unclaimed` */
export const pendingTexts = (pending: ReadResults['pending']): string[] =>
  pending.map(
    ({ reference, payee, status }) => `${reference} to ${payee} is still under way: ${status}`,
  )

/** `P1R2N2 to Cebu, ₱51,685.00` */
export const returnedTexts = (returned: ReadResults['returned'], currency: Currency): string[] =>
  returned.map(
    ({ reference, payee, amount, on }) =>
      `${reference} to ${payee}, ${moneyText(amount, currency)}${on === null ? '' : `, on ${dayText(on)}`}`,
  )

const MOST_PROBLEMS = 20

/** Why lines of this run are not imported. */
export const problemTexts = (problems: readonly Problem[], word: LineWord = 'line'): string[] => [
  ...problems
    .slice(0, MOST_PROBLEMS)
    .map(({ line, problem }) => `${word === 'line' ? 'Line' : 'Entry'} ${line}: ${problem}`),
  ...(problems.length > MOST_PROBLEMS
    ? [`and ${formatCount(problems.length - MOST_PROBLEMS)} more`]
    : []),
]
