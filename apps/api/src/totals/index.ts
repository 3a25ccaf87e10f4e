export {
  findOpenDay,
  liftStatementTimeout,
  limitStatements,
  type Reach,
  vacuumPending,
  weekOf,
} from './fold-totals.queries.ts'
export { type BySub, canAskBySub, prepareBySub, TooManyClicks } from './by-sub.ts'
export { amountOfSale, isOnUtcDays } from './counted-events.queries.ts'
export { figuresOfKind, type SaleFigure } from './event-columns.ts'
export { type Dimension, LEVELS, type Metric, type TotalsDelta, metrics } from './levels.ts'
export {
  foldOrRefuse,
  foldTotals,
  foldWhileRead,
  readEventsAndTotals,
  readFoldedTotals,
  readTotals,
  streamTotals,
  type TotalsDatabases,
} from './read-totals.ts'
export { removeAgentFromTotals } from './remove-agent.queries.ts'
export { eventsOfSub, isOfSub, joinClick, planForSubs, type SubFilter } from './subs.queries.ts'
export { type AvpStep, isOfTier, rateAt, stepPlace } from './tiers.queries.ts'
export {
  type TotalsFilter,
  type TotalsQuestion,
  conditions,
  isAnsweredByOffices,
  isOneUnit,
  joinAgentWeeks,
  tieredSource,
  totalsSource,
} from './totals-source.queries.ts'
export { totalsStoreOf } from './totals-store.ts'
export { visitorOfIp } from './unique-clicks.queries.ts'
export { rebuildTotals, recountTotals, verifyDays, verifyTotals } from './verify-totals.queries.ts'
