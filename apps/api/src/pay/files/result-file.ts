import type { ResultColumns } from '@tallyroom/contract/pay/files/files'
import type { ResultFormat } from '@tallyroom/contract/pay/paying/results'
import type { Day } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import type { Cell } from '../../lib/files/read-xlsx.ts'
import { amountsIn } from './result-amount.ts'
import { type RawTable, readRows } from '../../lib/files/read-rows.ts'

/** What became of one transfer. `place` is the line of the file or the position in the list, from 1. */
export type Result = {
  place: number
  reference: string
  paid: boolean
  reason: string
  bankReference: string
  /** What the source's amount can mean, in minor units; undefined if it does not say one. */
  amounts?: readonly number[]
  /** The bank's day of it, if the source says one. */
  on?: Day | null
  /** Whether the bank refused the whole file that has it. */
  refusesFile?: boolean
}

export type Problem = { line: number; problem: string }

/** A transfer that the bank says is still under way. */
export type Pending = { place: number; reference: string; status: string }

/** Lines without a reference of ours: totals, and the transactions of others. */
export type Others = {
  lines: number
  /** Of those that have an amount. */
  amount: number
  /** What stands where a reference should be, by `likeOf`. */
  references: string[]
}

/** A file's headings and the rows below them. */
export type Table = {
  format: ResultFormat
  headings: string[]
  headingsLine: number
  rows: RawTable['rows']
}

/** The most cells of a row that is shown, or searched for headings. */
const MOST_CELLS = 300

/**
 * Reads a bank's file up to the line that has the mapped headings; without columns, or if no line has them all, up to the line
 * that is most likely to have headings.
 *
 * @param references the references that are looked for
 * @throws BadFileError with what it is instead
 */
export function readTable(
  bytes: Buffer,
  columns: ResultColumns | null,
  references: ReadonlySet<string>,
): Table {
  const headingsAt = (rows: RawTable['rows']) =>
    columns ? findMapped(rows, columns) : guessHeadings(rows, references)
  const { format, rows } = readRows(bytes, (table) => {
    const at = headingsAt(table)
    const width = at === -1 ? widest(table) : (table[at]?.cells.length ?? 0)
    // One column is no table, whatever its heading.
    return (at === -1 || width < 2 ? 0 : 1_000) + Math.min(width, MOST_CELLS)
  })
  const found = headingsAt(rows)
  const at = found === -1 && columns ? findLikeliest(rows, columns, references) : Math.max(0, found)
  const head = rows[at]
  return {
    format,
    headings: head?.cells.slice(0, MOST_CELLS).map(({ text }) => folded(text)) ?? [],
    headingsLine: head?.line ?? 1,
    rows: rows.slice(at + 1),
  }
}

const widest = (rows: RawTable['rows']): number =>
  rows.slice(0, 100).reduce((most, { cells }) => Math.max(most, cells.length), 0)

const mappedIn = ({ reference, status, amount, reason, bankReference }: ResultColumns): string[] =>
  [reference, status, amount, reason, bankReference].filter((one) => one !== null)

/** The first row with all mapped headings; -1 if there is none. */
function findMapped(rows: RawTable['rows'], columns: ResultColumns): number {
  const all = mappedIn(columns).length
  return rows.findIndex((row) => countMapped(row, columns) === all)
}

/** Of a file in which no row has all mapped headings: the row with most of them, so that only the others are missed. */
function findLikeliest(
  rows: RawTable['rows'],
  columns: ResultColumns,
  references: ReadonlySet<string>,
): number {
  const counts = rows.map((row) => countMapped(row, columns))
  const most = counts.reduce((one, other) => Math.max(one, other), 0)
  return most > 0 ? counts.indexOf(most) : Math.max(0, guessHeadings(rows, references))
}

/** How many of the mapped headings a row has. */
function countMapped({ cells }: { cells: readonly Cell[] }, columns: ResultColumns): number {
  const has = new Set(cells.slice(0, MOST_CELLS).map(({ text }) => likeOf(text)))
  return mappedIn(columns).filter((heading) => has.has(likeOf(heading))).length
}

/** The first row above the first reference of ours that is as wide as its row and has only words; else the first as wide as any. */
function guessHeadings(rows: RawTable['rows'], references: ReadonlySet<string>): number {
  const filled = ({ cells }: { cells: readonly Cell[] }) =>
    cells.slice(0, MOST_CELLS).filter(({ text }) => text.trim() !== '').length
  const ours = rows.findIndex(({ cells }) => cells.some(({ text }) => references.has(likeOf(text))))
  const above = ours === -1 ? rows.slice(0, 100) : rows.slice(0, ours)
  const width = ours === -1 ? Math.max(0, ...above.map(filled)) : filled(rows[ours]!)
  return above.findIndex(
    (row) =>
      filled(row) >= Math.max(2, width * 0.6) &&
      row.cells.every(({ text }) => !/\d/.test(text) || /\p{L}/u.test(text)),
  )
}

/** Why results can't be read by these columns; undefined if they can. */
export function whyUnreadable(table: Table, columns: ResultColumns): string | undefined {
  const headings = table.headings.map(likeOf)
  const mapped = mappedIn(columns)
  const missing = mapped.filter((heading) => !headings.includes(likeOf(heading)))
  if (missing.length === mapped.length)
    return `there is no line with ${missing.map((heading) => `the heading “${heading}”`).join(', ')}`
  if (missing.length > 0)
    return `line ${table.headingsLine} has the headings, but not ${missing.map((heading) => `“${heading}”`).join(' and ')}`
  const twice = mapped.find(
    (heading) => headings.filter((one) => one === likeOf(heading)).length > 1,
  )
  if (twice !== undefined) return `there is more than one column “${twice}”`
  const words = [...columns.paid, ...columns.failed, ...columns.pending].map(likeOf)
  const both = words.find((word, index) => words.indexOf(word) !== index)
  if (both !== undefined) return `“${both}” can’t mean two things`
  return table.rows.length === 0 ? 'there is no line below the headings' : undefined
}

type Read = { results: Result[]; problems: Problem[]; pending: Pending[]; others: Others }

/**
 * The results in a table, line by line. A line of ours that can't be understood is a problem of its own.
 *
 * @param ours our references as they are written, by what `likeOf` makes of them
 * @param options `isMinor`: whether amounts without decimals are centavos or cents
 */
export function readResults(
  { headings, rows }: Table,
  columns: ResultColumns,
  ours: ReadonlyMap<string, string>,
  options: { currency: Currency; isMinor: boolean },
): Read {
  const places = headings.map(likeOf)
  const cellOf = (cells: readonly Cell[], heading: string | null): Cell | undefined =>
    heading === null ? undefined : cells[places.indexOf(likeOf(heading))]
  const written = (cells: readonly Cell[], heading: string | null): string =>
    folded(cellOf(cells, heading)?.text ?? '')
  const amountsOf = (cells: readonly Cell[]) => amountsIn(written(cells, columns.amount), options)
  const isOurs = ({ cells }: { cells: readonly Cell[] }) =>
    ours.has(likeOf(cellOf(cells, columns.reference)?.text ?? ''))
  const known = (rows.some(isOurs) ? rows.filter(isOurs) : rows)
    .flatMap(({ cells }) => amountsOf(cells).slice(0, 1))
    .filter((one) => one !== 0)
  // A list of debits. Its total may be without a sign.
  const sign = known.length > 0 && known.every((one) => one < 0) ? -1 : 1

  const read: Read = {
    results: [],
    problems: [],
    pending: [],
    others: { lines: 0, amount: 0, references: [] },
  }
  for (const { line, cells } of rows) {
    const like = likeOf(cellOf(cells, columns.reference)?.text ?? '')
    const reference = ours.get(like)
    const amounts = amountsOf(cells).map((one) => one * sign)
    if (reference === undefined) {
      // Headings that are repeated on each page.
      if (likeOf(written(cells, columns.status)) === likeOf(columns.status)) continue
      read.others.lines += 1
      read.others.amount += sign === -1 ? Math.abs(amounts[0] ?? 0) : (amounts[0] ?? 0)
      if (like !== '' && like.length <= 60) read.others.references.push(like)
      continue
    }
    const status = written(cells, columns.status)
    const meaning = meaningOf(status, columns)
    const problem =
      problemOfCells(cells, columns, { width: headings.length, cellOf }) ??
      (meaning === undefined
        ? `the status “${status}” of ${reference} is neither paid, failed nor under way`
        : undefined) ??
      (columns.amount !== null && meaning !== 'pending' && amounts.length === 0
        ? `“${written(cells, columns.amount)}” is not an amount`
        : undefined)
    if (problem !== undefined) read.problems.push({ line, problem })
    else if (meaning === 'pending') read.pending.push({ place: line, reference, status })
    else {
      const isPaid = meaning === 'paid'
      read.results.push({
        place: line,
        reference,
        paid: isPaid,
        reason: isPaid ? '' : (written(cells, columns.reason) || status).slice(0, 300),
        bankReference: written(cells, columns.bankReference).slice(0, 60),
        ...(columns.amount !== null && { amounts }),
      })
    }
  }
  return read
}

function problemOfCells(
  cells: readonly Cell[],
  columns: ResultColumns,
  {
    width,
    cellOf,
  }: { width: number; cellOf: (cells: readonly Cell[], heading: string) => Cell | undefined },
): string | undefined {
  // A separator within a name moves every field behind it.
  if (cells.slice(width).some(({ text }) => text.trim() !== ''))
    return 'has more fields than the headings'
  const formula = mappedIn(columns).find((heading) => cellOf(cells, heading)?.isFormula)
  return formula === undefined ? undefined : `has a formula in “${formula}” instead of a value`
}

/** What a status means; the longest word decides. */
function meaningOf(
  status: string,
  { paid, failed, pending, beginsWith }: ResultColumns,
): 'paid' | 'failed' | 'pending' | undefined {
  const like = folded(status).toLowerCase()
  const isMeant = (word: string) =>
    like === word ||
    (beginsWith && like.startsWith(word) && !/^[\p{L}\p{N}]/u.test(like.slice(word.length)))
  return [
    ...paid.map((word) => ({ word: folded(word).toLowerCase(), means: 'paid' as const })),
    ...failed.map((word) => ({ word: folded(word).toLowerCase(), means: 'failed' as const })),
    ...pending.map((word) => ({ word: folded(word).toLowerCase(), means: 'pending' as const })),
  ]
    .filter(({ word }) => isMeant(word))
    .toSorted((one, other) => other.word.length - one.word.length)[0]?.means
}

/** A cell on one line, without what spreadsheets put around texts: `="…"` and a leading apostrophe. */
export function folded(text: string): string {
  const plain = text.replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '').trim()
  const inside = /^="(.*)"$/s.exec(plain)?.[1]?.replaceAll('""', '"') ?? plain.replace(/^'/, '')
  return inside.replaceAll(/\s+/g, ' ').trim()
}

/** What headings, references and statuses are compared by: neither case nor blanks count. */
export const likeOf = (text: string): string => folded(text).replaceAll(' ', '').toLowerCase()
