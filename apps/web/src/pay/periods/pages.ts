/*
 * All pages of pay in one chunk. They share most of their code, and separate chunks would pull code from the lists'
 * chunk into the first list's.
 */
export { AdjustmentsPage } from './AdjustmentsPage.tsx'
export { BalancePage } from './BalancePage.tsx'
export { BalancesPage } from './BalancesPage.tsx'
export { HowPayWorksPage } from './HowPayWorksPage.tsx'
export { JournalPage } from './JournalPage.tsx'
export { PaySettingsPage } from './PaySettingsPage.tsx'
export { PeriodPage } from './PeriodPage.tsx'
export { PeriodsPage } from './PeriodsPage.tsx'
export { ProposalsPage } from './ProposalsPage.tsx'
export { ProfitPage } from './ProfitPage.tsx'
export { EstimatePage, PreviewPage, StatementPage } from './StatementPage.tsx'
export { StatementsPage } from './StatementsPage.tsx'
export { WithholdingPage } from './WithholdingPage.tsx'
export { YearPage, YearsPage } from './YearPages.tsx'
