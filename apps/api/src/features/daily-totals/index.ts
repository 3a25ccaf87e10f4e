export { addToTotals } from './daily-totals.queries.ts'
export { metrics } from './totals-delta.ts'
export type { Metric, TotalsDelta } from './totals-delta.ts'
