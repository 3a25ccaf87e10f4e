/*
 * All pages of pay in one chunk. They share most of their code, and separate chunks would pull code from the lists'
 * chunk into the first list's.
 */
export { AdjustmentsPage } from './periods/AdjustmentsPage.tsx'
export { BalancePage } from './balances/BalancePage.tsx'
export { BalancesPage } from './periods/BalancesPage.tsx'
export { HowPayWorksPage } from './periods/HowPayWorksPage.tsx'
export { JournalPage } from './periods/JournalPage.tsx'
export { PaySettingsPage } from './terms/PaySettingsPage.tsx'
export { PeriodPage } from './periods/PeriodPage.tsx'
export { PeriodsPage } from './periods/PeriodsPage.tsx'
export { ProposalsPage } from './periods/ProposalsPage.tsx'
export { ProfitPage } from './periods/ProfitPage.tsx'
export { EstimatePage, PreviewPage, StatementPage } from './periods/StatementPage.tsx'
export { StatementsPage } from './periods/StatementsPage.tsx'
export { WithholdingPage } from './periods/WithholdingPage.tsx'
export { YearPage, YearsPage } from './periods/YearPages.tsx'
