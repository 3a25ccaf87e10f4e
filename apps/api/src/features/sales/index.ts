export { recordSale, recordSaleEvent } from './record-sale-event.ts'
export type { Report, ReportedClick, ReversalReport, SaleOutcome, SaleReport } from './report.ts'
export { findFirstType, insertWithEvent } from './sales.queries.ts'
export { findTestAmounts, TEST_AGENT_ID } from './test-sales.queries.ts'
