/** The formats of a report as a file. */
export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Maximum rows of an XLSX file. A sheet holds 1,048,576 including headings and totals. */
export const MAX_XLSX_ROWS = 1_000_000
