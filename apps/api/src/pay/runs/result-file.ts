import { type PayFileLayout, type ResultColumns, separators } from '@tallyroom/contract/pay/files'
import { toMinorUnits } from '@tallyroom/domain/money'
import { CsvError, parse } from 'csv-parse/sync'

/** What became of one transfer. `place` is the line of the file or the position in the list, from 1. */
export type Result = {
  place: number
  reference: string
  paid: boolean
  reason: string
  bankReference: string
  /** Minor units; undefined if the source does not say. */
  amount?: number
}

export type Problem = { line: number; problem: string }

/** A file's headings and rows. Line 1 is the headings. */
type Table = {
  headings: string[]
  rows: { line: number; values: string[] }[]
  problems: Problem[]
}

/** The most rows that are read. */
const MOST_ROWS = 10_000

/** Reads a result file in the encoding and with the separator of its template. */
export function readTable(bytes: Buffer, layout: PayFileLayout): Table {
  const { text, problems } = decode(bytes, layout.encoding)
  if (problems.length > 0) return { headings: [], rows: [], problems }
  const refuse = (line: number, problem: string): Table => ({
    headings: [],
    rows: [],
    problems: [{ line, problem }],
  })
  try {
    const records = parse(text, {
      delimiter: separators[layout.separator],
      bom: true,
      info: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
    }) as unknown as { record: string[]; info: { lines: number } }[] // what `info` makes of records, which the types leave out
    const [first, ...rest] = records
    if (!first) return refuse(1, 'the file is empty')
    if (rest.length > MOST_ROWS) return refuse(MOST_ROWS, 'the file has too many lines')
    return {
      headings: first.record,
      rows: rest.map(({ record, info }) => ({ line: info.lines, values: record })),
      problems: [],
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { lines } = error as CsvError & { lines?: number } // a field of each parse error, which its type leaves out
    return refuse(lines ?? 1, 'has quotation marks that do not match')
  }
}

/** The results in a table, whose columns are found by their headings. */
export function readResults(
  { headings, rows }: Table,
  columns: ResultColumns,
  layout: PayFileLayout,
): { results: Result[]; problems: Problem[] } {
  const wrong =
    wrongColumns(headings, columns) ??
    (rows.length === 0 ? 'there is no line below the headings' : undefined)
  if (wrong !== undefined) return { results: [], problems: [{ line: 1, problem: wrong }] }
  const results: Result[] = []
  const problems: Problem[] = []
  for (const { line, values } of rows) {
    // A separator within a name moves every field behind it.
    if (values.slice(headings.length).some((extra) => extra !== '')) {
      problems.push({ line, problem: 'has more fields than the headings' })
      continue
    }
    const of = (heading: string | null) =>
      heading === null ? '' : (values[headings.indexOf(heading)] ?? '')
    const status = of(columns.status)
    const isPaid = isOneOf(columns.paid, status)
    const amount = columns.amount === null ? undefined : amountOf(of(columns.amount), layout)
    if (!isPaid && !isOneOf(columns.failed, status)) {
      problems.push({ line, problem: `the status “${status}” is neither paid nor failed` })
    } else if (columns.amount !== null && amount === undefined) {
      problems.push({ line, problem: `“${of(columns.amount)}” is not an amount` })
    } else {
      results.push({
        place: line,
        reference: of(columns.reference),
        paid: isPaid,
        reason: isPaid ? '' : (of(columns.reason) || status).slice(0, 300),
        bankReference: of(columns.bankReference).slice(0, 60),
        ...(amount !== undefined && { amount }),
      })
    }
  }
  return { results, problems }
}

/** Why results can't be read by these columns; undefined if they can. */
function wrongColumns(headings: readonly string[], columns: ResultColumns): string | undefined {
  const { reference, status, amount, reason, bankReference, paid, failed } = columns
  const mapped = [reference, status, amount, reason, bankReference].filter((one) => one !== null)
  const missing = mapped.filter((heading) => !headings.includes(heading))
  if (missing.length > 0)
    return `there is no column ${missing.map((heading) => `“${heading}”`).join(', ')}`
  const twice = mapped.find((heading) => headings.filter((one) => one === heading).length > 1)
  if (twice !== undefined) return `there is more than one column “${twice}”`
  const both = paid.find((word) => isOneOf(failed, word))
  return both === undefined ? undefined : `“${both}” can’t mean both paid and failed`
}

const isOneOf = (words: readonly string[], text: string): boolean =>
  words.some((word) => word.toLowerCase() === text.toLowerCase())

/** Minor units of an amount as the template writes it; thousands may be grouped. */
function amountOf(text: string, { decimals }: PayFileLayout): number | undefined {
  if (decimals === 'none') return /^\d{1,15}$/.test(text) ? Number(text) : undefined
  // Only groups of three are thousands: `1,50` of a bank that writes commas is not 150.
  const [, whole, places = ''] = (decimals === 'comma' ? WITH_COMMA : WITH_POINT).exec(text) ?? []
  return whole === undefined
    ? undefined
    : toMinorUnits(`${whole.replaceAll(/[.,]/g, '')}${places.replace(',', '.')}`)
}

const WITH_POINT = /^(-?(?:\d+|\d{1,3}(?:,\d{3})+))(\.\d{1,2})?$/
const WITH_COMMA = /^(-?(?:\d+|\d{1,3}(?:\.\d{3})+))(,\d{1,2})?$/

/** The decoded text, or the lines that are not in the expected encoding. */
function decode(
  bytes: Buffer,
  encoding: PayFileLayout['encoding'],
): { text: string; problems: Problem[] } {
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (isUtf16 || bytes.includes(0))
    return { text: '', problems: [{ line: 1, problem: `is not ${NAMES[encoding]} text` }] }
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const actual = hasMark ? 'utf-8' : encoding
  const problems: Problem[] = []
  let line = 1
  for (let at = 0; at < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, at)
    const part = bytes.subarray(at, end < 0 ? bytes.length : end)
    if (!isIn(part, actual)) problems.push({ line, problem: `is not ${NAMES[actual]} text` })
    at = end < 0 ? bytes.length : end + 1
  }
  return { text: new TextDecoder(actual).decode(bytes), problems }
}

const NAMES = { 'utf-8': 'UTF-8', 'windows-1252': 'Windows-1252' } as const

function isIn(part: Buffer, encoding: PayFileLayout['encoding']): boolean {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(part)
    // Windows-1252 decodes any bytes. UTF-8 read as Windows-1252 contains Ã or Â before another character.
    return encoding === 'utf-8' || !(/[\u0080-\u009f]/.test(text) || isUtf8(part))
  } catch {
    return false
  }
}

/** Whether a line has letters beyond ASCII and is UTF-8. */
function isUtf8(part: Buffer): boolean {
  if (part.every((byte) => byte < 0x80)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(part)
    return true
  } catch {
    return false
  }
}
