/** A field. `{ number }` is a number with as many decimal places as are to be written. */
export type CsvValue = string | number | { number: string } | null | undefined

/** Rows as CSV text (RFC 4180). */
export const csvText = (rows: readonly (readonly CsvValue[])[]): string =>
  rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('')

/** What a CSV file begins with, so that Excel reads it as UTF-8: peso signs and names survive. */
export const CSV_MARK = '\u{feff}'

/** Whether a spreadsheet would run a text as a formula, or may when it is edited. Anybody can choose a username. */
export const looksLikeFormula = (text: string): boolean => /^[=+\-@\t\r\n＝＋－＠]/.test(text)

function csvField(value: CsvValue): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object' && value) return value.number
  const text = value ?? ''
  const safe = looksLikeFormula(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
