import type { ResultOf } from '@tallyroom/contract/endpoint'
import type { ResultColumns } from '@tallyroom/contract/pay/files'
import type { paymentResultsEndpoints } from '@tallyroom/contract/pay/results'
import { formatCount } from '@tallyroom/domain/money'

/* What the browser makes of a bank’s result file: its columns as they are mapped, and what importing it would do. */

type Read = ResultOf<typeof paymentResultsEndpoints.readResultFile>
type Problem = Read['problems'][number]

export const NO_COLUMNS: ResultColumns = {
  reference: '',
  status: '',
  paid: [],
  failed: [],
  amount: null,
  reason: null,
  bankReference: null,
}

/** Whether enough is mapped to read the file. */
export const isWhole = ({ reference, status, paid, failed }: ResultColumns): boolean =>
  reference !== '' && status !== '' && paid.length > 0 && failed.length > 0

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

/** `3 paid, 1 failed, 2 already known.` */
export const countsText = ({
  paid,
  failed,
  known,
}: Pick<Read, 'paid' | 'failed' | 'known'>): string =>
  `${formatCount(paid)} paid, ${formatCount(failed)} failed${known > 0 ? `, ${formatCount(known)} already known` : ''}.`

const MOST_PROBLEMS = 20

/** Why a file can’t be read, or its lines not be imported. */
export const problemTexts = (problems: readonly Problem[]): string[] => [
  ...problems.slice(0, MOST_PROBLEMS).map(({ line, problem }) => `Line ${line}: ${problem}`),
  ...(problems.length > MOST_PROBLEMS
    ? [`and ${formatCount(problems.length - MOST_PROBLEMS)} more`]
    : []),
]
