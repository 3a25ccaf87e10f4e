export {
  isOfTier,
  joinAgentWeeks,
  rateAt,
  stepPlace,
  tieredDays,
  tieredWeeks,
} from './avp-tiers.queries.ts'
export {
  lockTotals,
  lockTotalsAndEvents,
  takeYourTime,
  vacuumPending,
  weekOf,
} from './fold-totals.queries.ts'
export { foldTotals } from './fold-totals.ts'
export {
  type Dimension,
  LEVELS,
  type Metric,
  type TotalsDelta,
  coarsestLevel,
  metrics,
  weekAvpLevel,
} from './levels.ts'
export { readTotals, streamTotals, type TotalsDatabases } from './read-totals.ts'
export { removeAgentFromTotals } from './remove-agent.ts'
export { type AvpStep, conditions, type TotalsFilter } from './totals-filter.queries.ts'
export { isAnsweredByOffices, totalsSource, type TotalsQuestion } from './totals-source.queries.ts'
export { rebuildTotals, recountTotals, verifyTotals } from './verify-totals.ts'
export { type Visibility, visibilityFor } from './visibility.queries.ts'
