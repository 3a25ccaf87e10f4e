import type { PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { separators } from '@tallyroom/contract/table-files'
import type { Day } from '@tallyroom/domain/new-york'
import { toWindows1252 } from '../../lib/files/windows-1252.ts'
import {
  cellsOf,
  type Column,
  dateText,
  type Edge,
  edgeCellsOf,
  fitted,
  headingsOf,
  type PayFile,
} from './file-values.ts'
import { painOf, painWithDate } from './pain-bytes.ts'
import { withTexts, xlsxOf } from './xlsx-bytes.ts'

/** A file's bytes. Values are written unchanged: callers have refused those that don't fit. */
export function bytesOf(
  layout: PayFileLayout,
  file: Pick<PayFile, 'run' | 'sequence' | 'transfers'>,
): Buffer {
  const { firstLine, lastLine, payer } = layout
  if (layout.format === 'pain.001') {
    if (!payer) throw new RangeError('nobody pays') // saving requires it
    return painOf(payer, file)
  }
  const edge = (line: typeof firstLine) =>
    line.length > 0 ? [edgeCellsOf(layout, file, line)] : []
  const rows = [
    ...edge(firstLine),
    ...(layout.headings ? [headingsOf(layout)] : []),
    ...file.transfers.map((transfer) => cellsOf(layout, transfer)),
    ...edge(lastLine),
  ]
  if (layout.format === 'xlsx') return xlsxOf(rows)
  const separator = separatorOf(layout)
  const content = rows
    .map((row) => `${row.map((value) => quoted(layout, value)).join(separator)}\r\n`)
    .join('')
  return layout.encoding === 'utf-8' ? Buffer.from(content) : toWindows1252(content)
}

/** A file's bytes with another date in its lines, and nothing else changed. Null: with no date at all. */
export function withDate(layout: PayFileLayout, bytes: Buffer, day: Day | null): Buffer {
  if (layout.format === 'pain.001') return painWithDate(bytes, day)
  if (layout.format === 'xlsx') {
    return withTexts(bytes, (row, column, rows) => {
      const field = fieldsOf(layout, row, rows + 1)?.[column]
      return field?.field === 'date' ? dateText(day, field) : undefined
    })
  }
  // Separators, quotation marks, line breaks and dates are ASCII in both encodings, so that no other byte matters.
  const lines = bytes.toString('latin1').split('\r\n')
  const dated = lines.map((text, index) => {
    const fields = fieldsOf(layout, index, lines.length)
    if (!fields) return text
    const cells = layout.format === 'fixed' ? cutAt(fields, text) : rawCells(layout, text)
    return fields
      .map((one, at) =>
        one.field === 'date' ? fitted(layout, dateText(day, one), one) : (cells[at] ?? ''),
      )
      .join(separatorOf(layout))
  })
  return Buffer.from(dated.join('\r\n'), 'latin1')
}

/** What a line's values are, if any is. After the last line, there is the rest of a line break. */
function fieldsOf(
  { columns, firstLine, lastLine, headings }: PayFileLayout,
  index: number,
  lines: number,
): readonly (Column | Edge)[] | undefined {
  const first = firstLine.length > 0 ? 1 : 0
  if (index === lines - 1) return undefined
  if (index < first) return firstLine
  if (index === lines - 2 && lastLine.length > 0) return lastLine
  return headings && index === first ? undefined : columns
}

const separatorOf = ({ format, separator }: PayFileLayout): string =>
  format === 'fixed' ? '' : separators[separator]

/** The values of a line of fixed width, with what fills them. Each character of it is one byte. */
function cutAt(fields: readonly (Column | Edge)[], text: string): string[] {
  let start = 0
  return fields.map(({ width = 0 }) => text.slice(start, (start += width)))
}

/** A line's values as they stand in it, within their quotation marks. */
function rawCells({ quotes, separator }: PayFileLayout, text: string): string[] {
  const cells: string[] = []
  let isQuoted = false
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    if (quotes && text[at] === '"') isQuoted = !isQuoted
    if (at < text.length && (isQuoted || text[at] !== separators[separator])) continue
    cells.push(text.slice(start, at))
    start = at + 1
  }
  return cells
}

const quoted = ({ format, quotes, separator }: PayFileLayout, value: string): string =>
  format === 'separated' && quotes && (value.includes(separators[separator]) || value.includes('"'))
    ? `"${value.replaceAll('"', '""')}"`
    : value
