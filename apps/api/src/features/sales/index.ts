export { deleteSalesOfAgent, findFirstType, findSaleNamed } from './sales.queries.ts'
export { stopSales } from './held-rates.queries.ts'
export { findKnownSale } from './known-sale.ts'
export { LostRace } from './ledger.ts'
export { findClicksOfOrder, insertRejection } from './rejected-orders.queries.ts'
export { recordSale, recordSaleEvent } from './record-sale-event.ts'
export {
  type Held,
  hold,
  type MerchantAmount,
  type OrderRules,
  type Report,
  type ReportedClick,
  type ReversalReport,
  type SaleOutcome,
  type SaleReport,
} from './report.ts'
export { AT_ZERO, percentOfPart } from './price-event.ts'
export {
  findRepricedSums,
  reprice,
  type RepricedSum,
  type RateSpan,
  type Repricing,
  type Span,
} from './reprice.queries.ts'
export { findTestAmounts, TEST_AGENT_ID } from './test-sales.queries.ts'
