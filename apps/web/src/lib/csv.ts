export type CsvValue = string | number | null | undefined

/** Rows as CSV text (RFC 4180), the first one being the header. */
export const csvText = (rows: readonly (readonly CsvValue[])[]): string =>
  rows.map((row) => row.map(csvField).join(',')).join('\r\n') + '\r\n'

/** Spreadsheets run text that begins like a formula, and anybody can choose a username. */
function csvField(value: CsvValue): string {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Hands a text to the browser as a file. */
export function download(fileName: string, text: string, type = 'text/csv;charset=utf-8') {
  // The mark tells Excel that the file is UTF-8: peso signs and names survive.
  const mark = type.startsWith('text/csv') ? '\ufeff' : ''
  const url = URL.createObjectURL(new Blob([mark, text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
