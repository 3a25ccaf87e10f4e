export { csvFile } from './csv-file.ts'
export { fileNameOf } from './export-file.ts'
export { exportsRoutes } from './exports.routes.ts'
export { type StatsSheet, statsSheet } from './stats-sheet.ts'
