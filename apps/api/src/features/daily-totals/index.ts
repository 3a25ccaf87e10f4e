export {
  lockTotals,
  lockTotalsAndEvents,
  takeYourTime,
  vacuumPending,
  weekOf,
} from './daily-totals.queries.ts'
export { foldTotals } from './fold-totals.ts'
export { LEVELS, coarsestLevel, findLevel, weekAvpLevel } from './levels.ts'
export type { Dimension, Level, Unit } from './levels.ts'
export { removeAgentFromTotals } from './remove-agent.ts'
export { metrics } from './totals-delta.ts'
export type { Metric, TotalsDelta } from './totals-delta.ts'
export { rebuildTotals, recountTotals, verifyTotals } from './verify-totals.ts'
