export { archiveClicks } from './archive/archive-clicks.ts'
export { type Archive, findArchives } from './archive/archives.queries.ts'
export { nameOf, whileNotArchiving } from './archive/archives.ts'
export { purgeArchives } from './archive/purge-archives.ts'
export { restoreArchive } from './archive/restore-archive.ts'
export { mayBeDue, tendArchives } from './archive/schedule.ts'
export { findDetailsSince, findSealedClick } from './archive/sealed-clicks.queries.ts'
export { type ClickIds, makeClickIds } from './clicks/click-id-signer.ts'
export type { Uncounted } from './clicks/click.ts'
export { forgetVisitorsOfAgent, openedLink, subsFrom } from './clicks/clicks.queries.ts'
export { startClicks } from './clicks/clicks.ts'
export { startClicksFromDisk } from './clicks/first-clicks.ts'
export { isOurPage } from './clicks/go.pages.ts'
export { registerGo } from './clicks/go.routes.ts'
export { findCodeOfSale } from './coupons/coupon-orders.queries.ts'
export { linkTestsRoutes } from './link-tests/link-tests.routes.ts'
export { forgetTests } from './test-visits/test-visits.queries.ts'
export { makeTestVisits } from './test-visits/follow-test.ts'
export { makeTestMarks, testOf } from './test-visits/test-marks.ts'
export { keepLinksOnDisk } from './destinations/kept-links.ts'
export {
  ensurePartitions,
  forgetOldVisitors,
  forgetVisitorsBefore,
} from './clicks/partitions.queries.ts'
export { registerInbound, takeUnparsed } from './inbound/inbound.routes.ts'
export { type Inbound, makeInbound } from './postbacks/inbound.ts'
export { carryOutDecisions } from './decisions/carry-out.ts'
export { decisionsRoutes } from './decisions/decisions.routes.ts'
export { findOpenPostbacks, openPostbacks } from './postbacks/open-postbacks.queries.ts'
export { ASK_AFTER_DAYS, findOverdue } from './postbacks/pending.queries.ts'
export { postbacksRoutes } from './postbacks/postbacks.routes.ts'
export { MOST_NAMING } from './postbacks/search-postbacks.queries.ts'
export {
  countPostbacksIn,
  findPostbacksNaming,
  findPostbacksOfSale,
} from './postbacks/search-postbacks.ts'
export { makeTestClick } from './postbacks/test-postback.ts'
export { UNMATCHED_AFTER_MS, settleWaiting } from './postbacks/settle-waiting.ts'
export { settleDecided } from './postbacks/decide-word.ts'
export { findWaitingWords } from './words/word-holds.queries.ts'
export { forgetSignedAnswers } from './postbacks/signed-postbacks.ts'
export { makeSiteKeys } from './site-keys/site-keys.ts'
export { percentOfPart } from './sales/price-event.ts'
export {
  type RateSpan,
  type RepricedSum,
  type Repricing,
  type Span,
  findRepricedSums,
  reprice,
} from './sales/reprice.queries.ts'
export { tellingLedger } from './sales/tell-of-sales.ts'
export { learnWords } from './words/learn-words.ts'
export { type Stores, storesOnOneServer } from './stores.ts'
