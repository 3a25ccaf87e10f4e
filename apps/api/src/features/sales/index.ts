export { deleteSalesOfAgent, findFirstType } from './sales.queries.ts'
export { stopSales } from './held-rates.queries.ts'
export { LostRace } from './ledger.ts'
export { recordSale, recordSaleEvent } from './record-sale-event.ts'
export type { Report, ReportedClick, SaleOutcome } from './report.ts'
export { AT_ZERO } from './price-event.ts'
export {
  findRepricedSums,
  reprice,
  type RepricedSum,
  type RateSpan,
  type Repricing,
  type Span,
} from './reprice.queries.ts'
export { findTestAmounts, TEST_AGENT_ID } from './test-sales.queries.ts'
