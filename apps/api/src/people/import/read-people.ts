import { MOST_IMPORTED } from '@tallyroom/contract/people/import'
import { requestFor } from '@tallyroom/contract/messages'
import { looksLikeFormula } from '@tallyroom/domain/csv'
import { formatCount } from '@tallyroom/domain/money'
import type { ZodError } from 'zod'
import { LOST } from '../../lib/files/decode-text.ts'
import { type RawTable, readRows } from '../../lib/files/read-rows.ts'
import type { Cell } from '../../lib/files/read-xlsx.ts'
import { BadFileError } from '../../lib/files/read-zip.ts'

/** A column that a file may have. */
export type Column = {
  /** As the template heads it. */
  heading: string
  /** Other headings of it, by {@link spelled}. */
  also?: readonly string[]
  /** A file without it is refused as a whole. */
  needed?: true
}

/** A line of a file, with a text for each column; empty for one that the file lacks. */
export type PeopleRow<Field extends string> = {
  line: number
  values: Record<Field, string>
  /** Why nothing of it can be used; undefined if it can. */
  unreadable: string | undefined
}

export type PeopleTable<Field extends string> = {
  readAs: string
  ignored: string[]
  rows: PeopleRow<Field>[]
}

/**
 * Reads a file of people: a line of headings, in any order and spelling (`First name`, `first_name`, `FIRSTNAME`), and a line
 * for each.
 *
 * @throws BadFileError with what is wrong with the file as a whole
 */
export function readPeople<Field extends string>(
  bytes: Buffer,
  columns: Record<Field, Column>,
): PeopleTable<Field> {
  const fields = Object.keys(columns) as Field[] // Object.keys forgets the key type
  const fieldOf = new Map(
    fields.flatMap((field) => {
      const { heading, also = [] } = columns[field]
      return [spelled(heading), ...also].map((spelling) => [spelling, field] as const)
    }),
  )
  const known = ({ text }: Cell) => fieldOf.get(spelled(text))
  const { format, rows } = readRows(
    bytes,
    ([head]) => head?.cells.filter((cell) => known(cell) !== undefined).length ?? 0,
  )
  const [head, ...below] = rows
  const headings = head?.cells ?? []
  const places = new Map<Field, number>()
  const ignored: string[] = []
  for (const [place, cell] of headings.entries()) {
    const field = known(cell)
    if (field === undefined) {
      if (cell.text.trim() !== '') ignored.push(cell.text.trim().slice(0, 60).toWellFormed())
    } else if (places.has(field)) {
      throw new BadFileError(`it has two columns for “${columns[field].heading}”`)
    } else places.set(field, place)
  }
  const missing = fields.filter((field) => columns[field].needed && !places.has(field))
  if (missing.length > 0) {
    const named = missing.map((field) => `“${columns[field].heading}”`).join(', ')
    throw new BadFileError(`its first line must have the headings. Missing: ${named}`)
  }
  if (below.length === 0) throw new BadFileError('there is no line below the headings')
  if (below.length > MOST_IMPORTED)
    throw new BadFileError(`it has more than ${formatCount(MOST_IMPORTED)} lines`)
  return {
    readAs: wordsOf(format),
    ignored: ignored.slice(0, 20),
    rows: below.map(({ line, cells }) => {
      const used = fields.map((field) => cells[places.get(field) ?? -1] ?? EMPTY)
      const isTooLong = cells.slice(headings.length).some(({ text }) => text.trim() !== '')
      return {
        line,
        values: Object.fromEntries(
          fields.map((field, place) => [field, unguarded(used[place] ?? EMPTY)]),
        ) as Record<Field, string>, // of all fields
        unreadable: isTooLong ? 'has more fields than its headings' : whyUnreadable(used),
      }
    }),
  }
}

const EMPTY: Cell = { text: '', isFormula: false }

/** Case, blanks and punctuation don't count. */
const spelled = (heading: string) => heading.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')

/** Exports guard a text that a spreadsheet would compute by an apostrophe. It is not part of the text. */
const unguarded = ({ text }: Cell): string => {
  const written = text.trim()
  return written.startsWith("'") && looksLikeFormula(written.slice(1)) ? written.slice(1) : written
}

function whyUnreadable(cells: readonly Cell[]): string | undefined {
  const formula = cells.find(({ text, isFormula }) => isFormula || looksLikeFormula(text.trim()))
  if (formula) {
    const shown = formula.text.trim().slice(0, 30).toWellFormed()
    return `has a formula, “${shown}”. If it is a text, put an apostrophe (') before it`
  }
  if (cells.some(({ text }) => LOST.test(text)))
    return 'has letters that were lost when the file was saved. Save it again, as UTF-8'
  return undefined
}

const separatedBy = { comma: 'commas', semicolon: 'semicolons', tab: 'tabs', pipe: 'pipes' }

function wordsOf(format: RawTable['format']): string {
  if (format.kind === 'text')
    return `${format.encoding}, separated by ${separatedBy[format.separator]}`
  return format.kind === 'xlsx' ? `an Excel workbook, sheet “${format.sheet}”` : 'a message'
}

/** What is wrong with the fields of a line, by the headings of its columns. Of each field, the first that is. */
export const problemsOf = ({ issues }: ZodError, columns: Record<string, Column>): string => {
  const first = new Map<string, string>()
  for (const { path, message } of issues) {
    const field = String(path[0])
    if (!first.has(field)) first.set(field, message)
  }
  return [...first]
    .map(([field, message]) => {
      const name = (columns[field]?.heading ?? field).toLowerCase()
      return message === requestFor(field) ? `has no ${name}` : `${name} ${message}`
    })
    .join('; ')
}
