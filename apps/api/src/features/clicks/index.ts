export { startClicks } from './clicks.ts'
export { startClicksFromDisk } from './first-clicks.ts'
export { keepLinksOnDisk } from './kept-links.ts'
export { registerGo } from './go.routes.ts'
export { makeClickIds, type ClickIds } from './click-id-signer.ts'
export {
  deleteClicksOfAgent,
  findClick,
  forgetVisitorsOfAgent,
  subsFrom,
} from './clicks.queries.ts'
export type { Click, Uncounted } from './click.ts'
export {
  ensurePartitions,
  fillPartition,
  findPartitions,
  forgetOldVisitors,
  forgetVisitorsBefore,
  frozenSuffix,
  partitionName,
} from './partitions.queries.ts'
