export { findClosedPeriods } from './settings.queries.ts'
export { getCalendar } from './calendar.ts'
export { makeProposedAdjustment, whyAdjustmentOutdated } from './adjust.ts'
export { giveBackBy, refuseHeldBack } from './give-back.ts'
export { closePeriod } from './close-period.ts'
export { EXPORT_COLUMNS, exportPeriod } from './export-period.ts'
export { findUnpaid } from './unpaid.queries.ts'
export { findOwnPay } from './own-pay.ts'
export { findPeriodsToClose } from './pay-on-home.ts'
export { findPaidBy } from './paid-by.ts'
export { findTierPay } from './sale-pay.ts'
export { findPayHolders } from './pay-holders.queries.ts'
export { findPayeeNames, type PayeeKey, payeeText } from './payees.queries.ts'
export { payRoutes } from './pay.routes.ts'
export { CONFIRMATIONS_NEEDED, findHolds } from './balances.queries.ts'
export { insertHold } from './adjustments.queries.ts'
export { getWaitingDays, lockBalances, lockProposals } from './settings.queries.ts'
export {
  type Decision,
  findDecidedProposals,
  findProposal,
  findWaitingOf,
  findWaitingProposals,
  insertProposal,
  insertProposalDecision,
  type Proposal,
} from './proposals.queries.ts'
export {
  findAvpRules,
  savePaySettings,
  saveProposedRate,
  whyLimitsOutdated,
  whyRateOutdated,
} from './settings.ts'
export { findByNumber as findStatementsByNumber, getStatement } from './statements.ts'
export { type BookedRow, findBookedOn } from './statements.queries.ts'
export { type FigureFindings, verifyFigures } from './verify.ts'
