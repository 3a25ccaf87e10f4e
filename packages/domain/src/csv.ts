/** A field. `{ number }` is a number already formatted with its decimal places. */
export type CsvValue = string | number | { number: string } | null | undefined

/** Rows as CSV text (RFC 4180). */
export const csvText = (rows: readonly (readonly CsvValue[])[]): string =>
  rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('')

/** The byte order mark that makes Excel read a CSV file as UTF-8. */
export const CSV_MARK = '\u{feff}'

/** Whether a spreadsheet may evaluate the text as a formula. Guards against CSV injection through usernames. */
export const looksLikeFormula = (text: string): boolean => /^[=+\-@\t\r\n＝＋－＠]/.test(text)

/**
 * A text without formulas, wherever a spreadsheet splits it: at semicolons, where the decimal sign is a comma, at tabs or at
 * line breaks. Quotes alone don't help: they count only where that program begins a field.
 */
export const withoutFormulas = (text: string): string => text.replaceAll(BEFORE_FORMULA, "$&'")

const BEFORE_FORMULA = /(?:^|[;\t\r\n])(?=[" ]*[=+\-@＝＋－＠])/g

function csvField(value: CsvValue): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object' && value) return value.number
  const text = withoutFormulas(value ?? '')
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
